"""Opens the database: checks, pragmas, schema version."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from arena.core import extras
from arena.core.defaults import DATABASE, DATABASE_VARIABLE
from arena.core.errors import StoreError, StoreLost

BUSY_SECONDS = 60
IMMUTABLE = {"mode": "ro", "immutable": "1", "uri": "true"}


class Database:
    """An open database.

    Every query in `db` uses such an object. Code outside `db` does not use its engine.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @property
    def url(self) -> str:
        """The URL for other processes, including the password."""
        return self.engine.url.render_as_string(hide_password=False)

    @property
    def outlives_this_process(self) -> bool:
        return self.engine.url.database not in (None, "", ":memory:")

    @property
    def serves_one_host(self) -> bool:
        return self.engine.dialect.name == "sqlite"

    def close(self) -> None:
        self.engine.dispose()


def parse(url: str | None) -> URL:
    """Parses the database's URL. Errors show valid forms."""
    shapes = "use sqlite:///FILE or postgresql+psycopg://USER:PASSWORD@HOST/NAME"
    try:
        parsed = make_url(url or os.environ.get(DATABASE_VARIABLE) or DATABASE)
    except ArgumentError as error:
        raise StoreError(f"The database URL cannot be read; {shapes}.") from error
    if parsed.get_backend_name() not in ("sqlite", "postgresql"):
        raise StoreError(f"The database '{parsed.get_backend_name()}' is not supported; {shapes}.")
    if parsed.drivername == "postgresql":
        parsed = parsed.set(drivername="postgresql+psycopg")
    return parsed


def masked(url: str) -> str | None:
    """Returns the URL without its password, to be shown. None if the URL cannot be parsed."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return None


def connect(url: str | None = None, *, create: bool = True, read_only: bool = False) -> Engine:
    """Returns an engine for a database with the program's schema. `create` creates or upgrades the schema."""
    from db.migrate import ensure

    parsed = parse(url)
    engine = (
        _sqlite(parsed, create, read_only) if parsed.get_backend_name() == "sqlite" else _postgres(parsed)
    )
    with sentence(parsed):
        ensure(engine, create=create and not read_only)
    return engine


def _sqlite(url: URL, create: bool, read_only: bool) -> Engine:
    memory = url.database in (None, "", ":memory:")
    if not memory:
        path = Path(str(url.database))
        if not path.parent.is_dir():
            raise StoreError(f"The folder {path.parent} does not exist; make it or name another --db.")
        if not create and not path.is_file():
            raise StoreError(f"There is no database {path}; run a tournament first or name another --db.")
    options: dict[str, Any] = {}
    if memory:
        from sqlalchemy.pool import StaticPool

        options = {"poolclass": StaticPool}
    fixed = not memory and not create and _cannot_be_written(Path(str(url.database)))
    if fixed:
        read_only = True
        url = url.set(database=f"file:{quote(str(Path(str(url.database)).absolute()))}", query=IMMUTABLE)
    engine = create_engine(
        url,
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False, "isolation_level": None},
        **options,
    )

    @event.listens_for(engine, "connect")
    def prepare(connection: sqlite3.Connection, _: Any) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
        cursor.execute("PRAGMA foreign_keys = ON")
        if read_only:
            cursor.execute("PRAGMA query_only = ON")
        elif not memory and not _is_foreign(cursor):
            mode = cursor.execute("PRAGMA journal_mode = WAL").fetchone()[0]
            if str(mode).lower() != "wal":
                raise StoreError(
                    f"SQLite could not switch {url.database} to WAL mode (it is '{mode}'); "
                    "put the database on a local disk."
                )
            # Each commit (labels, paid replies, finished dialogues) is on the disk before it is reported.
            cursor.execute("PRAGMA synchronous = FULL")
        cursor.close()

    return engine


