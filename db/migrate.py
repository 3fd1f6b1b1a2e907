"""Brings a database's schema to the program's, and refuses one that is newer."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, inspect

from arena.errors import StoreError

FOLDER = Path(__file__).parent / "migrations"


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(FOLDER).replace("%", "%%"))
    return config


@lru_cache
def head() -> str:
    """The schema version of this program."""
    return str(ScriptDirectory.from_config(_config()).get_current_head())


@lru_cache
def _known() -> frozenset[str]:
    return frozenset(
        str(script.revision) for script in ScriptDirectory.from_config(_config()).walk_revisions()
    )


def version(engine: Engine) -> str | None:
    """The schema version in the database; None where there is none yet."""
    with engine.connect() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def ensure(engine: Engine, *, create: bool) -> None:
    """Makes, upgrades or refuses the schema."""
    found = version(engine)
    if found == head():
        return
    if found is not None and found not in _known():
        raise StoreError(
            f"The database has schema {found}, newer than this program's {head()}; upgrade consistency-arena."
        )
    if found is None and inspect(engine).has_table("tournaments"):
        raise StoreError(
            "The database has tables but no schema version; restore a backup or name another --db."
        )
    if not create:
        state = "no arena tables" if found is None else f"the older schema {found}"
        raise StoreError(f"The database has {state}; run 'arena db upgrade' first.")
    upgrade(engine)


def upgrade(engine: Engine) -> str:
    """All migrations in one transaction; a process that comes second finds them done."""
    from db.session import writing

    with writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.exec_driver_sql("SELECT pg_advisory_xact_lock(4801)")
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
    return head()
