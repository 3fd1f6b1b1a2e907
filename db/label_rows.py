"""Labels as rows of the database: columns, conditions, and the history of earlier versions."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, Table, and_, insert, select

from arena.core.types import Label
from db import models as m
from db.tables import LABELS

HISTORY: Table = m.LabelHistoryRow.__table__  # type: ignore[assignment]
LEASES: Table = m.LeaseRow.__table__  # type: ignore[assignment]
CONTENT = ("subject", "subject_type", "schema", "person", "values", "note", "seconds", "drawn")


def of_schema(table: Table, subject_type: str, schema: str) -> ColumnElement[bool]:
    return and_(table.c.subject_type == subject_type, table.c.schema == schema)


def same(table: Table, label: Label) -> ColumnElement[bool]:
    """Returns the condition for rows with the label's subject, person and schema."""
    who_and_what = and_(table.c.subject == label.subject, table.c.person == label.person)
    return and_(who_and_what, of_schema(table, label.subject_type, label.schema))


def latest(schema: str, person: str) -> Select[Any]:
    """Returns the person's latest label."""
    return (
        select(LABELS)
        .where(LABELS.c.schema == schema, LABELS.c.person == person)
        .order_by(LABELS.c.created.desc(), LABELS.c.id.desc())
        .limit(1)
    )


def row_of(label: Label, created: float) -> dict[str, Any]:
    return {name: getattr(label, name) for name in CONTENT} | {
        "values": dict(label.values),
        "created": created,
    }


def label_of(row: Row[Any]) -> Label:
    of = row._mapping
    return Label(*(of[name] for name in CONTENT))


def remember(connection: Connection, row: Row[Any], now: float) -> None:
    """Copies a label to the history before it is changed or undone."""
    former = {name: row._mapping[name] for name in (*CONTENT, "created")}
    connection.execute(insert(HISTORY), former | {"replaced": now})
