"""Kills a running tournament at random instants and resumes it."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tests.support.tournaments import exported, play, store, text


@dataclass(frozen=True)
class Outcome:
    kills: int
    starts: int
    equal: bool
    healthy: bool


def command(file: Path, db: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "arena", "run", str(file), "--db", f"sqlite:///{db}", *more]


def kill_and_resume(
    folder: Path, kills: int, dialogues: int, seed: int = 0, source: str | None = None
) -> Outcome:
    """Plays one tournament undisturbed and one killed `kills` times; both must end the same."""
    from db.health import examine

    source = source or text(turns=15, dialogues=dialogues)
    calm = store(folder, "calm.db")
    tournament, _ = play(calm, source)
    file, db = folder / "t.yaml", folder / "killed.db"
    file.write_text(source)
    draw = random.Random(seed)
    killed = starts = 0
    while True:
        starts += 1
        process = subprocess.Popen(
            command(file, db), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=os.environ
        )
        if killed < kills:
            _until_it_plays(process, db)
            try:
                process.wait(draw.uniform(0.0, 0.3))
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGKILL)
                killed += 1
        if process.wait() == 0:
            break
    repository = store(folder, "killed.db")
    equal = exported(repository, tournament.info.id) == exported(calm, tournament.info.id)
    return Outcome(killed, starts, equal, all(check.ok for check in examine(repository)))


def _until_it_plays(process: subprocess.Popen[bytes], db: Path) -> None:
    """Start-up takes longer than playing: wait for the first write."""
    wal = db.with_name(db.name + "-wal")
    before = _stamp(wal)
    until = time.monotonic() + 30
    while process.poll() is None and _stamp(wal) == before and time.monotonic() < until:
        time.sleep(0.002)


def _stamp(file: Path) -> tuple[float, int]:
    try:
        found = file.stat()
    except OSError:
        return (0.0, 0)
    return (found.st_mtime, found.st_size)
