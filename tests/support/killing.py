"""Kills commands of the arena at random instants and starts them again, until one comes to its end."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from db import Repository, connect
from tests.support.tournaments import exported, play, store, text

Stamp = Callable[[], object]


@dataclass(frozen=True)
class Outcome:
    kills: int
    starts: int
    equal: bool
    healthy: bool


def command(file: Path, db: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "arena", "run", str(file), "--db", f"sqlite:///{db}", *more]


def until_done(
    words: Sequence[str],
    kills: int,
    draw: random.Random,
    stamp: Stamp,
    longest: float = 0.3,
    environment: Mapping[str, str] | None = None,
) -> tuple[int, int]:
    """Kills the command at instants after its first write, then lets it end: how often each."""
    killed = starts = 0
    while True:
        starts += 1
        process = subprocess.Popen(
            words,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **(environment or {})},
        )
        if killed < kills:
            until_it_writes(process, stamp)
            try:
                process.wait(draw.uniform(0.0, longest))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                killed += 1
        if process.wait() == 0:
            return killed, starts


def kill_and_resume(
    folder: Path, kills: int, dialogues: int, seed: int = 0, source: str | None = None
) -> Outcome:
    """Plays one tournament undisturbed and one killed `kills` times; both must end the same."""
    db = folder / "killed.db"
    return kill_and_compare(
        folder,
        f"sqlite:///{db}",
        lambda: written(db),
        kills,
        source or text(turns=15, dialogues=dialogues),
        seed,
    )


def kill_and_compare(folder: Path, url: str, stamp: Stamp, kills: int, source: str, seed: int = 0) -> Outcome:
    """The same on any database."""
    from db.health import examine

    calm = store(folder, "calm.db")
    tournament, _ = play(calm, source)
    file = folder / "t.yaml"
    file.write_text(source)
    words = [sys.executable, "-m", "arena", "run", str(file), "--db", url]
    killed, starts = until_done(words, kills, random.Random(seed), stamp)
    repository = Repository(connect(url))
    equal = exported(repository, tournament.info.id) == exported(calm, tournament.info.id)
    healthy = all(check.ok for check in examine(repository))
    repository.close()
    return Outcome(killed, starts, equal, healthy)


def until_it_writes(process: subprocess.Popen[bytes], stamp: Stamp) -> None:
    """Start-up takes longer than the work: wait for the first write."""
    before, until = stamp(), time.monotonic() + 60
    while process.poll() is None and stamp() == before and time.monotonic() < until:
        time.sleep(0.002)


def written(db: Path) -> tuple[float, int]:
    """When and how far SQLite has written last."""
    try:
        result = db.with_name(db.name + "-wal").stat()
    except OSError:
        return (0.0, 0)
    return (result.st_mtime, result.st_size)
