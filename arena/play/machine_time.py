"""Divides the machine's time among the dialogues in progress."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Meter:
    """A clock that divides time equally among the dialogues in progress.

    The seconds of all dialogues therefore add up to the seconds of the run.
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._last = clock()
        self._under_way = 0
        self._share = 0.0

    @contextmanager
    def dialogue(self) -> Iterator[None]:
        self._change(1)
        try:
            yield
        finally:
            self._change(-1)

    def now(self) -> float:
        """The machine time in seconds of a dialogue that has been in progress since the meter was created."""
        now = self._clock()
        if self._under_way:
            self._share += (now - self._last) / self._under_way
        self._last = now
        return self._share

    def _change(self, by: int) -> None:
        self.now()
        self._under_way += by
