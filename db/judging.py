"""Reads inquiries without a verdict, stores verdicts, and keeps the cache of judgements."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, func, select, update

from arena.core.types import Judgement
from db.records import JudgeRow, Unjudged
from db.rows import case, judgement_columns
from db.session import Database, reading, writing
from db.tables import (
    CACHE,
    DIALOGUES,
    INQUIRIES,
    JUDGES,
    MESSAGES,
    SCHEDULE,
    VERDICTS,
    chunks,
    insert_new,
    members,
)


class Judging(Database):
    """The part of the repository that judges use."""

    def judge_id(self, name: str, revision: str, tau: float) -> int:
        this = and_(JUDGES.c.name == name, JUDGES.c.revision == revision)
        with writing(self.engine) as connection:
            insert_new(connection, JUDGES, [{"name": name, "revision": revision, "tau": tau}])
            connection.execute(update(JUDGES).where(this).values(tau=tau))
            return int(connection.execute(select(JUDGES.c.id).where(this)).scalar_one())

    def unjudged(self, tournament: str, judge: int, after: int, limit: int) -> list[Unjudged]:
        """Returns answered inquiries without this judge's verdict, in the order of their rows."""
        statement = (
            select(INQUIRIES, DIALOGUES.c.facts.label("dialogue_facts"))
            .join(SCHEDULE, SCHEDULE.c.dialogue == INQUIRIES.c.dialogue)
            .join(DIALOGUES, DIALOGUES.c.id == INQUIRIES.c.dialogue)
            .outerjoin(VERDICTS, and_(VERDICTS.c.inquiry == INQUIRIES.c.id, VERDICTS.c.judge == judge))
            .where(
                SCHEDULE.c.tournament == tournament,
                INQUIRIES.c.id > after,
                INQUIRIES.c.answer.is_not(None),
                VERDICTS.c.inquiry.is_(None),
            )
            .order_by(INQUIRIES.c.id)
            .limit(limit)
        )
        with reading(self.engine) as connection:
            rows = connection.execute(statement).all()
            texts = _texts(connection, sorted({row.dialogue for row in rows}))
        return [Unjudged(row.id, case(row, texts[row.dialogue])) for row in rows]

    def waiting(self, tournament: str, judge: int) -> int:
        """Returns the number of answered inquiries without this judge's verdict."""
        statement = (
            select(func.count())
            .select_from(INQUIRIES)
            .join(SCHEDULE, SCHEDULE.c.dialogue == INQUIRIES.c.dialogue)
            .outerjoin(VERDICTS, and_(VERDICTS.c.inquiry == INQUIRIES.c.id, VERDICTS.c.judge == judge))
            .where(
                SCHEDULE.c.tournament == tournament,
                INQUIRIES.c.answer.is_not(None),
                VERDICTS.c.inquiry.is_(None),
            )
        )
        with reading(self.engine) as connection:
            return int(connection.scalar(statement) or 0)

    def add_verdicts(
        self, judge: int, verdicts: Sequence[tuple[int, Judgement]], seconds: float | None = None
    ) -> None:
        """Stores verdicts. `seconds` is the time for the whole batch, and each verdict gets an equal share."""
        each = None if seconds is None else seconds / max(1, len(verdicts))
        rows = [
            {
                "judge": judge,
                "inquiry": inquiry,
                **judgement_columns(judgement),
                "seconds": each,
            }
            for inquiry, judgement in verdicts
        ]
        with writing(self.engine) as connection:
            insert_new(connection, VERDICTS, rows)

    def cached(self, keys: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
        """Returns the cached judgements with these addresses."""
        values: dict[str, Mapping[str, Any]] = {}
        with reading(self.engine) as connection:
            for some in chunks(keys, 5000):
                rows = connection.execute(select(CACHE.c.key, CACHE.c.value).where(CACHE.c.key.in_(some)))
                values.update({row.key: row.value for row in rows})
        return values

    def remember(self, judgements: Mapping[str, Mapping[str, Any]]) -> None:
        with writing(self.engine) as connection:
            rows = [{"key": key, "value": dict(value)} for key, value in judgements.items()]
            insert_new(connection, CACHE, rows)

    def judges(self, tournament: str) -> list[JudgeRow]:
        """Returns every judge with a verdict in the tournament, newest revision first."""
        judged = (
            select(VERDICTS.c.judge)
            .join(INQUIRIES, INQUIRIES.c.id == VERDICTS.c.inquiry)
            .where(INQUIRIES.c.dialogue.in_(members(tournament)), VERDICTS.c.judge == JUDGES.c.id)
        )
        statement = select(JUDGES).where(judged.exists()).order_by(JUDGES.c.name, JUDGES.c.id.desc())
        with reading(self.engine) as connection:
            return [
                JudgeRow(row.id, row.name, row.revision, row.tau) for row in connection.execute(statement)
            ]


def _texts(connection: Connection, dialogues: Sequence[int]) -> dict[int, list[str]]:
    texts: dict[int, list[str]] = defaultdict(list)
    for some in chunks(dialogues):
        statement = (
            select(MESSAGES.c.dialogue, MESSAGES.c.text)
            .where(MESSAGES.c.dialogue.in_(some))
            .order_by(MESSAGES.c.dialogue, MESSAGES.c.index)
        )
        for dialogue, text in connection.execute(statement):
            texts[dialogue].append(text)
    return texts
