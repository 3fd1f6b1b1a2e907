from __future__ import annotations

import pytest
import torch

from bots.sampling import TRIES, Decoding, draw, noise


def sampled(logits: torch.Tensor, decoding: Decoding, count: int) -> torch.Tensor:
    """How often each token comes out of one row of logits."""
    generator = torch.Generator().manual_seed(0)
    uniform = torch.rand(count, TRIES, generator=generator)
    tokens = draw(logits.expand(count, -1), decoding, uniform)
    return torch.bincount(tokens, minlength=logits.shape[-1]) / count


def nucleus(logits: torch.Tensor, decoding: Decoding) -> torch.Tensor:
    """The distribution by sorting, as the papers define it."""
    scaled = logits / decoding.temperature
    if decoding.top_k:
        least = scaled.topk(decoding.top_k).values[-1]
        scaled = scaled.masked_fill(scaled < least, -torch.inf)
    weights = scaled.softmax(-1)
    ordered, index = weights.sort(descending=True)
    kept = ordered * (ordered.cumsum(0) - ordered < decoding.top_p)
    return torch.zeros_like(weights).scatter(0, index, kept / kept.sum())


@pytest.mark.parametrize(
    "decoding",
    [
        Decoding(top_p=0.9),
        Decoding(top_p=0.5),
        Decoding(top_p=0.05),
        Decoding(top_p=1.0, temperature=0.6),
        Decoding(top_p=0.8, top_k=20, temperature=1.4),
    ],
)
@pytest.mark.parametrize("width", [260, 512, 1000])
def test_draws_follow_the_nucleus(decoding: Decoding, width: int) -> None:
    logits = torch.randn(width, generator=torch.Generator().manual_seed(width)) * 2
    wanted = nucleus(logits, decoding)
    count = 40_000
    drawn = sampled(logits, decoding, count)
    assert not drawn[wanted == 0].any()
    spread = (wanted * (1 - wanted) / count).sqrt()
    assert ((drawn - wanted).abs() <= 5 * spread + 5 / count).all()


def test_greedy_is_the_largest() -> None:
    logits = torch.randn(7, 300)
    tokens = draw(logits, Decoding(temperature=0), torch.zeros(7, TRIES))
    assert tokens.tolist() == logits.argmax(-1).tolist()


def test_forbidden_tokens_never_come() -> None:
    logits = torch.full((300,), -torch.inf)
    logits[[3, 77, 299]] = torch.tensor([1.0, 0.0, 2.0])
    drawn = sampled(logits, Decoding(top_p=1.0), 5_000)
    assert drawn[[3, 77, 299]].sum() == 1.0


def test_a_row_does_not_depend_on_its_neighbours() -> None:
    logits = torch.randn(50, 1000)
    uniform = torch.stack([noise(n, 1)[0] for n in range(50)])
    together = draw(logits, Decoding(), uniform)
    alone = [int(draw(logits[n : n + 1], Decoding(), uniform[n : n + 1])) for n in range(50)]
    assert together.tolist() == alone


def test_noise_is_its_seeds() -> None:
    assert torch.equal(noise(5, 9), noise(5, 9)) and not torch.equal(noise(5, 9), noise(6, 9))
