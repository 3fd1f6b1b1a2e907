"""Ctrl-C while models load ends the run at once and says so; what was to be played stays for the next run."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from arena.config.resolve import parse
from arena.play import runner
from arena.play.options import Options
from arena.play.progress import Silent
from bots.base import Bot, RunOptions
from bots.scripted import adapter
from tests.support.tournaments import play, store, text


class Noting(Silent):
    def __init__(self) -> None:
        self.notes: list[str] = []

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_models_load(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for_ever = threading.Event()

    def create(self: Any, settings: Mapping[str, Any], run: RunOptions) -> Bot:
        os.kill(os.getpid(), number)
        for_ever.wait()
        raise AssertionError("nobody waits for this")

    monkeypatch.setattr(type(adapter), "create", create)
    repository, watcher = store(tmp_path), Noting()
    try:
        tally = runner.run(repository, parse(text()), Options(), watcher=watcher)
    finally:
        for_ever.set()
    assert tally.stopped == "signal" and tally.played == 0 and tally.verdicts == 0
    assert watcher.notes == [runner.STOPPING]
    monkeypatch.undo()
    _, rest = play(repository, text())
    assert rest.played == 12 and rest.stopped is None
