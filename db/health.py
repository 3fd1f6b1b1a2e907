"""Checks whether a database is intact, and copies it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import func, select
from sqlalchemy.exc import OperationalError

from arena.core.errors import StoreError
from arena.core.hashing import message_hash
from arena.core.health import HealthCheck
from arena.core.types import Status
from db.migrate import head, version
from db.repository import Repository
from db.session import reading, sentence
from db.tables import DIALOGUES, INQUIRIES, MESSAGES

PAGE = 50_000


def examine(repository: Repository) -> list[HealthCheck]:
    """Runs all checks of the database, fast checks first."""
    engine = repository.engine
    checks = [
        HealthCheck(
            "schema", version(engine) == head(), f"version {version(engine)}", "run 'arena db upgrade'"
        )
    ]
    if engine.dialect.name == "sqlite":
        with reading(engine) as connection:
            answers = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check")]
            loose = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchall()
            mode = str(connection.exec_driver_sql("PRAGMA journal_mode").scalar())
        checks.append(HealthCheck("integrity", answers == ["ok"], "; ".join(answers[:3]), "restore a backup"))
        checks.append(HealthCheck("references", not loose, f"{len(loose)} dangling", "restore a backup"))
        checks.append(
            HealthCheck("write-ahead log", mode == "wal", f"journal mode {mode}", "put it on a local disk")
        )
    broken, number = _chains(repository)
    detail = f"{number} messages, {len(broken)} that do not fit"
    checks.append(
        HealthCheck("message chains", not broken, detail, "restore a backup; the texts were changed")
    )
    half = _half(repository)
    checks.append(HealthCheck("dialogues", half == 0, f"{half} stored in halves", "restore a backup"))
    return checks


def _chains(repository: Repository) -> tuple[list[tuple[int, int]], int]:
    broken = []
    number = 0
    before: tuple[int, str | None] = (-1, None)
    for dialogue, index, seat, text, hash, parent in _messages(repository):
        expected = before[1] if before[0] == dialogue else None
        if parent != expected or hash != message_hash(parent, seat, text):
            broken.append((dialogue, index))
        before = (dialogue, hash)
        number += 1
    return broken, number


def _messages(repository: Repository) -> Iterator[tuple[int, int, int, str, str, str | None]]:
    columns = MESSAGES.c
    statement = select(
        columns.dialogue, columns["index"], columns.seat, columns.text, columns.hash, columns.parent
    ).order_by(columns.dialogue, columns["index"])
    with reading(repository.engine) as connection:
        for row in connection.execution_options(yield_per=PAGE).execute(statement):
            yield (row[0], row[1], row[2], row[3], row[4], row[5])


def _half(repository: Repository) -> int:
    """Counts finished dialogues without messages and unfinished dialogues with messages.

    An open chat is unfinished and may have messages.
    """
    there = select(MESSAGES.c.dialogue).where(MESSAGES.c.dialogue == DIALOGUES.c.id).exists()
    asked = select(INQUIRIES.c.dialogue).where(INQUIRIES.c.dialogue == DIALOGUES.c.id).exists()
    talked = DIALOGUES.c.status.in_((Status.DONE.value, Status.OPEN.value))
    wrong = (talked & ~there) | (~talked & (there | asked))
    with reading(repository.engine) as connection:
        return int(connection.scalar(select(func.count()).select_from(DIALOGUES).where(wrong)) or 0)


def copy(repository: Repository, target: Path) -> None:
    """Makes a consistent copy of the database without blocking writers."""
    engine = repository.engine
    if engine.dialect.name != "sqlite":
        raise StoreError("PostgreSQL is backed up with its own pg_dump; run that instead.")
    if target.exists():
        raise StoreError(f"{target} exists already; name another file.")
    if not target.absolute().parent.is_dir():
        raise StoreError(f"The folder {target.parent} does not exist; make it or name another file.")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    part.unlink(missing_ok=True)
    try:
        part.touch(0o600)
        with engine.connect() as connection:
            connection.exec_driver_sql("VACUUM INTO ?", (str(part),))
        if Path(str(engine.url.database)).is_file():
            shutil.copymode(str(engine.url.database), part)  # as private as the original
        _settle(part)
        part.replace(target)
        _settle(target.absolute().parent)
    except OperationalError as error:
        if "full" in str(error.orig).lower() or shutil.disk_usage(target.absolute().parent).free < 1 << 16:
            raise StoreError(
                f"There is no room for {target}; free some space or name another file."
            ) from error
        if not os.access(target.absolute().parent, os.W_OK):
            raise StoreError(f"{target} cannot be written; check path and permissions.") from error
        with sentence(engine.url):
            raise
    except OSError as error:
        raise StoreError(f"{target} cannot be written ({error.strerror}); name another file.") from error
    finally:
        part.unlink(missing_ok=True)


def _settle(path: Path) -> None:
    """Syncs the copy to disk. A copy under its final name is then complete even after a power failure."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
