"""What judges read and write: inquiries without a verdict, verdicts, and the memory of what was judged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, and_, select, update

from arena.core.types import Judgement
from db.records import Unjudged
from db.rows import case
from db.session import reading, writing
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


class Judging:
    """The part of the repository that judges use."""

    engine: Engine

    def judge_id(self, name: str, revision: str, tau: float) -> int:
        this = and_(JUDGES.c.name == name, JUDGES.c.revision == revision)
        with writing(self.engine) as connection:
            insert_new(connection, JUDGES, [{"name": name, "revision": revision, "tau": tau}])
            connection.execute(update(JUDGES).where(this).values(tau=tau))
            return int(connection.execute(select(JUDGES.c.id).where(this)).scalar_one())

    def unjudged(self, tournament: str, judge: int, after: int, limit: int) -> list[Unjudged]:
        """Answered inquiries without this judge's verdict, in the order of their rows."""
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

    def add_verdicts(
        self, judge: int, verdicts: Sequence[tuple[int, Judgement]], seconds: float | None = None
    ) -> None:
        """`seconds` are those of the whole batch; each verdict gets an equal part."""
        each = None if seconds is None else seconds / max(1, len(verdicts))
        rows = [
            {
                "judge": judge,
                "inquiry": inquiry,
                "contradiction": said.contradiction,
                "classes": dict(said.classes) or None,
                "evidence": dict(said.evidence) or None,
                "reason": said.reason,
                "seconds": each,
            }
            for inquiry, said in verdicts
        ]
        with writing(self.engine) as connection:
            insert_new(connection, VERDICTS, rows)

    def cached(self, keys: Sequence[str]) -> Mapping[str, Mapping[str, Any]]:
        """The judges' memory: what is stored under these addresses."""
        found: dict[str, Mapping[str, Any]] = {}
        with reading(self.engine) as connection:
            for some in chunks(keys, 5000):
                rows = connection.execute(select(CACHE.c.key, CACHE.c.value).where(CACHE.c.key.in_(some)))
                found.update({row.key: row.value for row in rows})
        return found

    def remember(self, judgements: Mapping[str, Mapping[str, Any]]) -> None:
        with writing(self.engine) as connection:
            rows = [{"key": key, "value": dict(value)} for key, value in judgements.items()]
            insert_new(connection, CACHE, rows)

    def judges(self, tournament: str) -> list[tuple[int, str, str, float]]:
        """(row, name, revision, τ) of every judge with a verdict in the tournament, newest revision first."""
        judged = (
            select(VERDICTS.c.judge)
            .join(INQUIRIES, INQUIRIES.c.id == VERDICTS.c.inquiry)
            .where(INQUIRIES.c.dialogue.in_(members(tournament)), VERDICTS.c.judge == JUDGES.c.id)
        )
        statement = select(JUDGES).where(judged.exists()).order_by(JUDGES.c.name, JUDGES.c.id.desc())
        with reading(self.engine) as connection:
            return [(row.id, row.name, row.revision, row.tau) for row in connection.execute(statement)]


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
