"""Opens the database that a call names."""

from __future__ import annotations

import warnings

from db import Repository, connect


def opened(db: str | Repository | None, *, create: bool = False) -> Repository:
    """Opens a database URL; the default is `ARENA_DB` or sqlite:///arena.db. An open database is used as it is."""
    return db if isinstance(db, Repository) else Repository(connect(db, create=create), _warn)


def _warn(sentence: str) -> None:
    warnings.warn(sentence, UserWarning, stacklevel=4)  # the caller of arena.open or arena.compare
