"""Killed at any instant, a tournament resumes and ends as if nothing had happened."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from tests.support.killing import command, kill_and_resume
from tests.support.tournaments import exported, play, store, text


def test_six_kills_leave_the_same_export(tmp_path: Path) -> None:
    outcome = kill_and_resume(tmp_path, kills=6, dialogues=60)
    assert outcome.kills >= 3, "the tournament ended before it could be killed; make it longer"
    assert outcome.equal and outcome.healthy


def test_kills_while_messages_are_checked_lose_and_double_no_verdict(tmp_path: Path) -> None:
    checked = text(turns=5, dialogues=30, more="checks: [inquiry, history]")
    source = checked.replace("judges: [truth]", "judges: [truth, lexical]")
    outcome = kill_and_resume(tmp_path, kills=3, dialogues=30, source=source)
    assert outcome.kills >= 2, "the tournament ended before it could be killed; make it longer"
    assert outcome.equal and outcome.healthy


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_cleanly_and_says_how_to_resume(number: signal.Signals, tmp_path: Path) -> None:
    file, db = tmp_path / "t.yaml", tmp_path / "a.db"
    slow = "  - {name: f, adapter: faulty, hangs: 1.0}"
    file.write_text(text(slow, dialogues=5, more="limits: {reply_seconds: 100}"))
    process = subprocess.Popen(command(file, db), stderr=subprocess.PIPE, text=True)
    until = time.monotonic() + 30
    while time.monotonic() < until and not _running(db):
        time.sleep(0.02)
    process.send_signal(number)
    output = process.communicate(timeout=30)[1]
    assert process.returncode == 130
    assert "Run the same command again to resume" in output
    assert not _running(db)


def _running(db: Path) -> int:
    try:
        with sqlite3.connect(f"file:{db}?mode=ro", uri=True) as file:
            return int(file.execute("select count(*) from dialogues where status = 'running'").fetchone()[0])
    except sqlite3.Error:
        return 0


def test_two_runs_of_one_tournament_share_the_work(tmp_path: Path) -> None:
    source = text(turns=15, dialogues=40)
    file, db = tmp_path / "t.yaml", tmp_path / "a.db"
    file.write_text(source)
    runs = [
        subprocess.Popen(command(file, db, "--json"), stdout=subprocess.PIPE, text=True) for _ in range(2)
    ]
    output = [run.communicate(timeout=120)[0] for run in runs]
    assert all(run.returncode == 0 for run in runs), output
    calm = store(tmp_path, "calm.db")
    tournament, _ = play(calm, source)
    assert exported(store(tmp_path, "a.db"), tournament.info.id) == exported(calm, tournament.info.id)
