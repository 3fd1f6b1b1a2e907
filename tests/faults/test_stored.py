"""Databases and their copies: what power loss, kills, full and read-only disks, and other programs' files do."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from arena.cli.common import at
from arena.core.errors import StoreError
from db import Repository, connect
from db.health import copy, examine
from db.session import reading
from tests.support.tournaments import exported, play, store, text


def test_a_copy_has_its_name_only_when_it_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = store(tmp_path)
    play(repository, text())
    killed: list[list[str]] = []

    def cut(path: Path) -> None:
        killed.append([file.name for file in tmp_path.iterdir() if file.name == "copy.db"])
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("db.health._settle", cut)
        with pytest.raises(KeyboardInterrupt):
            copy(repository, tmp_path / "copy.db")
    assert killed == [[]] and not list(tmp_path.glob("*copy*"))
    copy(repository, tmp_path / "copy.db")
    assert all(check.ok for check in examine(Repository(connect(f"sqlite:///{tmp_path / 'copy.db'}"))))


KILLED = """
import resource, signal, sys
from pathlib import Path
from db import Repository, connect
from db.health import copy
repository = Repository(connect(f"sqlite:///{sys.argv[1]}/arena.db", create=False))
signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
copy(repository, Path(sys.argv[1], "copy.db"))
"""


def test_a_copy_that_is_killed_leaves_nothing_of_its_name(tmp_path: Path) -> None:
    """The kernel kills it where its file grows beyond 8 kB."""
    play(store(tmp_path), text())
    done = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == -signal.SIGXFSZ, done.stderr
    assert not (tmp_path / "copy.db").exists()


SMALL_DISK = """
import ctypes, os, sys
from pathlib import Path
from arena.core.errors import StoreError
from bots.confine import _keep_identity
from db import Repository, connect
from db.health import copy
libc = ctypes.CDLL(None, use_errno=True)
folder = Path(sys.argv[1], "small")
folder.mkdir()
user, people = os.getuid(), os.getgid()
if libc.unshare(0x10000000 | 0x00020000):
    sys.exit(77)
_keep_identity(user, people)
if libc.mount(b"none", str(folder).encode(), b"tmpfs", 0, b"size=64k"):
    sys.exit(77)
repository = Repository(connect(f"sqlite:///{sys.argv[1]}/arena.db", create=False))
try:
    copy(repository, folder / "copy.db")
except StoreError as error:
    print(error)
print([file.name for file in folder.iterdir()])
"""


def test_a_copy_that_does_not_fit_is_the_targets_fault(tmp_path: Path) -> None:
    """A disk of 64 kB, seen by that program only."""
    play(store(tmp_path), text())
    done = subprocess.run([sys.executable, "-c", SMALL_DISK, str(tmp_path)], capture_output=True, text=True)
    if done.returncode == 77:
        pytest.skip("this kernel lets no program mount a disk for itself")
    assert done.returncode == 0, done.stderr
    sentence, left = done.stdout.splitlines()
    assert sentence.startswith(f"There is no room for {tmp_path}/small/copy.db") and left == "[]"


def test_a_copy_is_as_private_as_its_original(tmp_path: Path) -> None:
    repository = store(tmp_path)
    (tmp_path / "arena.db").chmod(0o600)
    copy(repository, tmp_path / "copy.db")
    assert (tmp_path / "copy.db").stat().st_mode & 0o777 == 0o600


def test_every_commit_is_on_the_disk(tmp_path: Path) -> None:
    repository = store(tmp_path)
    with reading(repository.engine) as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL


THEIRS = {
    "other tables": (["CREATE TABLE invoices (id INTEGER)"], "another program.*invoices"),
    "a table of our name": (["CREATE TABLE tournaments (place TEXT)"], "another program"),
    "its own migrations": (
        [
            "CREATE TABLE tournaments (place TEXT)",
            "CREATE TABLE alembic_version (version_num TEXT)",
            "INSERT INTO alembic_version VALUES ('1975ea83b712')",
        ],
        "another program.*1975ea83b712",
    ),
}


@pytest.mark.parametrize("kind", THEIRS)
def test_a_database_of_another_program_stays_as_it_is(tmp_path: Path, kind: str) -> None:
    statements, words = THEIRS[kind]
    file = tmp_path / "theirs.db"
    with sqlite3.connect(file) as connection:
        for statement in statements:
            connection.execute(statement)
    before = file.read_bytes()
    for create in (True, False):
        with pytest.raises(StoreError, match=words):
            connect(f"sqlite:///{file}", create=create)
    assert file.read_bytes() == before
    assert [beside.name for beside in tmp_path.iterdir()] == ["theirs.db"]


def test_a_database_on_a_read_only_disk_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = store(tmp_path)
    tournament, _ = play(repository, text())
    whole = exported(repository, tournament.info.id)
    with sqlite3.connect(tmp_path / "arena.db") as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    repository.close()
    for beside in tmp_path.glob("arena.db-*"):
        beside.unlink()
    script = (
        "import sys, ctypes, os\n"
        "libc = ctypes.CDLL(None, use_errno=True)\n"
        "if libc.unshare(0x10000000 | 0x00020000): sys.exit(77)\n"
        "folder = sys.argv[1].encode()\n"
        "if libc.mount(folder, folder, None, 4096, None) or libc.mount(None, folder, None, 4096 | 32 | 1, None):\n"
        "    sys.exit(77)\n"
        "from tests.support.tournaments import exported\n"
        "from db import Repository, connect\n"
        "store = Repository(connect('sqlite:///' + sys.argv[1] + '/arena.db', create=False, read_only=True))\n"
        "sys.stdout.write(exported(store, sys.argv[2]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path), tournament.info.id], capture_output=True, text=True
    )
    if done.returncode == 77:
        pytest.skip("this kernel lets no program mount a folder for itself")
    assert done.returncode == 0, done.stderr
    assert done.stdout == whole


def test_a_log_that_nobody_can_apply_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = store(tmp_path)
    play(repository, text())
    assert (tmp_path / "arena.db-wal").stat().st_size > 0
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(StoreError, match=r"arena\.db-wal.*open the copy"):
        connect(f"sqlite:///{tmp_path / 'arena.db'}", create=False, read_only=True)


def test_the_databases_password_is_not_shown_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ARENA_DB", raising=False)
    shown = at("postgresql+psycopg://ann:canary@host/db")
    assert "canary" not in shown and "ann:***@host/db" in shown
