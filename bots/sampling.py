"""Nucleus sampling that depends only on a request's own seed, not on the other requests of its batch."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

TRIES = 8  # a draw is outside the nucleus with a probability of at most 1 - top_p
AT_ONCE = 16  # number of rows whose weights fit into a processor's cache
BLOCK = 256  # the cumulative sum over a vocabulary has two levels of about this size


@dataclass(frozen=True, slots=True)
class Decoding:
    """The sampling parameters. A `temperature` of 0 means greedy decoding."""

    temperature: float = 1.0
    top_p: float = 0.9
    top_k: int = 0
    max_new_tokens: int = 40
    min_new_tokens: int = 0
    context_block_ngram: int = 0  # no run of so many tokens occurs twice in a conversation; 0: any may
    extras: str = "{}"  # further settings of transformers' generation, as JSON

    @property
    def beams(self) -> bool:
        return bool(json.loads(self.extras).get("num_beams", 1) > 1)

    @property
    def greedy(self) -> bool:
        return self.temperature == 0 or self.top_k == 1


def noise(seed: int, steps: int) -> Any:
    """Returns [steps, TRIES] uniform random numbers that depend only on the seed."""
    import torch

    generator = torch.Generator().manual_seed(seed)
    return torch.rand(steps, TRIES, generator=generator)


def draw(logits: Any, decoding: Decoding, uniform: Any) -> Any:
    """Draws one token per row of [rows, vocabulary] logits, or -1 if the logits are not numbers.

    `uniform` is [rows, TRIES]. The function samples the nucleus by rejection, without sorting the vocabulary. It
    draws a token from the whole distribution. If all more likely tokens together weigh less than top_p, the token
    is in the nucleus and is accepted; else the function draws again. The result has exactly the distribution
    restricted to the nucleus. With a top_p of 0.9, this takes 1.1 draws on average.
    """
    import torch

    if decoding.greedy:
        best = logits.float().max(dim=-1)
        return best.indices.masked_fill(~torch.isfinite(best.values), -1)
    parts = zip(logits.split(AT_ONCE), uniform.to(logits.device).split(AT_ONCE), strict=True)
    return torch.cat([_draw(part, decoding, own) for part, own in parts])


def _draw(logits: Any, decoding: Decoding, uniform: Any) -> Any:
    import torch

    logits = logits.float()
    if decoding.temperature != 1.0:
        logits = logits / decoding.temperature
    if 0 < decoding.top_k < logits.shape[-1]:
        least = logits.topk(decoding.top_k, dim=-1).values[:, -1:]
        logits = logits.masked_fill(logits < least, -torch.inf)
    weights = logits.softmax(dim=-1)
    if weights.shape[-1] % BLOCK:
        weights = torch.nn.functional.pad(weights, (0, -weights.shape[-1] % BLOCK))
    weights = weights.unflatten(-1, (-1, BLOCK))
    sums = weights.sum(dim=-1)
    chosen = torch.full((len(weights),), -1, dtype=torch.long, device=weights.device)
    left = torch.arange(len(weights), device=weights.device)
    sane = torch.isfinite(sums.sum(dim=-1))
    if not sane.all():
        left = left[sane]
        if not len(left):
            return chosen
    for attempt in uniform.unbind(-1):
        part, blocks = (weights, sums) if len(left) == len(weights) else (weights[left], sums[left])
        token, own = _whole_draw(part, blocks, attempt[left, None])
        above = (part * (part > own[:, :, None])).sum(dim=(1, 2))
        fits = (above < decoding.top_p) & (own[:, 0] > 0)
        chosen[left[fits]] = token[fits, 0]
        left = left[~fits]
        if not len(left):
            return chosen
    for row in left.tolist():
        chosen[row] = _sorted_draw(weights[row].flatten(), decoding.top_p, float(uniform[row, -1]))
    return chosen


def _whole_draw(weights: Any, sums: Any, uniform: Any) -> tuple[Any, Any]:
    """Draws tokens from the whole distribution and returns them with their weights.

    It inverts the cumulative sum, first over blocks and then within a block.
    """
    import torch

    running = sums.cumsum(dim=-1)
    target = uniform * running[:, -1:]
    block = torch.searchsorted(running, target, right=True).clamp_(max=running.shape[-1] - 1)
    before = running.gather(1, block) - sums.gather(1, block)
    inside = weights.gather(1, block[:, :, None].expand(-1, 1, weights.shape[-1]))[:, 0]
    inside_block = torch.searchsorted(inside.cumsum(dim=-1), target - before, right=True).clamp_(
        max=BLOCK - 1
    )
    return block * BLOCK + inside_block, inside.gather(1, inside_block)


def _sorted_draw(weights: Any, top_p: float, uniform: float) -> Any:
    ordered, index = weights.sort(descending=True)
    nucleus = ordered * (ordered.cumsum(0) - ordered < top_p)
    sums = nucleus.cumsum(0)
    position = int((sums <= uniform * sums[-1]).sum())
    return index[min(position, int((nucleus > 0).sum()) - 1)]
