"""Opening a database: what it insists on, and what it says when it cannot."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection

from arena.core.errors import StoreError
from db import Repository, connect
from db.health import copy, examine
from db.migrate import head, upgrade, version
from db.models import Base
from db.session import parse, reading, writing
from tests.support.postgres import Server
from tests.support.tournaments import play, text


def test_sqlite_is_opened_safely(tmp_path: Path) -> None:
    engine = connect(f"sqlite:///{tmp_path / 'a.db'}")
    with engine.connect() as connection:
        settings = {
            name: connection.exec_driver_sql(f"PRAGMA {name}").scalar()
            for name in ("journal_mode", "foreign_keys", "synchronous", "busy_timeout")
        }
    assert settings == {"journal_mode": "wal", "foreign_keys": 1, "synchronous": 2, "busy_timeout": 60000}


def test_the_migrations_make_exactly_the_models(database: str) -> None:
    engine = connect(database)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Base.metadata) == []
    assert version(engine) == head() == upgrade(engine)


def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'a.db'}"
    connect(url).dispose()
    file = sqlite3.connect(tmp_path / "a.db")
    file.execute("update alembic_version set version_num = '9999'")
    file.commit()
    with pytest.raises(StoreError, match=r"newer than this program's .*; upgrade consistency-arena"):
        connect(url)


@pytest.mark.parametrize(
    ("url", "value"),
    [
        ("nonsense", "cannot be read"),
        ("mysql://x/y", "not supported"),
        ("sqlite:////nowhere/at/all/a.db", "does not exist; make it"),
    ],
)
def test_a_wrong_url_is_one_sentence_with_the_cure(url: str, value: str) -> None:
    with pytest.raises(StoreError, match=value) as error:
        connect(url)
    assert "\n" not in str(error.value)


def test_a_file_that_is_no_database_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.db").write_text("not a database at all, but long enough to be looked at" * 50)
    with pytest.raises(StoreError, match="not a database; name another --db"):
        connect(f"sqlite:///{tmp_path / 'a.db'}")


def test_reading_makes_no_file(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="There is no database"):
        connect(f"sqlite:///{tmp_path / 'a.db'}", create=False)
    assert not list(tmp_path.iterdir())


def test_an_unreachable_server_says_so_without_the_password() -> None:
    with pytest.raises(StoreError, match="cannot be reached") as error:
        connect("postgresql://u:secret@127.0.0.1:1/x")
    assert "secret" not in str(error.value)


def test_postgresql_needs_no_driver_in_the_url() -> None:
    assert parse("postgresql://h/x").drivername == "postgresql+psycopg"


def test_check_finds_a_changed_text_and_backup_copies_all(tmp_path: Path) -> None:
    repository = Repository(connect(f"sqlite:///{tmp_path / 'a.db'}"))
    play(repository, text())
    copy(repository, tmp_path / "b.db")
    with pytest.raises(StoreError, match="exists already"):
        copy(repository, tmp_path / "b.db")
    file = sqlite3.connect(tmp_path / "a.db")
    file.execute('update messages set text = text || "!" where "index" = 3 and dialogue = 1')
    file.commit()
    bad = [check for check in examine(repository) if not check.ok]
    assert [check.name for check in bad] == ["message chains"]
    assert all(check.ok for check in examine(Repository(connect(f"sqlite:///{tmp_path / 'b.db'}"))))


def _parameters(connection: Connection) -> dict[str, str]:
    driver: Any = connection.connection.dbapi_connection
    return dict(driver.info.get_parameters())


def test_a_host_that_falls_silent_holds_no_lock_for_long(postgres: Server) -> None:
    """A link that is cut tells neither side: the server would keep its locks for hours."""
    engine = connect(postgres.url("silent"))
    asked = "SHOW idle_in_transaction_session_timeout"
    with writing(engine) as connection:
        assert connection.exec_driver_sql(asked).scalar() == "1min"
        link = _parameters(connection)
    assert link["tcp_user_timeout"] == "60000" and link["connect_timeout"] == "10"
    with reading(engine) as connection:
        assert connection.exec_driver_sql(asked).scalar() == "0"
    engine.dispose()
    own = connect(postgres.url("patient") + "?connect_timeout=3")
    with reading(own) as connection:
        assert _parameters(connection)["connect_timeout"] == "3"
    own.dispose()
