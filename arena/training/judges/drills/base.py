"""The common parts of the drills."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from arena.training.judges.kinds import FACTS

T = TypeVar("T")
Case = tuple[str, str, str, int] | tuple[str, str, str, int, bool | None]
"""Statement, question, answer and label. If the drill knows whether the question has one right answer, that follows."""
Drill = Callable[[random.Random, bool], Iterator[Case]]
"""Yields cases without end. With `held`, it yields the cases that are never trained on."""


def lines(name: str) -> list[str]:
    return (FACTS / f"{name}.txt").read_text(encoding="utf-8").strip().splitlines()


def kept(items: Sequence[T], held: bool) -> list[T]:
    """Return the items for training; with `held`, every fifth item, which is never trained on."""
    return [one for index, one in enumerate(items) if (index % 5 == 4) == held]
