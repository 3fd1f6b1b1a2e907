"""Queries for the checks of messages: dialogues with unjudged messages, and verdicts on messages."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, and_, func, select

from arena.core.types import (
    MESSAGE_CHECKS,
    NOTHING,
    TESTED,
    Check,
    Judgement,
    Message,
    MessageVerdict,
    Status,
)
from db.records import CheckRow, Unchecked
from db.rows import judgement_columns, message, personas_of
from db.session import Database, reading, writing
from db.tables import (
    BOTS,
    DIALOGUES,
    JUDGES,
    MESSAGE_VERDICTS,
    MESSAGES,
    SCHEDULE,
    chunks,
    insert_new,
)

CheckVerdict = tuple[int, int, Judgement]
"""The dialogue, the message, and the judge's opinion of the message."""


class Checking(Database):
    """The part of the repository that the checks of messages use."""

    def unchecked(
        self, tournament: str, judge: int, check: Check, method: int, after: int, limit: int
    ) -> list[Unchecked]:
        """Returns finished dialogues that have messages without this judge's verdict, in the order of their rows."""
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
        """Stores verdicts. `seconds` is the time for the whole batch, and each verdict gets an equal share."""
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

    def checks(self, tournament: str) -> list[CheckRow]:
        """Returns which judge has judged which check, newest judges and methods first."""
        with reading(self.engine) as connection:
            rows = [
                CheckRow(check, judge.id, judge.name, judge.revision, judge.tau, method)
                for judge in connection.execute(select(JUDGES)).all()
                for check in MESSAGE_CHECKS
                for method in _methods(connection, judge.id, check)
                if _has_verdict(connection, tournament, judge.id, check, method)
            ]
        return sorted(rows, key=lambda judged: (judged.check.value, judged.name, -judged.row, -judged.method))


def _methods(connection: Connection, judge: int, check: Check) -> Iterator[int]:
    """Yields the methods, newest first.

    The index finds each method. DISTINCT would read every verdict.
    """
    mine = and_(MESSAGE_VERDICTS.c.judge == judge, MESSAGE_VERDICTS.c.check_name == check.value)
    method = connection.scalar(select(func.max(MESSAGE_VERDICTS.c.method)).where(mine))
    while method is not None:
        yield method
        older = and_(mine, MESSAGE_VERDICTS.c.method < method)
        method = connection.scalar(select(func.max(MESSAGE_VERDICTS.c.method)).where(older))


def _has_verdict(connection: Connection, tournament: str, judge: int, check: Check, method: int) -> bool:
    """Whether a message of the tournament has a verdict of this judge, check and method."""
    verdict = (
        select(MESSAGE_VERDICTS.c.message)
        .where(
            MESSAGE_VERDICTS.c.judge == judge,
            MESSAGE_VERDICTS.c.check_name == check.value,
            MESSAGE_VERDICTS.c.method == method,
            MESSAGE_VERDICTS.c.dialogue == SCHEDULE.c.dialogue,
        )
        .exists()
    )
    mine = select(SCHEDULE.c.dialogue).where(SCHEDULE.c.tournament == tournament, verdict)
    return connection.execute(mine.limit(1)).first() is not None


def message_verdicts(connection: Connection, dialogues: Sequence[int]) -> dict[int, list[MessageVerdict]]:
    """Returns all verdicts on the messages of some dialogues. Their order depends only on their content."""
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
    messages: dict[int, list[Message]] = defaultdict(list)
    judged: dict[int, set[int]] = defaultdict(set)
    about: dict[int, tuple[str | None, str | None, Mapping[str, Any], int]] = {}
    for some in chunks(ids):
        statement = select(MESSAGES).where(MESSAGES.c.dialogue.in_(some))
        for row in connection.execute(statement.order_by(MESSAGES.c.dialogue, MESSAGES.c.index)):
            messages[row.dialogue].append(message(row))
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
            tuple(messages[id]),
            frozenset(m.index for m in messages[id] if m.seat == TESTED) - judged[id],
            *about[id],
        )
        for id in ids
    ]
