"""What the checks of messages read and write: dialogues with messages not judged yet, and verdicts on messages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Engine, and_, select

from arena.core.types import NOTHING, TESTED, Check, Judgement, Message, MessageVerdict, Status
from db.records import Unchecked
from db.rows import message, personas_of
from db.session import reading, writing
from db.tables import (
    BOTS,
    DIALOGUES,
    JUDGES,
    MESSAGE_VERDICTS,
    MESSAGES,
    SCHEDULE,
    chunks,
    insert_new,
    members,
)

CheckVerdict = tuple[int, int, Judgement]
"""Dialogue, message, and what the judge says of it."""


class Checking:
    """The part of the repository that the checks of messages use."""

    engine: Engine

    def unchecked(
        self, tournament: str, judge: int, check: Check, method: int, after: int, limit: int
    ) -> list[Unchecked]:
        """Dialogues that are done and have messages without this judge's verdict, in the order of their rows."""
        verdict = and_(
            MESSAGE_VERDICTS.c.judge == judge,
            MESSAGE_VERDICTS.c.check_name == check.value,
            MESSAGE_VERDICTS.c.method == method,
            MESSAGE_VERDICTS.c.dialogue == MESSAGES.c.dialogue,
            MESSAGE_VERDICTS.c.message == MESSAGES.c.index,
        )
        open_ones = (
            select(MESSAGES.c.dialogue)
            .join(SCHEDULE, SCHEDULE.c.dialogue == MESSAGES.c.dialogue)
            .join(DIALOGUES, DIALOGUES.c.id == MESSAGES.c.dialogue)
            .outerjoin(MESSAGE_VERDICTS, verdict)
            .where(
                SCHEDULE.c.tournament == tournament,
                DIALOGUES.c.status == Status.DONE.value,
                MESSAGES.c.dialogue > after,
                MESSAGES.c.seat == TESTED,
                MESSAGE_VERDICTS.c.message.is_(None),
            )
            .distinct()
            .order_by(MESSAGES.c.dialogue)
            .limit(limit)
        )
        with reading(self.engine) as connection:
            ids = list(connection.scalars(open_ones))
            return _work(connection, ids, judge, check, method, tournament)

    def add_message_verdicts(
        self,
        judge: int,
        check: Check,
        method: int,
        verdicts: Sequence[CheckVerdict],
        seconds: float | None = None,
    ) -> None:
        """`seconds` are those of the whole batch; each verdict gets an equal part."""
        each = None if seconds is None else seconds / max(1, len(verdicts))
        rows = [
            {
                "judge": judge,
                "check_name": check.value,
                "method": method,
                "dialogue": dialogue,
                "message": index,
                **judgement_columns(judgement),
                "seconds": each,
            }
            for dialogue, index, judgement in verdicts
        ]
        with writing(self.engine) as connection:
            insert_new(connection, MESSAGE_VERDICTS, rows)

    def checks(self, tournament: str) -> list[tuple[Check, int, str, str, float, int]]:
        """(check, judge's row, name, revision, τ, method) of what has been judged; newest judges and methods first."""
        columns = (MESSAGE_VERDICTS.c.check_name, MESSAGE_VERDICTS.c.judge, MESSAGE_VERDICTS.c.method)
        judged = (
            select(*columns).where(MESSAGE_VERDICTS.c.dialogue.in_(members(tournament))).distinct().subquery()
        )
        statement = select(judged, JUDGES.c.name, JUDGES.c.revision, JUDGES.c.tau).join(
            JUDGES, JUDGES.c.id == judged.c.judge
        )
        with reading(self.engine) as connection:
            rows = connection.execute(statement).all()
        rows = sorted(rows, key=lambda row: (row.check_name, row.name, -row.judge, -row.method))
        return [
            (Check(row.check_name), row.judge, row.name, row.revision, row.tau, row.method) for row in rows
        ]


def judgement_columns(judgement: Judgement) -> dict[str, Any]:
    return {
        "contradiction": judgement.contradiction,
        "classes": dict(judgement.classes) or None,
        "evidence": dict(judgement.evidence) or None,
        "reason": judgement.reason,
    }


def message_verdicts(connection: Connection, dialogues: Sequence[int]) -> dict[int, list[MessageVerdict]]:
    """All verdicts on the messages of some dialogues, in an order that only their content decides."""
    statement = (
        select(MESSAGE_VERDICTS, JUDGES.c.name, JUDGES.c.revision, JUDGES.c.tau)
        .join(JUDGES, JUDGES.c.id == MESSAGE_VERDICTS.c.judge)
        .where(MESSAGE_VERDICTS.c.dialogue.in_(dialogues))
        .order_by(
            MESSAGE_VERDICTS.c.dialogue,
            MESSAGE_VERDICTS.c.check_name,
            MESSAGE_VERDICTS.c.message,
            JUDGES.c.name,
            JUDGES.c.revision,
            MESSAGE_VERDICTS.c.method,
        )
    )
    verdicts: dict[int, list[MessageVerdict]] = defaultdict(list)
    for row in connection.execute(statement):
        judgement = Judgement(row.contradiction, row.classes or NOTHING, row.evidence or NOTHING, row.reason)
        verdicts[row.dialogue].append(
            MessageVerdict(
                Check(row.check_name),
                row.message,
                row.name,
                row.revision,
                row.method,
                judgement,
                row.tau,
                row.seconds,
            )
        )
    return verdicts


def _work(
    connection: Connection, ids: Sequence[int], judge: int, check: Check, method: int, tournament: str
) -> list[Unchecked]:
    said: dict[int, list[Message]] = defaultdict(list)
    judged: dict[int, set[int]] = defaultdict(set)
    about: dict[int, tuple[str | None, str | None, Mapping[str, Any], int]] = {}
    for some in chunks(ids):
        statement = select(MESSAGES).where(MESSAGES.c.dialogue.in_(some))
        for row in connection.execute(statement.order_by(MESSAGES.c.dialogue, MESSAGES.c.index)):
            said[row.dialogue].append(message(row))
        this = and_(
            MESSAGE_VERDICTS.c.judge == judge,
            MESSAGE_VERDICTS.c.check_name == check.value,
            MESSAGE_VERDICTS.c.method == method,
            MESSAGE_VERDICTS.c.dialogue.in_(some),
        )
        columns = select(MESSAGE_VERDICTS.c.dialogue, MESSAGE_VERDICTS.c.message)
        for dialogue, index in connection.execute(columns.where(this)):
            judged[dialogue].add(index)
        facts = (
            select(
                DIALOGUES.c.id, DIALOGUES.c.facts, DIALOGUES.c.personas, BOTS.c.settings, SCHEDULE.c.number
            )
            .join(BOTS, BOTS.c.identity == DIALOGUES.c.tested)
            .join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
            .where(DIALOGUES.c.id.in_(some), SCHEDULE.c.tournament == tournament)
        )
        for row in connection.execute(facts):
            knowledge = (row.facts or {}).get("knowledge")
            about[row.id] = (personas_of(row)[TESTED], knowledge, row.settings or {}, row.number)
    return [
        Unchecked(
            id,
            tuple(said[id]),
            frozenset(m.index for m in said[id] if m.seat == TESTED) - judged[id],
            *about[id],
        )
        for id in ids
    ]