def _is_foreign(cursor: sqlite3.Cursor) -> bool:
    """Whether the file belongs to another program.

    Such a file is refused and stays unchanged, including its journal mode.
    """
    tables = {name for (name,) in cursor.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    if not {"tournaments", "alembic_version"} <= tables:
        return bool(tables)
    numbers = [str(row[0]) for row in cursor.execute("SELECT * FROM alembic_version")]
    return not all(len(number) == 4 and number.isdecimal() for number in numbers)


def _cannot_be_written(file: Path) -> bool:
    """Whether the disk is read-only.

    On such a disk, SQLite can only read a write-ahead log if it is told that nobody writes.
    """
    if os.access(file.parent, os.W_OK):
        return False
    log = file.with_name(file.name + "-wal")
    if log.is_file() and log.stat().st_size:
        raise StoreError(
            f"The database {file} is on a disk that cannot be written, and its last changes are in {log.name}: copy "
            "both files to another folder and open the copy."
        )
    return True


# A lost connection to the server is noticed after a minute, not after the system's two hours.
LINK = {"connect_timeout": 10, "keepalives_idle": 30, "keepalives_interval": 10, "tcp_user_timeout": 60_000}
# The locks of a host that has fallen silent are released after a minute.
HOLD = "SET LOCAL idle_in_transaction_session_timeout = '60s'"


def _postgres(url: URL) -> Engine:
    try:
        given = {name: value for name, value in LINK.items() if name not in url.query}
        return create_engine(url, pool_pre_ping=True, pool_size=5, max_overflow=10, connect_args=given)
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise StoreError(
            f"PostgreSQL needs psycopg, which is not installed: {extras.command('psycopg')}."
        ) from error


@contextmanager
def writing(engine: Engine) -> Iterator[Connection]:
    """Opens a transaction for writing.

    It takes SQLite's write lock at its start, so that it cannot deadlock later.
    """
    with sentence(engine.url), engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                with suppress(DBAPIError):  # a full disk has rolled back by itself
                    connection.exec_driver_sql("ROLLBACK")
                raise
            connection.exec_driver_sql("COMMIT")
        else:
            with connection.begin():
                connection.exec_driver_sql(HOLD)
                yield connection


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """Opens a consistent snapshot for several reads."""
    with sentence(engine.url), engine.connect() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN")
            try:
                yield connection
            finally:
                connection.exec_driver_sql("ROLLBACK")
        else:
            connection.execute(text("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"))
            yield connection


@contextmanager
def sentence(url: URL) -> Iterator[None]:
    """Turns a driver's error into an error of one sentence with the remedy."""
    address = url.render_as_string(hide_password=True)
    try:
        yield
    except DBAPIError as error:
        raise _failure(address, str(error.orig), error.connection_invalidated) from error
    except sqlite3.Error as error:
        raise _failure(address, str(error), False) from error


CURES = {
    "readonly": "is read-only; make file and folder writable or name another --db",
    "read-only": "is read-only; make file and folder writable or name another --db",
    "locked": f"was locked by another process for {BUSY_SECONDS} s; end that one and run the command again",
    "disk is full": "has no room: the disk is full; free some space and run the command again",
    "no space": "has no room: the disk is full; free some space and run the command again",
    "disk i/o": "cannot be written (disk I/O error); check the disk and run the command again",
    "not a database": "is not a database; name another --db or restore a backup",
    "malformed": "is damaged; restore a backup, or salvage it with sqlite3's .recover",
    "unable to open": "cannot be opened; check that path and permissions are right",
    "password authentication": "refused user or password; check the URL",
    "connection": "cannot be reached; check host, port and that the server runs, then run the command again",
}


PASSING = ("locked", "connection", "shutting down", "starting up", "terminating", "in recovery")


def _failure(address: str, message: str, invalidated: bool) -> StoreError:
    lowered = message.lower()
    lost = invalidated or any(sign in lowered for sign in PASSING)
    kind = StoreLost if lost else StoreError
    for sign, cure in CURES.items():
        if sign in lowered:
            return kind(f"The database {address} {cure}.")
    first = (message.splitlines() or ["no reason given"])[0]
    if lost:
        return kind(
            f"The database {address} cannot be reached ({first}); check that it runs, then run again."
        )
    return kind(f"The database {address} refused: {first}; 'arena db check' tells more.")
