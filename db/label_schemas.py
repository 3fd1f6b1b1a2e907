"""The users' own label schemas, by name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, Table, func, insert, select, update

from db import models as m
from db.session import Database, reading, writing
from db.tables import LABELS

SCHEMAS: Table = m.LabelSchemaRow.__table__  # type: ignore[assignment]


class LabelSchemas:
    """The users' own label schemas as stored. `arena.labelling` reads their definitions."""

    def __init__(self, store: Database) -> None:
        self.engine = store.engine

    def all(self) -> dict[str, Mapping[str, Any]]:
        with reading(self.engine) as connection:
            rows = connection.execute(select(SCHEMAS.c.name, SCHEMAS.c.definition).order_by(SCHEMAS.c.name))
            return {row.name: row.definition for row in rows}

    def put(self, name: str, definition: Mapping[str, Any], now: float) -> int:
        """Stores the schema, unless labels under its name answer other questions.

        Returns the number of such labels.
        """
        with writing(self.engine) as connection:
            stored = connection.scalar(select(SCHEMAS.c.definition).where(SCHEMAS.c.name == name))
            if stored == definition:
                return 0
            if stored is None:
                connection.execute(
                    insert(SCHEMAS).values(name=name, definition=dict(definition), created=now)
                )
                return 0
            if (labels := self._labels(connection, name)) > 0:
                return labels
            changed = update(SCHEMAS).where(SCHEMAS.c.name == name)
            connection.execute(changed.values(definition=dict(definition), created=now))
            return 0

    @staticmethod
    def _labels(connection: Connection, name: str) -> int:
        statement = select(func.count()).select_from(LABELS).where(LABELS.c.schema == name)
        return connection.scalar(statement) or 0
