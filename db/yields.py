"""Totals of a tournament: replies, inquiries, answers, findings, machine time."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import Integer, cast, func, select

from arena.core.types import TESTED, Status
from db.session import Database, reading
from db.tables import DIALOGUES, INQUIRIES, MESSAGES, SCHEDULE, VERDICTS

NOT_ASKED = "past_end"  # a question whose turn was never reached


@dataclass(frozen=True, slots=True)
class Sums:
    """Totals over a tournament's finished dialogues. Only replies of bots under test count."""

    replies: int
    planned: int  # replies if no dialogue had ended early
    inquiries: int
    answers: int
    findings: int  # inquiries with a verdict of any judge
    seconds: float  # of the machine, for playing and judging


def sums(store: Database, tournament: str) -> Sums:
    """Computes the totals in the database."""
    done = (SCHEDULE.c.tournament == tournament, DIALOGUES.c.status == Status.DONE.value)
    both = SCHEDULE.join(DIALOGUES, DIALOGUES.c.id == SCHEDULE.c.dialogue)
    plays = select(func.sum(DIALOGUES.c.turns), func.sum(DIALOGUES.c.seconds)).select_from(both).where(*done)
    messages = (
        select(func.count())
        .select_from(both.join(MESSAGES, MESSAGES.c.dialogue == DIALOGUES.c.id))
        .where(*done, MESSAGES.c.seat == TESTED)
    )
    asked = (
        select(
            func.count(),
            func.count(INQUIRIES.c.answer),
            func.sum(cast(INQUIRIES.c.reason == NOT_ASKED, Integer)),
        )
        .select_from(both.join(INQUIRIES, INQUIRIES.c.dialogue == DIALOGUES.c.id))
        .where(*done)
    )
    judged = (
        select(func.count(VERDICTS.c.inquiry.distinct()), func.sum(VERDICTS.c.seconds))
        .select_from(
            both.join(INQUIRIES, INQUIRIES.c.dialogue == DIALOGUES.c.id).join(
                VERDICTS, VERDICTS.c.inquiry == INQUIRIES.c.id
            )
        )
        .where(*done, VERDICTS.c.contradiction.is_not(None))
    )
    with reading(store.engine) as connection:
        turns, playing = connection.execute(plays).one()
        replies = connection.execute(messages).scalar_one()
        questions, answers, unasked = connection.execute(asked).one()
        findings, judging = connection.execute(judged).one()
    return Sums(
        replies,
        int(turns or 0),
        questions - int(unasked or 0),
        answers,
        findings,
        float(playing or 0.0) + float(judging or 0.0),
    )
