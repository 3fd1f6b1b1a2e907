"""The common parts of the drills."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from arena.training.judges.kinds import FACTS

T = TypeVar("T")
Case = tuple[str, str, str, int] | tuple[str, str, str, int, bool | None]
"""Statement, question, answer and label; if the drill knows, also whether the question has one right answer."""
Drill = Callable[[random.Random, bool], Iterator[Case]]
"""An endless row of cases; `held` chooses what is never trained on."""


def lines(name: str) -> list[str]:
    return (FACTS / f"{name}.txt").read_text(encoding="utf-8").strip().splitlines()


def kept(items: Sequence[T], held: bool) -> list[T]:
    """The items that are trained on, or with `held` every fifth, which is not."""
    return [one for index, one in enumerate(items) if (index % 5 == 4) == held]
