"""From a tournament to a finished run: what is stored before, who is told, and what a signal does."""

from __future__ import annotations

import asyncio
import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from arena.config.resolve import parse
from arena.play import runner
from arena.play.options import Options
from arena.play.progress import Silent, State, Watcher
from tests.support.tournaments import play, store, text


class Watching(Silent):
    def __init__(self) -> None:
        self.states: list[State] = []

    def update(self, state: State) -> None:
        self.states.append(state)


def test_the_watcher_given_is_told_and_without_one_a_progress_bar_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository, tournament = store(tmp_path), parse(text(dialogues=1))
    given, built = Watching(), Watching()

    @contextmanager
    def shown() -> Iterator[Watcher]:
        yield built

    monkeypatch.setattr(runner, "make_watcher", shown)
    runner.run(repository, tournament, Options(limit=2), watcher=given)
    assert given.states and not built.states
    number = len(given.states)
    runner.run(repository, tournament, Options())
    assert built.states and len(given.states) == number
    assert built.states[-1].over == built.states[-1].planned == 4


def test_the_stored_summaries_are_fresh_after_judging(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from db import summaries

    refreshed: list[int] = []
    real = summaries.refresh
    monkeypatch.setattr(
        summaries, "refresh", lambda engine, judge: (refreshed.append(judge), real(engine, judge))[1]
    )
    repository = store(tmp_path)
    tournament, _ = play(repository, text())
    assert refreshed == [judge for judge, *_ in repository.judges(tournament.info.id)] != []
    play(repository, text())
    assert len(refreshed) == 1, "nothing was judged, so nothing is summed up"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stores_what_is_finished_and_judges_no_more(number: signal.Signals, tmp_path: Path) -> None:
    repository, sent = store(tmp_path), threading.Event()
    stages: set[str] = set()

    class Signalling(Silent):
        def update(self, state: State) -> None:
            if state.over >= 5 and not sent.is_set():
                sent.set()
                os.kill(os.getpid(), number)

    source = text(turns=3, dialogues=50)
    tally = runner.run(repository, parse(source), Options(concurrency=1), watcher=Signalling())
    progress = repository.progress(parse(source).info.id)
    assert tally.stopped == "signal" and "judging" not in stages
    assert 5 <= progress.done == tally.played < 200 and progress.running == 0
    _, rest = play(repository, source)
    assert rest.played == 200 - tally.played and rest.stopped is None


def test_outside_the_main_thread_nothing_listens_to_signals_and_all_is_played(tmp_path: Path) -> None:
    repository, done = store(tmp_path), []
    thread = threading.Thread(target=lambda: done.append(play(repository, text())[1]))
    thread.start()
    thread.join()
    assert done[0].played == 12 and done[0].stopped is None


def test_ray_is_another_orchestrator(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.engines.local import Local
    from arena.play.distribute import Spread
    from arena.play.orchestrator import Orchestrator

    asked: list[tuple[str, str | None]] = []

    def make(engine: str, address: str | None, note: object) -> Local:
        asked.append((engine, address))
        return Local()

    monkeypatch.setattr(runner, "make_engine", make)
    tournament = parse(text())
    kinds = [
        type(runner._orchestrator(store(tmp_path), tournament, Options(), Silent(), engine, address))
        for engine, address in (("local", None), ("ray", "here:1"))
    ]
    assert kinds == [Orchestrator, Spread] and asked == [("local", None), ("ray", "here:1")]


def test_until_stable_is_another_way_to_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from arena.play import rounds

    asked: list[float] = []

    async def until_stable(orchestrator: object, probability: float) -> object:
        asked.append(probability)
        await asyncio.sleep(0)
        return orchestrator.tally  # type: ignore[attr-defined]

    monkeypatch.setattr(rounds, "until_stable", until_stable)
    repository, tournament = store(tmp_path), parse(text())
    assert runner.run(repository, tournament, Options(), watcher=Silent(), stable=0.9).played == 0
    assert runner.run(repository, tournament, Options(), watcher=Silent()).played == 12
    assert asked == [0.9]
