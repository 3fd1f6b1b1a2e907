"""How long earlier dialogues of some bots took, with their numbers of calls and inquiries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from sqlalchemy import case, func, select

from arena.core.types import Status
from db.session import Database, reading
from db.tables import DIALOGUES, INQUIRIES, MESSAGES
from db.yields import NOT_ASKED

NEWEST = 500  # most dialogues to read


@dataclass(frozen=True, slots=True)
class Played:
    """One dialogue.

    `seconds` is its share of the run's time, so that the dialogues of a run add up to its duration.
    """

    speaker: str
    tested: str
    speaker_calls: int
    tested_calls: int
    seconds: float
    inquirer: str = ""
    replies: int = 0  # of the bot under test, without answers
    inquiries: int = 0


def played(store: Database, identities: Collection[str]) -> list[Played]:
    """Returns the newest dialogues in which only these bots took part."""
    some = (
        select(
            DIALOGUES.c.id,
            DIALOGUES.c.speaker,
            DIALOGUES.c.tested,
            DIALOGUES.c.seconds,
            DIALOGUES.c.inquirer,
        )
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
        asked = connection.execute(
            select(
                INQUIRIES.c.dialogue,
                func.count(INQUIRIES.c.answer),
                func.sum(case((INQUIRIES.c.reason == NOT_ASKED, 0), else_=1)),
            )
            .where(INQUIRIES.c.dialogue.in_(ids))
            .group_by(INQUIRIES.c.dialogue)
        ).all()
    message_counts: Counter[tuple[int, int]] = Counter({(id, seat): number for id, seat, number in messages})
    answers: Counter[int] = Counter({id: number for id, number, _ in asked})
    inquiries: Counter[int] = Counter({id: number for id, _, number in asked})
    return [
        Played(
            speaker=row.speaker,
            tested=row.tested,
            speaker_calls=message_counts[row.id, 0],
            tested_calls=message_counts[row.id, 1] + answers[row.id],
            seconds=float(row.seconds),
            inquirer=row.inquirer,
            replies=message_counts[row.id, 1],
            inquiries=inquiries[row.id],
        )
        for row in rows
    ]
