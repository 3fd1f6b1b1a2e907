"""The desk for findings: messages that a check has compared with something, and the two compared texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, func, or_, select

from arena.core.types import MESSAGE_CHECKS, Check
from db.arrays import rows_of
from db.label_items import MOST, Item, ItemPlace, Waiting, messages_of, number_limit
from db.labelling import Desk
from db.session import Database, reading
from db.tables import DIALOGUES, JUDGES, LABELS, MESSAGE_VERDICTS, SCHEDULE

FINDING = "finding"


class Findings(Desk):
    """Hands out findings. A subject is `DIALOGUE:MESSAGE:CHECK`.

    Messages without a comparison are left out.
    """

    subject_type = FINDING

    def __init__(self, store: Database, schema: str = FINDING) -> None:
        super().__init__(store, schema)

    def any(self, tournament: str) -> bool:
        statement = (
            select(MESSAGE_VERDICTS.c.message)
            .join(SCHEDULE, SCHEDULE.c.dialogue == MESSAGE_VERDICTS.c.dialogue)
            .where(SCHEDULE.c.tournament == tournament, comparable())
        )
        with reading(self.engine) as connection:
            return connection.execute(statement.limit(1)).first() is not None

    def waiting(self, tournament: str, most: int = MOST) -> list[Waiting]:
        """Returns the findings of all checks in one queue, with the newest verdict of each judge."""
        newest = select(func.max(JUDGES.c.id)).group_by(JUDGES.c.name)
        with reading(self.engine) as connection:
            one = connection.scalar(select(func.max(MESSAGE_VERDICTS.c.judge)))
            limit = number_limit(
                connection, tournament, most, MESSAGE_VERDICTS, MESSAGE_VERDICTS.c.judge == one
            )
            statement = (
                select(
                    MESSAGE_VERDICTS.c.dialogue,
                    DIALOGUES.c.key,
                    SCHEDULE.c.speaker,
                    SCHEDULE.c.tested,
                    MESSAGE_VERDICTS.c.message,
                    MESSAGE_VERDICTS.c.check_name,
                    MESSAGE_VERDICTS.c.judge,
                    MESSAGE_VERDICTS.c.contradiction,
                    JUDGES.c.tau,
                )
                .join(SCHEDULE, SCHEDULE.c.dialogue == MESSAGE_VERDICTS.c.dialogue)
                .join(DIALOGUES, DIALOGUES.c.id == MESSAGE_VERDICTS.c.dialogue)
                .join(JUDGES, JUDGES.c.id == MESSAGE_VERDICTS.c.judge)
                .where(
                    SCHEDULE.c.tournament == tournament,
                    comparable(),
                    MESSAGE_VERDICTS.c.judge.in_(newest),
                    *([] if limit is None else [SCHEDULE.c.number < limit]),
                )
                .order_by(
                    MESSAGE_VERDICTS.c.dialogue,
                    MESSAGE_VERDICTS.c.message,
                    MESSAGE_VERDICTS.c.check_name,
                    MESSAGE_VERDICTS.c.judge,
                    MESSAGE_VERDICTS.c.method,
                )
            )
            about: dict[str, tuple[str, str, str]] = {}
            scores: dict[str, dict[int, tuple[float, float]]] = {}
            for rows in rows_of(connection, statement):
                for dialogue, key, speaker, tested, message, check, judge, score, tau in rows:
                    subject = f"{key}:{message}:{check}"
                    about[subject] = (speaker, tested, str(dialogue))
                    scores.setdefault(subject, {})[judge] = (score, tau)  # a later method's verdict counts
        return [Waiting(subject, *place, tuple(scores[subject].values())) for subject, place in about.items()]

    def item(self, subject: str) -> Item | None:
        """Returns the two statements that the first labeller saw.

        If nobody has labelled the subject, returns the statements that the judges find most contradictory.
        """
        key, index, check = parse_subject(subject)
        if check is None:
            return None
        with reading(self.engine) as connection:
            statement = select(DIALOGUES.c.id, DIALOGUES.c.facts).where(DIALOGUES.c.key == key)
            dialogue = connection.execute(statement).one_or_none()
            if dialogue is None:
                return None
            messages = messages_of(connection, dialogue.id, index)
            if not messages or messages[-1].index != index:
                return None
            if check is Check.KNOWLEDGE:
                knowledge = str((dialogue.facts or {}).get("knowledge") or "")
                parts = (("knowledge", knowledge), ("reply", messages[-1].text))
                return Item(subject, messages, (index,), parts, check.value)
            evidence = self._evidence(connection, subject, dialogue.id, index, check)
        if evidence is None:
            return None
        earlier, later, where = evidence
        role = "persona" if check is Check.PERSONA else "earlier"
        return Item(
            subject,
            messages,
            (index,) if where is None else (where, index),
            ((role, earlier), ("later", later)),
            check.value,
            {"earlier": earlier, "later": later},
        )

    def _evidence(
        self, connection: Connection, subject: str, dialogue: int, index: int, check: Check
    ) -> tuple[str, str, int | None] | None:
        """Returns the earlier statement, the later statement, and the index of the earlier statement's message."""
        rows = connection.execute(_pairs(dialogue, index, check)).all()
        pairs = [row.evidence for row in rows if {"earlier", "later"} <= set(row.evidence or {})]
        first = (
            select(LABELS.c["values"])
            .where(
                LABELS.c.subject == subject,
                LABELS.c.subject_type == FINDING,
                LABELS.c.schema == self.schema,
            )
            .order_by(LABELS.c.created, LABELS.c.id)
        )
        for values in connection.scalars(first):
            if {"earlier", "later"} <= set(values):
                same = (
                    p for p in pairs if (p["earlier"], p["later"]) == (values["earlier"], values["later"])
                )
                return str(values["earlier"]), str(values["later"]), _before(next(same, {}), index)
        if not pairs:
            return None
        return str(pairs[0]["earlier"]), str(pairs[0]["later"]), _before(pairs[0], index)

    def where(self, subjects: Sequence[str]) -> Mapping[str, ItemPlace]:
        items = {subject: self.item(subject) for subject in subjects}
        return {
            subject: ItemPlace(
                parse_subject(subject)[0],
                item.part("earlier", "persona", "knowledge"),
                item.part("later", "reply"),
            )
            for subject, item in items.items()
            if item is not None
        }


