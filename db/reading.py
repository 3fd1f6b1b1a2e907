"""Reads stored dialogues with their messages, inquiries, verdicts and labels."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Select, select

from arena.core.types import NOTHING, Inquiry, Label, Message, MessageVerdict, OnLoop, Status, Verdict
from db.checking import message_verdicts
from db.label_rows import label_of
from db.records import Record
from db.rows import collapse_of, finding, inquiry, message, personas_of, verdict
from db.session import Database, reading
from db.tables import DIALOGUES, INQUIRIES, JUDGES, LABELS, MESSAGES, SCHEDULE, VERDICTS, chunks


class Reading(Database):
    """The part of the repository that reads stored dialogues."""

    def records(self, tournament: str, *, keys: Sequence[str] | None = None) -> Iterator[Record]:
        """Returns stored dialogues with their verdicts and labels, sorted by names and number."""
        statement = (
            select(
                DIALOGUES,
                SCHEDULE.c.number,
                SCHEDULE.c.speaker.label("speaker_name"),
                SCHEDULE.c.tested.label("tested_name"),
            )
            .join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
            .where(SCHEDULE.c.tournament == tournament)
        )
        if keys is not None:
            statement = statement.where(DIALOGUES.c.key.in_(keys))
        with reading(self.engine) as connection:
            rows = connection.execute(statement).all()
            rows = sorted(rows, key=lambda r: (r.speaker_name, r.tested_name, r.number, r.key))
            for some in chunks(rows):
                yield from _records(connection, some)


@dataclass(frozen=True, slots=True)
class _Content:
    """The messages, inquiries, verdicts and labels of one dialogue."""

    key: str
    messages: tuple[Message, ...]
    inquiries: tuple[Inquiry, ...]
    verdicts: tuple[Verdict, ...]
    message_verdicts: tuple[MessageVerdict, ...]

    def subjects(self) -> list[str]:
        """Returns everything that a label may be about."""
        return [
            self.key,
            *(inquiry.id for inquiry in self.inquiries),
            *(f"{self.key}:{message.index}" for message in self.messages),
            *sorted({finding(self.key, verdict) for verdict in self.message_verdicts}),
        ]


def _records(connection: Connection, rows: Sequence[Any]) -> Iterator[Record]:
    contents = _contents(connection, {row.id: row.key for row in rows})
    labels = _labels(connection, [subject for each in contents.values() for subject in each.subjects()])
    for row in rows:
        content = contents[row.id]
        yield Record(
            key=row.key,
            speaker=row.speaker_name,
            tested=row.tested_name,
            speaker_identity=row.speaker,
            tested_identity=row.tested,
            number=row.number,
            opener=row.opener,
            seed=row.seed,
            turns=row.turns,
            inquirer=row.inquirer,
            status=Status(row.status),
            reason=row.reason,
            refused=row.refused or NOTHING,
            facts=row.facts or NOTHING,
            seconds=row.seconds,
            messages=content.messages,
            inquiries=content.inquiries,
            verdicts=content.verdicts,
            labels=tuple(label for subject in content.subjects() for label in labels.get(subject, ())),
            on_loop=OnLoop(row.on_loop or OnLoop.KEEP),
            personas=personas_of(row),
            collapse=collapse_of(row),
            message_verdicts=content.message_verdicts,
        )


def _contents(connection: Connection, keys: Mapping[int, str]) -> dict[int, _Content]:
    messages = select(MESSAGES).where(MESSAGES.c.dialogue.in_(keys))
    inquiries = select(INQUIRIES).where(INQUIRIES.c.dialogue.in_(keys))
    judges = (JUDGES.c.name, JUDGES.c.revision, JUDGES.c.tau)
    verdicts = (
        select(VERDICTS, *judges, INQUIRIES.c.key, INQUIRIES.c.dialogue)
        .join(JUDGES, JUDGES.c.id == VERDICTS.c.judge)
        .join(INQUIRIES, INQUIRIES.c.id == VERDICTS.c.inquiry)
        .where(INQUIRIES.c.dialogue.in_(keys))
    )
    spoken = _by_dialogue(connection, messages.order_by(MESSAGES.c.dialogue, MESSAGES.c.index))
    asked = _by_dialogue(connection, inquiries.order_by(INQUIRIES.c.dialogue, INQUIRIES.c.number))
    order = (INQUIRIES.c.dialogue, INQUIRIES.c.number, JUDGES.c.name, JUDGES.c.revision)
    judged = _by_dialogue(connection, verdicts.order_by(*order))
    checked = message_verdicts(connection, list(keys))
    return {
        id: _Content(
            key,
            tuple(map(message, spoken.get(id, ()))),
            tuple(map(inquiry, asked.get(id, ()))),
            tuple(map(verdict, judged.get(id, ()))),
            tuple(checked.get(id, ())),
        )
        for id, key in keys.items()
    }


def _by_dialogue(connection: Connection, statement: Select[Any]) -> dict[int, list[Any]]:
    rows = connection.execute(statement)
    return {dialogue: list(group) for dialogue, group in groupby(rows, key=lambda row: row.dialogue)}


def _labels(connection: Connection, subjects: Sequence[str]) -> dict[str, list[Label]]:
    labels: dict[str, list[Label]] = defaultdict(list)
    for some in chunks(subjects):
        statement = select(LABELS).where(LABELS.c.subject.in_(some))
        for row in connection.execute(statement.order_by(LABELS.c.subject, LABELS.c.schema, LABELS.c.person)):
            labels[row.subject].append(label_of(row))
    return labels
