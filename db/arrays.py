"""The arrays that statistics are made of, and how rows become arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Select, and_, select

from db.tables import INQUIRIES, SCHEDULE, VERDICTS

ROWS = 50_000
NOT_JUDGED = "not_judged"
UNKNOWN = 255

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Dialogues:
    """A tournament's dialogues that are over; bots are indices into `bots`."""

    bots: tuple[str, ...]
    identities: tuple[str, ...]
    id: Array
    speaker: Array
    tested: Array
    number: Array
    done: Array  # False: it failed
    texts: Array  # equal for dialogues whose messages all are; -1 where they are not stored
    opener: Array  # index into openers
    openers: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """One judge's scores; `dialogue` indexes Dialogues."""

    dialogue: Array
    score: Array
    kind: Array
    kinds: tuple[str, ...]
    distance: Array
    entity_type: Array
    entity_types: tuple[str, ...]
    reason: Array  # −1 where judged
    reasons: tuple[str, ...]
    evasive: Array
    rows: Mapping[str, int]  # where an inquiry stands, by its key; none of those from a summary
    packed: bool = False


def inquiry_rows(tournament: str | None, judge: int | None) -> Select[Any]:
    """Of one tournament, or of all."""
    classes = VERDICTS.c.classes
    statement = select(
        INQUIRIES.c.dialogue,
        INQUIRIES.c.kind,
        INQUIRIES.c.distance,
        INQUIRIES.c.entity_type,
        VERDICTS.c.contradiction,
        classes["entailment"].as_float(),
        classes["neutral"].as_float(),
        classes["contradiction"].as_float(),
        INQUIRIES.c.key,
        INQUIRIES.c.reason,
        VERDICTS.c.reason,
    ).select_from(INQUIRIES)
    if tournament is not None:
        statement = statement.join(SCHEDULE, SCHEDULE.c.dialogue == INQUIRIES.c.dialogue).where(
            SCHEDULE.c.tournament == tournament
        )
    verdict = and_(VERDICTS.c.inquiry == INQUIRIES.c.id, VERDICTS.c.judge == (-1 if judge is None else judge))
    return statement.outerjoin(VERDICTS, verdict).order_by(INQUIRIES.c.dialogue, INQUIRIES.c.number)


def reason_of(row: Sequence[Any]) -> str:
    return str(row[9] or row[10] or NOT_JUDGED)


def evasive_of(contradiction: float | None, entails: Any, neutral: Any, contradicts: Any) -> int:
    """1 where the judge's neutral class is its strongest, 255 where it has no such classes."""
    if contradiction is None or neutral is None:
        return UNKNOWN
    return int(neutral > max(entails or 0.0, contradicts or 0.0))


def flags_of(evasive: Array) -> Array:
    flags = evasive.astype(np.float32)
    flags[evasive == UNKNOWN] = np.nan
    return flags


class Codes(dict[str, int]):
    """Numbers names as they come."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        super().__init__((name, code) for code, name in enumerate(names))

    def __missing__(self, name: str) -> int:
        self[name] = len(self)
        return self[name]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self)


def rows_of(connection: Connection, statement: Select[Any]) -> Iterator[Sequence[Any]]:
    """A block at a time; on SQLite the driver's own tuples, which for millions of rows saves half the time."""
    if connection.dialect.name == "sqlite":
        cursor: Any = connection.execute(statement).cursor
        while rows := cursor.fetchmany(ROWS):
            yield rows
        return
    yield from connection.execute(statement, execution_options={"stream_results": True}).partitions(ROWS)


def columns_of(connection: Connection, statement: Select[Any]) -> Iterator[list[tuple[Any, ...]]]:
    for rows in rows_of(connection, statement):
        yield list(zip(*rows, strict=True))


def joined(parts: Sequence[tuple[Array, ...]], types: Sequence[Any]) -> list[Array]:
    if not parts:
        return [np.empty(0, type) for type in types]
    return [
        np.concatenate([part[k] for part in parts]).astype(type, copy=False) for k, type in enumerate(types)
    ]
