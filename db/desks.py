"""Desks hand out the inquiries, messages and dialogues of a tournament to labellers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import Select, func, select

from arena.core.types import SPEAKER, TESTED, Message, Status
from db.arrays import rows_of
from db.label_items import MOST, Item, ItemPlace, Waiting, messages_of, number_limit
from db.labelling import Desk
from db.session import Database, reading
from db.tables import DIALOGUES, INQUIRIES, JUDGES, MESSAGES, SCHEDULE, VERDICTS, chunks


class Inquiries(Desk):
    """Hands out inquiries that have an answer."""

    subject_type = "inquiry"

    def __init__(self, store: Database, schema: str = "aih") -> None:
        super().__init__(store, schema)

    def any(self, tournament: str) -> bool:
        mine = (
            select(INQUIRIES.c.id)
            .join(SCHEDULE, SCHEDULE.c.dialogue == INQUIRIES.c.dialogue)
            .where(SCHEDULE.c.tournament == tournament, INQUIRIES.c.answer.is_not(None))
        )
        with reading(self.engine) as connection:
            return connection.execute(mine.limit(1)).first() is not None

    def waiting(self, tournament: str, most: int = MOST) -> list[Waiting]:
        newest = select(func.max(JUDGES.c.id)).group_by(JUDGES.c.name)
        with reading(self.engine) as connection:
            where = [SCHEDULE.c.tournament == tournament, INQUIRIES.c.answer.is_not(None)]
            limit = number_limit(connection, tournament, most, INQUIRIES)
            if limit is not None:
                where.append(SCHEDULE.c.number < limit)
            members = (
                select(
                    INQUIRIES.c.id,
                    INQUIRIES.c.key,
                    SCHEDULE.c.speaker,
                    SCHEDULE.c.tested,
                    SCHEDULE.c.dialogue,
                )
                .join(SCHEDULE, SCHEDULE.c.dialogue == INQUIRIES.c.dialogue)
                .where(*where)
                .order_by(INQUIRIES.c.id)
            )
            verdicts = (
                select(VERDICTS.c.inquiry, VERDICTS.c.contradiction, JUDGES.c.tau)
                .join(JUDGES, JUDGES.c.id == VERDICTS.c.judge)
                .join(INQUIRIES, INQUIRIES.c.id == VERDICTS.c.inquiry)
                .join(SCHEDULE, SCHEDULE.c.dialogue == INQUIRIES.c.dialogue)
                .where(*where, VERDICTS.c.contradiction.is_not(None), VERDICTS.c.judge.in_(newest))
                .order_by(VERDICTS.c.judge)
            )
            scores: dict[int, tuple[tuple[float, float], ...]] = {}
            for rows in rows_of(connection, verdicts):
                for inquiry, score, tau in rows:
                    scores[inquiry] = (*scores.get(inquiry, ()), (score, tau))
            return [
                Waiting(key, speaker, tested, str(dialogue), scores.get(id, ()))
                for rows in rows_of(connection, members)
                for id, key, speaker, tested, dialogue in rows
            ]

    def item(self, subject: str) -> Item | None:
        with reading(self.engine) as connection:
            row = connection.execute(select(INQUIRIES).where(INQUIRIES.c.key == subject)).one_or_none()
            if row is None or row.answer is None:
                return None
            messages = messages_of(connection, row.dialogue, row.after)
        source = next((m for m in messages if m.index == row.source), None)
        if row.reference is not None:
            source_part = ("same_before", row.reference)
        else:
            role = "partner" if source is not None and source.seat != TESTED else "said"
            source_part = (role, source.text if source else "")
        parts = (source_part, ("asked", row.question), ("answered", row.answer))
        return Item(subject, messages, (row.source,), parts)

    def where(self, subjects: Sequence[str]) -> Mapping[str, ItemPlace]:
        statement = select(
            INQUIRIES.c.key,
            DIALOGUES.c.key.label("dialogue"),
            INQUIRIES.c.question,
            INQUIRIES.c.answer,
        ).join(DIALOGUES, DIALOGUES.c.id == INQUIRIES.c.dialogue)
        with reading(self.engine) as connection:
            return {
                row.key: ItemPlace(row.dialogue, row.question, row.answer or "")
                for some in chunks(subjects)
                for row in connection.execute(statement.where(INQUIRIES.c.key.in_(some)))
            }


class Messages(Desk):
    """Hands out messages of bots under test. A subject is `DIALOGUE:INDEX`."""

    subject_type = "message"

    def _dialogues(self, tournament: str) -> Select[Any]:
        """Selects the dialogues whose messages are labelled."""
        return done_dialogues(tournament)

    def any(self, tournament: str) -> bool:
        return _any(self.store, self._dialogues(tournament))

    def waiting(self, tournament: str, most: int = MOST) -> list[Waiting]:
        """Returns the messages that may be labelled.

        If there are many, these are the messages in the first dialogues of each pair.
        """
        statement = (
            self._dialogues(tournament)
            .add_columns(MESSAGES.c.index)
            .join(MESSAGES, MESSAGES.c.dialogue == DIALOGUES.c.id)
            .where(MESSAGES.c.seat == TESTED)
            .order_by(SCHEDULE.c.number, DIALOGUES.c.id, MESSAGES.c.index)
            .limit(most)
        )
        with reading(self.engine) as connection:
            return [
                Waiting(f"{key}:{place}", speaker, tested, str(dialogue))
                for dialogue, key, speaker, tested, place in connection.execute(statement)
            ]

    def item(self, subject: str) -> Item | None:
        key, _, index = subject.rpartition(":")
        messages = messages_in(self.store, key, index)
        if not messages or messages[-1].index != int(index):
            return None
        before = next((m.text for m in reversed(messages) if m.seat == SPEAKER), "")
        return Item(
            subject, messages, (messages[-1].index,), (("previous", before), ("reply", messages[-1].text))
        )

    def where(self, subjects: Sequence[str]) -> Mapping[str, ItemPlace]:
        return dict(_places(self, subjects))


class Dialogues(Desk):
    """Hands out whole dialogues. A subject is a dialogue's key."""

    subject_type = "dialogue"

    def any(self, tournament: str) -> bool:
        return _any(self.store, done_dialogues(tournament))

    def waiting(self, tournament: str, most: int = MOST) -> list[Waiting]:
        statement = done_dialogues(tournament).order_by(SCHEDULE.c.number, DIALOGUES.c.id).limit(most)
        with reading(self.engine) as connection:
            return [
                Waiting(key, speaker, tested, str(dialogue))
                for dialogue, key, speaker, tested in connection.execute(statement)
            ]

    def item(self, subject: str) -> Item | None:
        messages = messages_in(self.store, subject, None)
        return Item(subject, messages) if messages else None

    def where(self, subjects: Sequence[str]) -> Mapping[str, ItemPlace]:
        return dict(_places(self, subjects))


