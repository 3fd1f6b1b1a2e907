"""Runs a resolved tournament: stores it, plays it, judges it, and stops when asked."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Callable

from arena.config.tournament import Tournament
from arena.engines.choice import make as make_engine
from arena.play import preflight
from arena.play.options import Options, Tally
from arena.play.orchestrator import Orchestrator
from arena.play.progress import Watcher
from arena.play.progress_bar import watcher as make_watcher
from arena.play.same_tag import notes
from arena.play.schedule import plans
from arena.play.stoppable_loop import run_loop
from db.repository import Repository

STOPPING = "Stopping: what is finished is stored. Ctrl-C again ends at once."


class Stopper:
    """Stops a run from outside, for example from a signal handler or from another thread."""

    def __init__(self) -> None:
        self._orchestrator: Orchestrator | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._lock = threading.Lock()
        self._asked = False

    def stop(self) -> None:
        """End the run after storing what is finished. A run that has not begun ends as soon as it begins."""
        with self._lock:
            self._asked = True
            if self._orchestrator is not None and self._loop is not None:
                self._loop.call_soon_threadsafe(self._orchestrator.stop, "signal")

    def is_asked(self) -> bool:
        return self._asked

    def attach(self, orchestrator: Orchestrator) -> None:
        """Connect the stopper to the running event loop."""
        with self._lock:
            self._orchestrator, self._loop = orchestrator, asyncio.get_running_loop()
            if self._asked:
                orchestrator.stop("signal")


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
    """Play and judge until the tournament is over, its limit is reached or the process is told to stop.

    This function is for commands: SIGINT and SIGTERM end the run, and progress goes to standard error.
    """
    stopper = Stopper()

    async def whole(shown: Watcher) -> Tally:  # inside the loop, because the loop handles signals
        _on_signals(stopper, shown.note)
        return await play(
            repository,
            tournament,
            options,
            shown,
            engine=engine,
            address=address,
            stable=stable,
            stopper=stopper,
        )

    if watcher is not None:
        return run_loop(whole(watcher), stopper.is_asked)
    with make_watcher() as shown:
        return run_loop(whole(shown), stopper.is_asked)


async def play(
    repository: Repository,
    tournament: Tournament,
    options: Options,
    watcher: Watcher,
    *,
    engine: str = "local",
    address: str | None = None,
    stable: float | None = None,
    stopper: Stopper | None = None,
) -> Tally:
    """Play and judge like `run`, but in a running event loop and without signal handlers."""
    orchestrator = _orchestrator(repository, tournament, options, watcher, engine, address)
    if stopper is not None:
        stopper.attach(orchestrator)
    info = tournament.info
    for note in notes(tournament, await asyncio.to_thread(repository.tournaments)):
        watcher.note(note)
    await asyncio.to_thread(repository.add_tournament, info, time.time())
    await asyncio.to_thread(repository.schedule, info.id, plans(tournament))
    unfinished = await asyncio.to_thread(repository.pending, info.id)
    if unfinished and engine == "local":  # nodes of a cluster may have parts that this machine lacks
        await asyncio.to_thread(preflight.check, tournament)
    if stable is None:
        tally = await orchestrator.run(lambda: list(plans(tournament)))
    else:
        from arena.play.rounds import until_stable

        tally = await until_stable(orchestrator, stable)
    if tally.verdicts:
        await asyncio.to_thread(_summarise, repository, info.id)
    return tally


def _summarise(repository: Repository, tournament: str) -> None:
    """Store the counts of a large tournament, so that its first reader does not have to wait for them."""
    from db import summaries

    for judge in repository.judges(tournament):
        summaries.refresh(repository, judge.row)


def _orchestrator(
    repository: Repository,
    tournament: Tournament,
    options: Options,
    watcher: Watcher,
    engine: str,
    address: str | None,
) -> Orchestrator:
    chosen = make_engine(engine, address, watcher.note)
    if engine == "ray":
        from arena.play.distribute import Spread

        return Spread(repository, tournament, chosen, options, watcher)
    return Orchestrator(repository, tournament, chosen, options, watcher)


def _on_signals(stopper: Stopper, note: Callable[[str], None]) -> None:
    """The first SIGINT or SIGTERM ends the run cleanly; the next one raises KeyboardInterrupt as usual."""
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)

    def heard() -> None:
        note(STOPPING)
        stopper.stop()
        for number in numbers:
            loop.remove_signal_handler(number)

    for number in numbers:
        try:
            loop.add_signal_handler(number, heard)
        except (NotImplementedError, RuntimeError, ValueError):
            break  # not in the main thread, or the system lacks these signals
