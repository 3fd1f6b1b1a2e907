"""What can be labelled: the subjects in a queue, and what a person sees of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Table, func, select

from arena.core.types import Message
from db.tables import MESSAGES, SCHEDULE

MOST = 100_000  # items in a queue
SAMPLE = 500  # dialogues that tell how much one of them holds


class Waiting(NamedTuple):
    """A subject that may be labelled: its pair, its dialogue, each judge's (score, τ)."""

    subject: str
    speaker: str
    tested: str
    dialogue: str
    scores: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """What a person sees of a subject: no names, no verdicts.

    `parts` are pairs of role and text. For inquiries the roles are `said`, `asked` and `answered`; for findings
    `earlier` and `later`, `persona` or `knowledge`; for messages `previous` and `reply`.
    """

    subject: str
    messages: tuple[Message, ...]
    marked: tuple[int, ...] = ()  # messages that it is about
    parts: tuple[tuple[str, str], ...] = ()
    check: str | None = None
    stored: Mapping[str, str] = field(default_factory=dict)  # what a label keeps of what was seen

    def part(self, *roles: str) -> str:
        """The text of the first of these roles that it has."""
        return next((text for role in roles for known, text in self.parts if known == role), "")


class ItemPlace(NamedTuple):
    """Where a subject stands, with the two texts that it is about."""

    dialogue: str
    first: str
    second: str


def number_limit(
    connection: Connection, tournament: str, most: int, counted: Table, *where: ColumnElement[bool]
) -> int | None:
    """How many dialogues of each pair hold about this many rows in all; None if all of them hold no more."""
    mine = SCHEDULE.c.tournament == tournament
    dialogues, last = connection.execute(
        select(func.count(), func.max(SCHEDULE.c.number)).select_from(SCHEDULE).where(mine)
    ).one()
    some = select(SCHEDULE.c.dialogue).where(mine).limit(SAMPLE).subquery()
    rows = connection.scalar(
        select(func.count())
        .select_from(counted)
        .where(counted.c.dialogue.in_(select(some.c.dialogue)), *where)
    )
    if not dialogues or not rows:
        return None
    each = rows / min(dialogues, SAMPLE)
    if dialogues * each <= most:
        return None
    return max(1, int(most / (each * dialogues / (last + 1))))


def messages_of(connection: Connection, dialogue: int, last: int | None = None) -> tuple[Message, ...]:
    """The messages of a dialogue, up to `last`."""
    statement = select(MESSAGES).where(MESSAGES.c.dialogue == dialogue).order_by(MESSAGES.c.index)
    if last is not None:
        statement = statement.where(MESSAGES.c.index <= last)
    return tuple(
        Message(row._mapping["index"], row.seat, row.text, row.hash, row.parent)
        for row in connection.execute(statement)
    )
