"""The training loop that judge and reader share: bf16 compute, fp32 weights, a checkpoint that survives a stop."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn

from judges.encoder import load

NEW = 0.6  # of a blend


@dataclass(frozen=True)
class Phase:
    """Steps on one mixture, its learning rate going from `start` to `end`."""

    steps: int
    start: float
    end: float


def go_on_from(path: Path, model: nn.Module) -> None:
    """Fill the model from a training checkpoint or from a shipped file."""
    if path.suffix == ".pt":
        model.load_state_dict(torch.load(path, weights_only=True))
    else:
        load(path, model)


def average(model: nn.Module, *paths: Path, share: float = NEW) -> None:
    """`share` of the model's weights, the rest those in the files in equal parts."""
    mixed = {name: share * tensor for name, tensor in model.state_dict().items()}
    for path in paths:
        go_on_from(path, model)
        for name, tensor in model.state_dict().items():
            mixed[name] += (1 - share) / len(paths) * tensor
    model.load_state_dict(mixed)


def batches_by_length(lengths: Sequence[int], size: int, random_source: random.Random) -> Iterator[list[int]]:
    """Every index once in random batches of about equal length: sorted within pools, pools shuffled."""
    order = list(range(len(lengths)))
    random_source.shuffle(order)
    pool = size * 50
    for start in range(0, len(order), pool):
        part = sorted(order[start : start + pool], key=lambda index: lengths[index])
        found = [part[at : at + size] for at in range(0, len(part), size)]
        random_source.shuffle(found)
        yield from found


def run(
    model: nn.Module,
    steps: Iterator[Callable[[], Tensor]],
    phase: Phase,
    checkpoint: Path,
    report: Callable[[str], None],
    each: tuple[int, Callable[[int], None]] | None = None,
) -> None:
    """Train through one phase; each item of `steps` computes the loss of one batch."""
    decay = [p for p in model.parameters() if p.requires_grad and p.ndim > 1]
    plain = [p for p in model.parameters() if p.requires_grad and p.ndim <= 1]
    groups = [{"params": decay, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=phase.start, betas=(0.9, 0.98), fused=True)
    warm = max(1, min(200, phase.steps // 20))
    began, losses = time.monotonic(), []
    for step in range(phase.steps):
        rate = phase.start + (phase.end - phase.start) * step / phase.steps
        for group in optimizer.param_groups:
            group["lr"] = rate * min(1.0, (step + 1) / warm)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            loss = next(steps)()
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(decay + plain, 1.0)
        optimizer.step()
        losses.append(loss.item())
        done = step + 1
        if done % 100 == 0 or done == phase.steps:
            mean = sum(losses[-100:]) / len(losses[-100:])
            report(
                f"step {done}/{phase.steps} loss {mean:.3f} {(time.monotonic() - began) / done:.3f} s/step"
            )
        if done % 250 == 0 or done == phase.steps:
            half = checkpoint.with_suffix(".part")
            torch.save(model.state_dict(), half)
            half.replace(checkpoint)
        if each and (done % each[0] == 0 or done == phase.steps):
            each[1](done)
