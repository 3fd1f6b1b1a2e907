"""The progress that a run reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class State:
    """A snapshot of a run. Counts are those of this run, except that `over` and `planned` count the whole
    tournament.
    """

    stage: str
    planned: int
    over: int
    failed: int
    replies: int
    verdicts: int
    seconds: float

    @property
    def rate(self) -> float:
        return self.replies / self.seconds if self.seconds > 0 else 0.0


class Watcher(Protocol):
    def update(self, state: State) -> None: ...

    def note(self, sentence: str) -> None: ...


class Silent:
    """Reports nothing."""

    def update(self, state: State) -> None:
        """Does nothing."""

    def note(self, sentence: str) -> None:
        """Does nothing."""
