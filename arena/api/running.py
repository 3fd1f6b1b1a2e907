"""arena.run and arena.run_async: play and judge a tournament."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.api.result import Result
from arena.api.store import opened
from arena.api.sync import finish
from arena.config.resolve import from_mapping, load, parse
from arena.config.tournament import Tournament
from arena.play.options import Options
from arena.play.progress import Silent, Watcher
from arena.play.progress_bar import watcher
from arena.play.runner import Stopper, play
from bots.function import FunctionBot
from db.repository import Repository

Configuration = str | Path | Mapping[str, Any]


def run(
    config: Configuration,
    *,
    db: str | Repository | None = None,
    release: str | None = None,
    engine: str = "local",
    address: str | None = None,
    until_stable: float | None = None,
    limit: int | None = None,
    deterministic: bool = False,
    concurrency: int = 128,
    retry_failed: bool = False,
    progress: bool | Watcher = True,
) -> Result:
    """Play and judge a tournament, and return its results; calling it again resumes.

    `config` is a path, the text of a tournament file, or a mapping with the keys of a tournament file. In a mapping,
    bots may be functions (`arena.bot`). The other arguments are the options of `arena run`.

    `run` also works while an event loop is running, as in Jupyter. Ctrl-C stores the finished dialogues and raises
    KeyboardInterrupt.
    """
    stopper = Stopper()
    options = Options(concurrency, deterministic, limit, True, retry_failed)
    return finish(
        lambda: _run(config, db, release, engine, address, until_stable, options, progress, stopper),
        stopper.stop,
    )


async def run_async(
    config: Configuration,
    *,
    db: str | Repository | None = None,
    release: str | None = None,
    engine: str = "local",
    address: str | None = None,
    until_stable: float | None = None,
    limit: int | None = None,
    deterministic: bool = False,
    concurrency: int = 128,
    retry_failed: bool = False,
    progress: bool | Watcher = True,
) -> Result:
    """`arena.run` as a coroutine; other tasks of the event loop continue to run."""
    options = Options(concurrency, deterministic, limit, True, retry_failed)
    return await _run(config, db, release, engine, address, until_stable, options, progress, None)


async def _run(
    config: Configuration,
    db: str | Repository | None,
    release: str | None,
    engine: str,
    address: str | None,
    until_stable: float | None,
    options: Options,
    progress: bool | Watcher,
    stopper: Stopper | None,
) -> Result:
    tournament = await asyncio.to_thread(read, config, release)
    store = await asyncio.to_thread(opened, db, create=True)
    with _shown(progress) as shown:
        tally = await play(
            store,
            tournament,
            options,
            shown,
            engine=engine,
            address=address,
            stable=until_stable,
            stopper=stopper,
        )
    return Result(store, store.find(tournament.info.id), tally)


def read(config: Configuration, release: str | None = None) -> Tournament:
    """Read a configuration from a path, a YAML text or a mapping, and resolve it."""
    if isinstance(config, Mapping):
        entries = config.get("bots")
        if isinstance(entries, list | tuple):
            bots = [entry.entry() if isinstance(entry, FunctionBot) else entry for entry in entries]
            config = {**config, "bots": bots}
        return from_mapping(config, release=release)
    if isinstance(config, str) and "\n" in config:
        return parse(config, name="the configuration", release=release)
    return load(config, release=release)


@contextmanager
def _shown(progress: bool | Watcher) -> Iterator[Watcher]:
    if progress is True:
        with watcher() as bar:
            yield bar
    else:
        yield Silent() if progress is False else progress
