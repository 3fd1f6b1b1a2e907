"""Tests whether the fast engine can run a model, by comparing logits with those of the model's own attention."""

from __future__ import annotations

from typing import Any

from bots.hf_pages import Shape
from bots.hf_work import NAME, Rows, Segment, activated, make_cache, register

TRIED = [[5, 6, 7, 8, 9, 10, 11], [12, 13, 14, 15]]  # prompts, as tokens


def row_shape(loaded: Any) -> Shape | None:
    """Tests the engine on the model. Returns the shape of the model's caches, or None if the engine cannot run it.

    On success, the model is left with the engine's attention.
    """
    import torch

    model = loaded.model
    before = model.config._attn_implementation
    with torch.inference_mode():
        try:
            shape, wanted = _own_logits(loaded)
            if shape is None:
                return None
            allowed = _allowed(loaded, wanted)
            register()
            model.set_attn_implementation(NAME)
            if _apart(wanted, _trial(model, shape, TRIED, loaded.device)) <= allowed:
                return shape
        except Exception:  # the architecture has other caches or another attention
            pass
    model.set_attn_implementation(before)
    return None


def _own_logits(loaded: Any) -> tuple[Shape | None, list[Any]]:
    """Returns the shape of the model's caches and its logits for the prompts.

    No shape if its layers have different shapes.
    """
    import torch

    logits = []
    for ids in TRIED:
        out = loaded.model(input_ids=torch.tensor([ids], device=loaded.device), use_cache=True)
        layers = out.past_key_values.layers
        shapes = {tuple(t.shape) for one in layers for t in (one.keys, one.values)}
        if len(shapes) != 1:
            return None, []
        logits.append(out.logits[0, -1].float())
    (_, heads, _, dim) = shapes.pop()
    return Shape(len(layers), heads, dim, layers[0].keys.dtype, torch.device(loaded.device)), logits


def _allowed(loaded: Any, wanted: list[Any]) -> float:
    """Returns the tolerance for differences between logits.

    It is a share of the logits' size, plus, below fp32, twice the difference between two implementations of
    transformers. With large biases in keys, bf16 logits differ by a tenth between these implementations.
    """
    import torch

    exact = loaded.model.dtype == torch.float32
    size = max(float(one.abs().max()) for one in wanted)
    if exact:
        return 1e-3 * size
    loaded.model.set_attn_implementation("eager")
    return 5e-2 * size + 2 * _apart(wanted, _own_logits(loaded)[1])


def _apart(a: list[Any], b: list[Any]) -> float:
    return max(float((one - other).abs().max()) for one, other in zip(a, b, strict=True))


def _trial(model: Any, shape: Shape, prompts: list[list[int]], device: str) -> list[Any]:
    """Runs the engine on the prompts: all but the last token as one packed read, the last token as a step."""
    import torch

    rows = Rows(shape)
    cache = make_cache(rows)
    rows.reserve(len(prompts), 16)
    segments = []
    ids: list[int] = []
    for number, prompt in enumerate(prompts):
        segments.append(Segment(number, len(ids), len(prompt) - 1, 0))
        ids += prompt[:-1]
    rows.lengths = [len(prompt) - 1 for prompt in prompts]
    places = [length for prompt in prompts for length in range(len(prompt) - 1)]
    with activated(rows):
        rows.begin_packed(segments)
        model(
            input_ids=torch.tensor([ids], device=device),
            position_ids=torch.tensor([places], device=device),
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=torch.tensor([0], device=device),
        )
        rows.begin_step(len(prompts))
        out = model(
            input_ids=torch.tensor([[prompt[-1]] for prompt in prompts], device=device),
            position_ids=torch.tensor(rows.lengths, device=device)[:, None],
            past_key_values=cache,
            use_cache=True,
            logits_to_keep=1,
        )
    return list(out.logits[:, -1].float())
