"""From a resolved tournament to a finished run: storing, playing, stopping on signals."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager

from arena.config.tournament import Tournament
from arena.engines.choice import make as make_engine
from arena.play.orchestrator import Options, Orchestrator, Tally
from arena.play.progress import Watcher
from arena.play.progress_bar import watcher as make_watcher
from arena.play.schedule import plans
from db.repository import Repository


def run(
    repository: Repository,
    tournament: Tournament,
    options: Options,
    *,
    engine: str = "local",
    address: str | None = None,
    stable: float | None = None,
    watcher: Watcher | None = None,
) -> Tally:
    """Plays and judges until the tournament is over, its limit reached or the process told to stop."""
    with make_watcher() if watcher is None else _given(watcher) as shown:
        orchestrator = _orchestrator(repository, tournament, options, shown, engine, address)
        repository.add_tournament(tournament.info, time.time())
        repository.schedule(tournament.info.id, plans(tournament))
        tally = asyncio.run(_run(orchestrator, stable))
    if tally.verdicts:
        _summarise(repository, tournament.info.id)
    return tally


def _summarise(repository: Repository, tournament: str) -> None:
    """So that whoever looks at a large tournament first need not wait for it."""
    from db import summaries

    for judge, *_ in repository.judges(tournament):
        summaries.refresh(repository.engine, judge)


@contextmanager
def _given(watcher: Watcher) -> Iterator[Watcher]:
    yield watcher


def _orchestrator(
    repository: Repository,
    tournament: Tournament,
    options: Options,
    watcher: Watcher,
    engine: str,
    address: str | None,
) -> Orchestrator:
    place = make_engine(engine, address, watcher.note)
    if engine == "ray":
        from arena.play.distribute import Spread

        return Spread(repository, tournament, place, options, watcher)
    return Orchestrator(repository, tournament, place, options, watcher)


async def _run(orchestrator: Orchestrator, stable: float | None) -> Tally:
    tournament = orchestrator.tournament
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, orchestrator.stop, "signal")
        except (
            NotImplementedError,
            RuntimeError,
            ValueError,
        ):  # not the main thread, or no such signals here
            break
    if stable is None:
        return await orchestrator.run(lambda: list(plans(tournament)))
    from arena.play.rounds import until_stable

    return await until_stable(orchestrator, stable)
