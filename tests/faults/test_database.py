"""The database fails in every way it can: each ends in a clear sentence or is survived, and nothing is lost."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import event

from arena.core.errors import StoreError
from db import Repository, connect
from db.health import examine
from tests.support.tournaments import exported, play, store, text


def test_a_full_disk_stops_with_a_sentence_and_resumes_to_the_same_end(tmp_path: Path) -> None:
    source = text(turns=8, dialogues=20)
    calm = store(tmp_path, "calm.db")
    tournament, _ = play(calm, source)
    engine = connect(f"sqlite:///{tmp_path / 'full.db'}")

    @event.listens_for(engine, "connect")
    def small(connection: sqlite3.Connection, _: object) -> None:
        connection.execute("PRAGMA max_page_count = 90")

    engine.dispose()
    with pytest.raises(StoreError, match="the disk is full; free some space"):
        play(Repository(engine), source)
    engine.dispose()
    roomy = store(tmp_path, "full.db")
    assert all(check.ok for check in examine(roomy))
    play(roomy, source)
    assert exported(roomy, tournament.info.id) == exported(calm, tournament.info.id)


def test_a_read_only_database_is_named(tmp_path: Path) -> None:
    store(tmp_path).close()
    repository = Repository(connect(f"sqlite:///{tmp_path / 'arena.db'}", read_only=True))
    with pytest.raises(StoreError, match="is read-only; make file and folder writable"):
        play(repository, text())


def test_a_database_locked_by_another_process_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("db.session.BUSY_SECONDS", 0.05)
    repository = store(tmp_path)
    source = text(turns=6, dialogues=20)
    from arena.config.resolve import parse
    from arena.play.schedule import plans

    tournament = parse(source)
    repository.add_tournament(tournament.info, 0.0)
    repository.schedule(tournament.info.id, plans(tournament))
    locked = threading.Event()

    def hold() -> None:
        other = sqlite3.connect(tmp_path / "arena.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        locked.set()
        time.sleep(1.5)
        other.execute("COMMIT")

    thread = threading.Thread(target=hold)
    thread.start()
    locked.wait()
    import asyncio

    from arena.engines.local import Local
    from arena.play.orchestrator import Orchestrator

    orchestrator = Orchestrator(repository, tournament, Local())
    tally = asyncio.run(orchestrator.run(lambda: list(plans(tournament))))
    thread.join()
    assert tally.played == 80 and repository.progress(tournament.info.id).done == 80


def test_a_lock_that_stays_is_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("db.session.BUSY_SECONDS", 0.05)
    repository = store(tmp_path)
    other = sqlite3.connect(tmp_path / "arena.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreError, match="was locked by another process"):
        play(repository, text())
    other.close()


def test_a_clock_that_goes_backwards_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = store(tmp_path)
    now = iter(range(10**9, 0, -3600))
    monkeypatch.setattr("arena.play.orchestrator.time.time", lambda: float(next(now)))
    tournament, tally = play(repository, text(dialogues=10), concurrency=3)
    assert tally.played == 40 and repository.progress(tournament.info.id).done == 40


KILLER = """
import os, signal, sys
import db.session
from contextlib import contextmanager

after, place = int(sys.argv[1]), sys.argv[2]
commits = 0
real = db.session.writing

@contextmanager
def writing(engine):
    global commits
    with real(engine) as connection:
        yield connection
        commits += 1
        if commits == after and place == "before":
            os.kill(os.getpid(), signal.SIGKILL)
    if commits == after and place == "after":
        os.kill(os.getpid(), signal.SIGKILL)

import db.repository
for module in list(sys.modules.values()):
    if getattr(module, "writing", None) is real:
        module.writing = writing
from arena.cli import main
main(sys.argv[3:])
"""


@pytest.mark.slow
@pytest.mark.parametrize("place", ["before", "after"])
def test_sigkill_at_every_commit_point(place: str, tmp_path: Path) -> None:
    source = text(turns=3, dialogues=1)
    calm = store(tmp_path, "calm.db")
    tournament, _ = play(calm, source)
    file = tmp_path / "t.yaml"
    file.write_text(source)
    for after in range(1, 40):
        db = tmp_path / f"k{after}.db"
        connect(f"sqlite:///{db}").dispose()
        call = [sys.executable, "-c", KILLER, str(after), place, "run", str(file), "--db", f"sqlite:///{db}"]
        code = subprocess.run(call, capture_output=True, env=os.environ).returncode
        repository = store(tmp_path, db.name)
        assert all(check.ok for check in examine(repository))
        if code == 0:
            break
        assert code == -signal.SIGKILL
        play(repository, source)
        assert exported(repository, tournament.info.id) == exported(calm, tournament.info.id)
        repository.close()
    assert code == 0 and after > 10, "schedule, claims, dialogues, verdicts: each is a point of its own"


def test_a_corrupt_memory_of_a_judge_is_judged_again(tmp_path: Path) -> None:
    repository = store(tmp_path)
    tournament, _ = play(repository, text())
    before = exported(repository, tournament.info.id)
    file = sqlite3.connect(tmp_path / "arena.db")
    file.execute("update judgement_cache set value = '{\"half\": 1}'")
    file.execute("delete from verdicts")
    file.commit()
    play(repository, text())
    assert exported(repository, tournament.info.id) == before
