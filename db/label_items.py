"""What can be labelled: the subjects in a queue, and what a labeller sees of each subject."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Table, func, select

from arena.core.types import Message
from db.tables import MESSAGES, SCHEDULE

MOST = 100_000  # items in a queue
SAMPLE = 500  # dialogues from which the rows per dialogue are estimated


class Waiting(NamedTuple):
    """A subject that may be labelled, with its pair, its dialogue, and the (score, τ) of each judge."""

    subject: str
    speaker: str
    tested: str
    dialogue: str
    scores: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class Item:
    """What a labeller sees of a subject. It contains no names and no verdicts.

    `parts` are pairs of role and text. For inquiries the roles are `said`, `asked` and `answered`. For findings
    they are `earlier` or `persona` with `later`, or `knowledge` with `reply`. For messages they are `previous` and
    `reply`.
    """

    subject: str
    messages: tuple[Message, ...]
    marked: tuple[int, ...] = ()  # messages that the subject is about
    parts: tuple[tuple[str, str], ...] = ()
    check: str | None = None
    stored: Mapping[str, str] = field(default_factory=dict)  # shown texts that are stored with a label

    def part(self, *roles: str) -> str:
        """Returns the text of the first of these roles that the item has."""
        return next((text for role in roles for known, text in self.parts if known == role), "")


class ItemPlace(NamedTuple):
    """The dialogue of a subject, and the two texts that the subject is about."""

    dialogue: str
    first: str
    second: str


def number_limit(
    connection: Connection, tournament: str, most: int, counted: Table, *where: ColumnElement[bool]
) -> int | None:
    """Estimates from how many dialogues of each pair to take so that they have at most about `most` rows in all.

    Returns None if all dialogues together have no more rows than that.
    """
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
    """Returns the messages of a dialogue, up to `last`."""
    statement = select(MESSAGES).where(MESSAGES.c.dialogue == dialogue).order_by(MESSAGES.c.index)
    if last is not None:
        statement = statement.where(MESSAGES.c.index <= last)
    return tuple(
        Message(row._mapping["index"], row.seat, row.text, row.hash, row.parent)
        for row in connection.execute(statement)
    )
