"""The tables by name, and helpers for inserting and paging."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import Connection, Select, Table, select
from sqlalchemy.dialects import postgresql, sqlite

from arena.core.types import Status
from db import models as m

CHUNK = 400  # below every database's limit of bound parameters
T = TypeVar("T")

BOTS: Table = m.BotRow.__table__  # type: ignore[assignment]
TOURNAMENTS: Table = m.TournamentRow.__table__  # type: ignore[assignment]
TOURNAMENT_BOTS: Table = m.TournamentBotRow.__table__  # type: ignore[assignment]
DIALOGUES: Table = m.DialogueRow.__table__  # type: ignore[assignment]
SCHEDULE: Table = m.EntryRow.__table__  # type: ignore[assignment]
MESSAGES: Table = m.MessageRow.__table__  # type: ignore[assignment]
INQUIRIES: Table = m.InquiryRow.__table__  # type: ignore[assignment]
JUDGES: Table = m.JudgeRow.__table__  # type: ignore[assignment]
VERDICTS: Table = m.VerdictRow.__table__  # type: ignore[assignment]
MESSAGE_VERDICTS: Table = m.MessageVerdictRow.__table__  # type: ignore[assignment]
CACHE: Table = m.JudgementRow.__table__  # type: ignore[assignment]
LABELS: Table = m.LabelRow.__table__  # type: ignore[assignment]


def table(row: type[m.Base]) -> Table:
    return row.__table__  # type: ignore[return-value]


OVER = (Status.DONE.value, Status.FAILED.value)


def chunks(items: Sequence[T], size: int = CHUNK) -> Iterator[Sequence[T]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def insert_new(connection: Connection, table: Table, rows: Sequence[Mapping[str, Any]]) -> None:
    """Inserts the rows that do not exist yet, as the tables' constraints decide."""
    if rows:
        dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
        connection.execute(dialect.insert(table).on_conflict_do_nothing(), list(rows))


def members(tournament: str) -> Select[tuple[int]]:
    return select(SCHEDULE.c.dialogue).where(SCHEDULE.c.tournament == tournament)


def batched(items: Iterable[T], size: int) -> Iterator[list[T]]:
    batch: list[T] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
