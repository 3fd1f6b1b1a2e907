"""Commands that are stopped, that have nowhere to write, or may not write: one sentence, and nothing half done."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.core.errors import StoreError
from arena.core.types import Label
from db import Repository, connect
from db.labels import Labels
from tests.support.tournaments import exported, play, store, text

FULL = Path("/dev/full")
full = pytest.mark.skipif(not FULL.exists(), reason="only Linux has a device that is always full")


def unmeasured() -> dict[str, str]:
    """The environment without coverage, which writes files of its own where a test leaves no room for any."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COV")}


def arena(*words: str, **options: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "arena", *words],
        stderr=subprocess.PIPE,
        text=True,
        env=unmeasured(),
        **options,
    )  # type: ignore[call-overload,no-any-return]


def until(seen: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    end = time.monotonic() + 60
    while not seen() and process.poll() is None and time.monotonic() < end:
        time.sleep(0.02)
    assert seen(), process.stderr and process.stderr.read()


@pytest.fixture
def played(tmp_path: Path) -> tuple[str, str]:
    """A database and the id of the tournament in it."""
    repository = store(tmp_path)
    tournament, _ = play(repository, text())
    repository.close()
    return f"sqlite:///{tmp_path / 'arena.db'}", tournament.info.id


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database whose exports are larger than what SQLite maps beside its file."""
    folder = tmp_path_factory.mktemp("large")
    repository = store(folder)
    play(repository, text(release="r2", turns=8, dialogues=60))
    repository.close()
    return f"sqlite:///{folder / 'arena.db'}"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_judging_that_is_stopped_goes_on_where_it_was(
    number: signal.Signals, played: tuple[str, str], tmp_path: Path
) -> None:
    url, tournament = played
    started = tmp_path / "started"
    slow = f"""
import asyncio, pathlib
from arena.cli import main
from judges.lexical import Lexical
async def never(self, cases):
    pathlib.Path({str(started)!r}).touch()
    await asyncio.Event().wait()
Lexical.judge = never
main(["judge", {tournament!r}, "--judge", "lexical", "--db", {url!r}])
"""
    process = subprocess.Popen([sys.executable, "-c", slow], stderr=subprocess.PIPE, text=True)
    until(started.exists, process)
    process.send_signal(number)
    output = process.communicate(timeout=60)[1]
    assert process.returncode == 130
    assert output.strip().endswith("Run the same command again to go on.") and "Traceback" not in output
    calm = arena("judge", tournament, "--judge", "lexical", "--db", url)
    assert calm.wait(timeout=120) == 0


@full
@pytest.mark.parametrize(
    "words",
    [
        ["leaderboard", "r1", "--json"],
        ["export", "r1", "--out", "-"],
        ["labels", "export", "r1", "--format", "csv"],
        ["bots", "list", "--json"],
    ],
    ids=lambda words: words[0],
)
def test_a_full_disk_behind_a_redirection_is_said(words: list[str], played: tuple[str, str]) -> None:
    url, _ = played
    database = [] if words[0] == "bots" else ["--db", url]
    with FULL.open("w") as out:
        process = arena(*words, *database, stdout=out)
        output = process.communicate(timeout=120)[1]
    assert process.returncode == 2
    assert output == "Error: The disk is full; free some space and run the command again.\n"


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet", "html"])
def test_an_export_without_room_leaves_no_half_a_file(form: str, large: str, tmp_path: Path) -> None:
    """A file that may not grow stands for a disk that has no more room for it."""
    folder = tmp_path / "out"
    folder.mkdir()
    target = folder / f"e.{form}"
    target.write_text("what was here before")

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))  # SQLite maps 32 kB beside its file

    process = arena("export", "r2", "--format", form, "--out", str(target), "--db", large, preexec_fn=small)
    output = process.communicate(timeout=120)[1]
    assert process.returncode == 2
    assert "cannot be written" in output and "name another --out" in output and "Traceback" not in output
    assert [file.name for file in folder.iterdir()] == [target.name]
    assert target.read_text() == "what was here before"


def test_a_reader_that_leaves_is_no_error_to_shout_about(played: tuple[str, str]) -> None:
    url, _ = played
    process = subprocess.Popen(
        [sys.executable, "-m", "arena", "export", "r1", "--out", "-", "--db", url],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    output = process.stderr.read()
    assert process.wait(timeout=120) == 1 and output == b""


WRITES: dict[str, Callable[[Repository, str], object]] = {
    "run": lambda repository, _: play(repository, text(dialogues=4)),
    "label": lambda repository, _: Labels(repository).put(
        [Label("x", "inquiry", "aih", "ann", {"contradicts": True})], 0.0
    ),
    "retry": lambda repository, tournament: repository.retry_failed(tournament),
    "judge": lambda repository, _: repository.judge_id("new", "1", 0.5),
}


@pytest.mark.parametrize("name", WRITES)
def test_whoever_writes_into_a_read_only_database_is_told(name: str, played: tuple[str, str]) -> None:
    url, tournament = played
    repository = Repository(connect(url, read_only=True))
    before = exported(repository, tournament)
    with pytest.raises(StoreError, match="is read-only; make file and folder writable"):
        WRITES[name](repository, tournament)
    assert exported(repository, tournament) == before
