"""Opens the database that an API call names."""

from __future__ import annotations

import warnings

from db import Repository, connect


def opened(db: str | Repository | None, *, create: bool = False) -> Repository:
    """Open the database of a URL; the default is `ARENA_DB` or sqlite:///arena.db.

    A database that is already open is returned as it is.
    """
    return db if isinstance(db, Repository) else Repository(connect(db, create=create), _warn)


def _warn(sentence: str) -> None:
    warnings.warn(sentence, UserWarning, stacklevel=4)  # the caller of arena.open or arena.compare
