"""What a run tells while it goes on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class State:
    """A moment of a run; the counts are this run's own, but `over` and `planned` are the tournament's."""

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
    """For whoever does not want to know."""

    def update(self, state: State) -> None:
        """Nothing is shown."""

    def note(self, sentence: str) -> None:
        """Nothing is shown."""