def _before(pair: Mapping[str, Any], index: int) -> int | None:
    """Returns the message of the earlier statement, or None if the evidence names no earlier message.

    Imported evidence may contain any value.
    """
    where = pair.get("message")
    return where if isinstance(where, int) and 0 <= where < index else None


def parse_subject(subject: str) -> tuple[str, int, Check | None]:
    """Returns dialogue, message and check. The check is None if its name is unknown."""
    rest, _, check = subject.rpartition(":")
    key, _, index = rest.rpartition(":")
    if check not in {one.value for one in MESSAGE_CHECKS} or not (index.isascii() and index.isdigit()):
        return subject, 0, None
    return key, int(index), Check(check)


def comparable() -> ColumnElement[bool]:
    """Returns the condition that a verdict has a score and compares two statements."""
    return and_(
        MESSAGE_VERDICTS.c.contradiction.is_not(None),
        or_(
            MESSAGE_VERDICTS.c.check_name == Check.KNOWLEDGE.value,
            MESSAGE_VERDICTS.c.evidence["earlier"].as_string().is_not(None),
        ),
    )


def _pairs(dialogue: int, index: int, check: Check) -> Select[Any]:
    """Selects the evidence of a message, most contradictory first."""
    return (
        select(MESSAGE_VERDICTS.c.evidence)
        .where(
            MESSAGE_VERDICTS.c.dialogue == dialogue,
            MESSAGE_VERDICTS.c.message == index,
            MESSAGE_VERDICTS.c.check_name == check.value,
            comparable(),
        )
        .order_by(
            MESSAGE_VERDICTS.c.contradiction.desc(),
            MESSAGE_VERDICTS.c.judge.desc(),
            MESSAGE_VERDICTS.c.method.desc(),
        )
    )
