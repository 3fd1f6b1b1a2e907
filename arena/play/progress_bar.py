"""Shows the progress of a run: a bar on a terminal or in a notebook, or occasional lines in a pipe."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from arena.core.safe_text import html, terminal
from arena.play.progress import State, Watcher

LINES_EVERY = 10.0
BAR_EVERY = 0.2


@contextmanager
def watcher() -> Iterator[Watcher]:
    """The progress display for a notebook, a terminal or a file."""
    bar: NotebookBar | Bar
    if in_notebook():
        bar = NotebookBar()
    elif sys.stderr.isatty():
        bar = Bar()
    else:
        yield Lines()
        return
    try:
        yield bar
    finally:
        bar.close()


def in_notebook() -> bool:
    """Whether this process runs in a Jupyter kernel."""
    kernel = sys.modules.get("ipykernel.zmqshell")
    ipython = sys.modules.get("IPython")
    return kernel is not None and ipython is not None and ipython.get_ipython() is not None


def _sentence(state: State) -> str:
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
    """The estimated seconds left at the current rate; None if there is no rate yet."""
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
    """Prints a line from time to time."""

    def __init__(self) -> None:
        self._last = 0.0
        self._stage = ""

    def update(self, state: State) -> None:
        now = time.monotonic()
        if state.stage != self._stage or now - self._last >= LINES_EVERY:
            self._stage, self._last = state.stage, now
            print(_sentence(state), file=sys.stderr, flush=True)

    def note(self, sentence: str) -> None:
        print(terminal(sentence), file=sys.stderr, flush=True)


class Bar:
    """A live progress line by rich."""

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
                self._task, total=state.planned, completed=state.over, description=_sentence(state)
            )

    def note(self, sentence: str) -> None:
        self._progress.console.print(terminal(sentence), markup=False, highlight=False)

    def close(self) -> None:
        self._progress.stop()


class NotebookBar:
    """An HTML progress bar in the cell's output, updated in place."""

    def __init__(self) -> None:
        from IPython import display

        display_module: Any = display
        self._html = display_module.HTML
        self._notes: list[str] = []
        self._sentence = "loading"
        self._share = 0.0
        self._last = 0.0
        self._handle = display_module.display(self._html(self._drawn()), display_id=True)

    def update(self, state: State) -> None:
        self._sentence = _sentence(state)
        self._share = state.over / state.planned if state.planned else 0.0
        now = time.monotonic()
        if now - self._last >= BAR_EVERY or state.over == state.planned:
            self._last = now
            self._show()

    def note(self, sentence: str) -> None:
        self._notes.append(sentence)
        self._show()

    def close(self) -> None:
        self._show()

    def _show(self) -> None:
        self._handle.update(self._html(self._drawn()))

    def _drawn(self) -> str:
        notes = "".join(f"<div>{html(note)}</div>" for note in self._notes)
        return (
            f"<div>{notes}<progress value='{self._share:.4f}' max='1' style='width:20em'></progress> "
            f"{html(self._sentence)}</div>"
        )
