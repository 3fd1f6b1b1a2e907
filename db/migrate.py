"""Upgrades a database's schema to the program's version, and refuses newer schemas."""

from __future__ import annotations

import threading
from functools import lru_cache
from pathlib import Path

from sqlalchemy import Engine, inspect, text

from arena.core.errors import StoreError

FOLDER = Path(__file__).parent / "migrations"
_ONE = threading.Lock()  # alembic keeps what it works on in global names


@lru_cache
def _known() -> tuple[str, ...]:
    """Returns all schema versions, oldest first. They are the number prefixes of the migration files."""
    return tuple(sorted(file.name[:4] for file in (FOLDER / "versions").glob("[0-9][0-9][0-9][0-9]_*.py")))


def head() -> str:
    """Returns the schema version of this program."""
    return _known()[-1]


def version(engine: Engine) -> str | None:
    """Returns the schema version of the database, or None if it has no schema yet."""
    with engine.connect() as connection:
        if not inspect(connection).has_table("alembic_version"):
            return None
        number = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
        return None if number is None else str(number)


def ensure(engine: Engine, *, create: bool) -> None:
    """Creates or upgrades the schema. A newer schema raises an error."""
    current = version(engine)
    if current == head():
        return
    if current is not None and not (len(current) == 4 and current.isdecimal()):
        raise StoreError(
            f"The database belongs to another program: its schema is {current[:40]}; name another --db."
        )
    if current is not None and current not in _known():
        raise StoreError(
            f"The database has schema {current}, newer than this program's {head()}; upgrade consistency-arena."
        )
    if current is None and inspect(engine).has_table("tournaments"):
        raise StoreError(
            "The database has the table 'tournaments' but no schema version: it belongs to another program or is "
            "damaged; name another --db or restore a backup."
        )
    if current is None and (foreign := sorted(inspect(engine).get_table_names())):
        raise StoreError(
            f"The database belongs to another program: it has the table '{foreign[0]}' and none of the arena's; "
            "name another --db."
        )
    if not create:
        state = "no arena tables" if current is None else f"the older schema {current}"
        raise StoreError(f"The database has {state}; run 'arena db upgrade' first.")
    upgrade(engine)


def upgrade(engine: Engine) -> str:
    """Runs all migrations in one transaction. Does nothing if another process has already run them."""
    from alembic import command  # slow to import and rarely needed
    from alembic.config import Config

    from db.session import writing

    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    with _ONE, writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(4801)")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    return head()
