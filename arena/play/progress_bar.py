"""A bar on a terminal, plain lines in a pipe; neither more often than somebody reads."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

from arena.core.safe_text import terminal
from arena.play.progress import State, Watcher

LINES_EVERY = 10.0
BAR_EVERY = 0.2


@contextmanager
def watcher() -> Iterator[Watcher]:
    """What fits where stderr goes."""
    if not sys.stderr.isatty():
        yield Lines()
        return
    bar = Bar()
    try:
        yield bar
    finally:
        bar.close()


def _told(state: State) -> str:
    parts = [f"{state.stage}: {state.over}/{state.planned} dialogues", f"{state.replies} replies"]
    if state.rate:
        parts.append(f"{state.rate:.1f}/s")
    if state.verdicts:
        parts.append(f"{state.verdicts} verdicts")
    if state.failed:
        parts.append(f"{state.failed} failed")
    left = eta(state)
    if left is not None:
        parts.append(f"about {_span(left)} left")
    return ", ".join(parts)


def eta(state: State) -> float | None:
    """Seconds until the last dialogue, by the rate so far; none while nothing is known."""
    if state.stage != "playing" or state.over <= 0 or state.over >= state.planned:
        return None
    return state.seconds * (state.planned - state.over) / state.over


def _span(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


class Lines:
    """One line now and then."""

    def __init__(self) -> None:
        self._last = 0.0
        self._stage = ""

    def update(self, state: State) -> None:
        now = time.monotonic()
        if state.stage != self._stage or now - self._last >= LINES_EVERY:
            self._stage, self._last = state.stage, now
            print(_told(state), file=sys.stderr, flush=True)

    def note(self, sentence: str) -> None:
        print(terminal(sentence), file=sys.stderr, flush=True)


class Bar:
    """A live line by rich."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        self._progress = Progress(
            BarColumn(bar_width=24),
            TextColumn("{task.description}"),
            console=Console(stderr=True),
            transient=True,
        )
        self._task = self._progress.add_task("loading", total=None)
        self._progress.start()
        self._last = 0.0

    def update(self, state: State) -> None:
        now = time.monotonic()
        if now - self._last >= BAR_EVERY or state.over == state.planned:
            self._last = now
            self._progress.update(
                self._task, total=state.planned, completed=state.over, description=_told(state)
            )

    def note(self, sentence: str) -> None:
        self._progress.console.print(terminal(sentence), markup=False, highlight=False)

    def close(self) -> None:
        self._progress.stop()
