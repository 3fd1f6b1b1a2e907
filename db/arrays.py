"""The arrays from which statistics are computed, and functions that make arrays from rows of the database."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Select, and_, select

from db.tables import INQUIRIES, SCHEDULE, VERDICTS

ROWS = 50_000
NOT_JUDGED = "not_judged"
ANSWERS, EVADES, UNKNOWN = 2, 3, 255

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Dialogues:
    """A tournament's finished dialogues. Bots are indices into `bots`."""

    bots: tuple[str, ...]
    identities: tuple[str, ...]
    id: Array
    speaker: Array
    tested: Array
    number: Array
    done: Array  # False: it failed
    texts: Array  # equal for dialogues with equal messages; -1 if no messages are stored
    opener: Array  # index into openers
    openers: tuple[str, ...]
    persona: Array  # persona of the bot under test, as an index into personas; -1 without drawn personas
    personas: tuple[str, ...]
    unsaid: Array  # by bot: replies under test that are missing because dialogues ended early


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """One judge's scores. `dialogue` is an index into Dialogues."""

    dialogue: Array
    score: Array
    kind: Array
    kinds: tuple[str, ...]
    distance: Array
    entity_type: Array
    entity_types: tuple[str, ...]
    reason: Array  # -1 if judged
    reasons: tuple[str, ...]
    evasive: Array
    relevant: Array  # according to the judge; nan if the judge does not say
    rows: Mapping[str, int]  # positions of inquiries by key; empty if read from a summary
    packed: bool = False


class InquiryRow(NamedTuple):
    """An inquiry with the verdict of one judge."""

    dialogue: int
    kind: str
    distance: int
    entity_type: str
    score: float | None  # the verdict's contradiction
    entailment: float | None
    neutral: float | None
    contradiction: float | None  # probability of the class
    key: str
    not_asked: str | None  # the reason why there is no answer
    not_judged: str | None
    on_topic: float | None  # where the judge says whether the answer keeps to its question

    @property
    def reason(self) -> str | None:
        """The reason why there is no score. None if there is a score."""
        return None if self.score is not None else self.not_asked or self.not_judged or NOT_JUDGED

    @property
    def evasive(self) -> int:
        """Whether the answer evades its question, as one byte: EVADES, ANSWERS or UNKNOWN.

        Some judges say whether an answer keeps to its question; then their statement counts. With any other judge,
        an answer evades if the neutral class is the most probable class. UNKNOWN means that the judge provides
        neither.
        """
        if self.score is None:
            return UNKNOWN
        if self.on_topic is not None:
            return ANSWERS if self.on_topic >= 0.5 else EVADES
        if self.neutral is None:
            return UNKNOWN
        return int(self.neutral > max(self.entailment or 0.0, self.contradiction or 0.0))


def inquiry_rows(connection: Connection, statement: Select[Any]) -> Iterator[list[InquiryRow]]:
    """Reads the rows of a statement made by `inquiries`, one block at a time."""
    for rows in rows_of(connection, statement):
        yield list(map(InquiryRow._make, rows))


def inquiries(tournament: str | None, judge: int | None) -> Select[Any]:
    """Returns a statement that selects the columns of InquiryRow, for one tournament or for all."""
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
        VERDICTS.c.evidence["on_topic"].as_float().label("on_topic"),
    ).select_from(INQUIRIES)
    if tournament is not None:
        statement = statement.join(SCHEDULE, SCHEDULE.c.dialogue == INQUIRIES.c.dialogue).where(
            SCHEDULE.c.tournament == tournament
        )
    verdict = and_(VERDICTS.c.inquiry == INQUIRIES.c.id, VERDICTS.c.judge == (-1 if judge is None else judge))
    return statement.outerjoin(VERDICTS, verdict).order_by(INQUIRIES.c.dialogue, INQUIRIES.c.number)


def flags_of(evasive: Array) -> Array:
    """Returns 1 for answers that evade their question, 0 for other answers, nan for unknown."""
    flags = (evasive % ANSWERS).astype(np.float32)
    flags[evasive == UNKNOWN] = np.nan
    return flags


def relevance_of(evasive: Array) -> Array:
    """Returns 1 if the judge says that the answer keeps to its question, 0 if the judge denies it, else nan."""
    known = (evasive == ANSWERS) | (evasive == EVADES)
    if not known.any():
        return np.broadcast_to(np.float32(np.nan), evasive.shape)  # a view, which saves memory
    return np.where(known, 1.0 - (evasive % ANSWERS), np.nan).astype(np.float32)


class Codes(dict[str, int]):
    """Maps names to numbers in the order of their first occurrence."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        super().__init__((name, code) for code, name in enumerate(names))

    def __missing__(self, name: str) -> int:
        self[name] = len(self)
        return self[name]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self)


def rows_of(connection: Connection, statement: Select[Any]) -> Iterator[Sequence[Any]]:
    """Reads rows one block at a time.

    On SQLite the rows are the driver's own tuples, which halves the time for millions of rows.
    """
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
