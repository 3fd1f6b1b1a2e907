"""arena db: upgrade, check and back up the database."""

from __future__ import annotations

from pathlib import Path

import click

from arena.cli.common import db_option, emit, json_option, repository, say


@click.group()
def command() -> None:
    """Upgrade, check and back up the database."""


@command.command()
@db_option
def upgrade(db: str) -> None:
    """Creates the database, or upgrades its schema to the current version."""
    from db.migrate import head

    repository(db, create=True)
    say(f"The database has schema {head()}, this program's own.")


@command.command()
@db_option
@json_option
def check(db: str, as_json: bool) -> int:
    """Checks the schema, the integrity and every message chain; exit code 1 if something is wrong."""
    from db.health import examine

    checks = examine(repository(db))
    if as_json:
        emit({"checks": [{"name": c.name, "ok": c.ok, "detail": c.detail, "cure": c.cure} for c in checks]})
    else:
        for c in checks:
            say(f"{'ok  ' if c.ok else 'BAD '} {c.name}: {c.detail}{'' if c.ok else ' — ' + c.cure}")
    return 0 if all(c.ok for c in checks) else 1


@command.command()
@click.argument("file", type=click.Path())
@db_option
def backup(file: str, db: str) -> None:
    """Writes a consistent copy to FILE, also while a tournament runs (SQLite only; use pg_dump for PostgreSQL)."""
    from db.health import copy

    copy(repository(db), Path(file))
    say(f"The copy is {file}; use it with --db sqlite:///{file}.")