def messages_in(store: Database, key: str, last: str | None) -> tuple[Message, ...]:
    """Returns the messages of the dialogue with this key, up to number `last`.

    Returns nothing if there is no such message.
    """
    if last is not None and not (last.isascii() and last.isdigit() and len(last) < 10):
        return ()
    with reading(store.engine) as connection:
        id = connection.scalar(select(DIALOGUES.c.id).where(DIALOGUES.c.key == key))
        return () if id is None else messages_of(connection, id, None if last is None else int(last))


def _places(desk: Messages | Dialogues, subjects: Sequence[str]) -> Iterator[tuple[str, ItemPlace]]:
    for subject in subjects:
        if (item := desk.item(subject)) is not None:
            dialogue = subject.rpartition(":")[0] or subject
            first, last = item.messages[0].text, item.messages[-1].text
            yield subject, ItemPlace(dialogue, item.part("previous") or first, last)


def done_dialogues(tournament: str) -> Select[Any]:
    return (
        select(DIALOGUES.c.id, DIALOGUES.c.key, SCHEDULE.c.speaker, SCHEDULE.c.tested)
        .join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
        .where(SCHEDULE.c.tournament == tournament, DIALOGUES.c.status == Status.DONE.value)
    )


def _any(store: Database, dialogues: Select[Any]) -> bool:
    with reading(store.engine) as connection:
        return connection.execute(dialogues.limit(1)).first() is not None
