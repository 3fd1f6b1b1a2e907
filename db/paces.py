"""How long earlier dialogues between bots took: calls and seconds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import func, select

from arena.core.types import Status
from db.session import Database, reading
from db.tables import DIALOGUES, INQUIRIES, MESSAGES

NEWEST = 500  # dialogues that are looked at


@dataclass(frozen=True, slots=True)
class Played:
    """One dialogue; `seconds` is its share of the machine's time, so that a run's dialogues add up to its time."""

    speaker: str
    tested: str
    speaker_calls: int
    tested_calls: int
    seconds: float


def played(store: Database, identities: Collection[str]) -> list[Played]:
    """The newest dialogues in which only these bots took part."""
    some = (
        select(DIALOGUES.c.id, DIALOGUES.c.speaker, DIALOGUES.c.tested, DIALOGUES.c.seconds)
        .where(
            DIALOGUES.c.status == Status.DONE.value,
            DIALOGUES.c.seconds.is_not(None),
            DIALOGUES.c.speaker.in_(identities),
            DIALOGUES.c.tested.in_(identities),
        )
        .order_by(DIALOGUES.c.id.desc())
        .limit(NEWEST)
    )
    with reading(store.engine) as connection:
        rows = connection.execute(some).all()
        ids = [row.id for row in rows]
        messages = connection.execute(
            select(MESSAGES.c.dialogue, MESSAGES.c.seat, func.count())
            .where(MESSAGES.c.dialogue.in_(ids), MESSAGES.c.index > 0)
            .group_by(MESSAGES.c.dialogue, MESSAGES.c.seat)
        ).all()
        answered = connection.execute(
            select(INQUIRIES.c.dialogue, func.count(INQUIRIES.c.answer))
            .where(INQUIRIES.c.dialogue.in_(ids))
            .group_by(INQUIRIES.c.dialogue)
        ).all()
    calls: Counter[tuple[int, int]] = Counter({(id, seat): number for id, seat, number in messages})
    for id, number in answered:
        calls[id, 1] += number
    return [
        Played(row.speaker, row.tested, calls[row.id, 0], calls[row.id, 1], float(row.seconds))
        for row in rows
    ]
