"""The training loop that judge and reader share: bf16 compute and fp32 weights. It can be stopped and resumed at
any step.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.attention import SDPBackend, sdpa_kernel

from bots.encoders.encoder import Adapted
from judges.packing import stored

NEW = 0.6  # the model's share of a blend
TEN_MINUTES = 600.0


@dataclass(frozen=True)
class Phase:
    """Training steps on one mixture. The learning rate goes from `start` to `end`."""

    steps: int
    start: float
    end: float


def halve_frozen(model: nn.Module) -> None:
    """Convert frozen weights to half precision, because computations use no more."""
    for part in model.modules():
        if isinstance(part, Adapted):
            part.weight = part.weight.to(torch.bfloat16)


def go_on_from(path: Path, model: nn.Module) -> None:
    """Fill the model from a training checkpoint or from a shipped file."""
    if path.suffix == ".pt":
        read = torch.load(path, weights_only=True)
        model.load_state_dict(read.get("model", read))
    else:
        model.load_state_dict(with_all_outputs(stored(path), model))


def with_all_outputs(state: dict[str, Tensor], model: nn.Module) -> dict[str, Tensor]:
    """Complete weights that lack the model's last outputs. The missing outputs are taken from the model as it is."""
    for name in ("classes.weight", "classes.bias"):
        own = model.state_dict().get(name)
        if own is not None and name in state and len(state[name]) < len(own):
            state[name] = torch.cat([state[name], own[len(state[name]) :]])
    return state


def average(model: nn.Module, *paths: Path, share: float = NEW) -> None:
    """Average the model's weights with the weights in the files. The model has the weight `share`; the files
    share the rest equally.
    """
    mixed = {name: share * tensor for name, tensor in model.state_dict().items()}
    for path in paths:
        go_on_from(path, model)
        for name, tensor in model.state_dict().items():
            mixed[name] += (1 - share) / len(paths) * tensor
    model.load_state_dict(mixed)


def batches_by_length(lengths: Sequence[int], size: int, random_source: random.Random) -> Iterator[list[int]]:
    """Yield every index once, in random batches of about equal length. Indices are sorted by length within pools,
    and the batches of a pool are shuffled.
    """
    order = list(range(len(lengths)))
    random_source.shuffle(order)
    pool = size * 50
    for start in range(0, len(order), pool):
        part = sorted(order[start : start + pool], key=lambda index: lengths[index])
        rows = [part[at : at + size] for at in range(0, len(part), size)]
        random_source.shuffle(rows)
        yield from rows


@dataclass
class Training:
    """A model with its optimizer and its progress. It is written to `checkpoint` regularly, so that a stop costs
    only minutes.
    """

    model: nn.Module
    phase: Phase
    checkpoint: Path
    every: float = TEN_MINUTES
    clock: Callable[[], float] = time.monotonic
    done: int = 0
    losses: list[float] = field(default_factory=list)

    def __post_init__(self) -> None:
        trained = [p for p in self.model.parameters() if p.requires_grad]
        groups = [
            {"params": [p for p in trained if p.ndim > 1], "weight_decay": 0.01},
            {"params": [p for p in trained if p.ndim <= 1], "weight_decay": 0.0},
        ]
        self.trained = trained
        self.optimizer = torch.optim.AdamW(groups, lr=self.phase.start, betas=(0.9, 0.98), fused=True)

    def resume(self) -> bool:
        """Load the checkpoint if it exists. Returns whether it was loaded."""
        if not self.checkpoint.exists():
            return False
        state: dict[str, Any] = torch.load(self.checkpoint, weights_only=True)
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.done, self.losses = state["done"], list(state["losses"])
        return True

    def keep(self) -> None:
        state = {
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "done": self.done,
            "losses": self.losses[-100:],
        }
        half = self.checkpoint.with_suffix(".part")
        torch.save(state, half)
        half.replace(self.checkpoint)

    def step(self, loss_of_batch: Callable[[], Tensor]) -> None:
        phase = self.phase
        warm = max(1, min(200, phase.steps // 20))
        rate = phase.start + (phase.end - phase.start) * self.done / phase.steps
        for group in self.optimizer.param_groups:
            group["lr"] = rate * min(1.0, (self.done + 1) / warm)
        # On a CPU, attention as plain matrix products has a much faster backward pass than the fused kernel.
        with torch.autocast("cpu", dtype=torch.bfloat16), sdpa_kernel(SDPBackend.MATH):
            loss = loss_of_batch()
        self.optimizer.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.trained, 1.0)
        self.optimizer.step()
        self.losses.append(loss.item())
        self.done += 1


def run(
    model: nn.Module,
    steps: Iterator[Callable[[], Tensor]],
    phase: Phase,
    checkpoint: Path,
    report: Callable[[str], None],
    each: tuple[int, Callable[[int], None]] | None = None,
    resume: bool = False,
) -> None:
    """Train through one phase. Each item of `steps` computes the loss of one batch. With `resume`, training
    continues from the checkpoint if there is one.
    """
    training = Training(model, phase, checkpoint)
    if resume and training.resume():
        report(f"going on from step {training.done}")
        for _ in range(training.done):
            next(steps)
    began, kept, first = training.clock(), training.clock(), training.done
    while training.done < phase.steps:
        training.step(next(steps))
        done, now = training.done, training.clock()
        if done % 50 == 0 or done == phase.steps:
            mean = sum(training.losses[-100:]) / len(training.losses[-100:])
            report(f"step {done}/{phase.steps} loss {mean:.3f} {(now - began) / (done - first):.3f} s/step")
        if now - kept > training.every or done == phase.steps:
            training.keep()
            kept = now
        if each and (done % each[0] == 0 or done == phase.steps):
            each[1](done)
