"""Reads stored dialogues with all that hangs on them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from sqlalchemy import Connection, Engine, select

from arena.core.types import NOTHING, Label, OnLoop
from db.checking import message_verdicts
from db.records import Record
from db.rows import collapse_of, finding, inquiry, message, personas_of, verdict
from db.session import reading
from db.tables import DIALOGUES, INQUIRIES, JUDGES, LABELS, MESSAGES, SCHEDULE, VERDICTS, chunks


class Reading:
    """The part of the repository that shows what is there."""

    engine: Engine

    def records(self, tournament: str, *, keys: Sequence[str] | None = None) -> Iterator[Record]:
        """Stored dialogues with all that hangs on them, sorted by names and number."""
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


def _by(rows: Iterable[Any], name: str) -> dict[Any, list[Any]]:
    return {key: list(group) for key, group in groupby(rows, key=lambda row: getattr(row, name))}


def _records(connection: Connection, rows: Sequence[Any]) -> Iterator[Record]:
    ids = [row.id for row in rows]
    messages = _by(
        connection.execute(
            select(MESSAGES)
            .where(MESSAGES.c.dialogue.in_(ids))
            .order_by(MESSAGES.c.dialogue, MESSAGES.c.index)
        ),
        "dialogue",
    )
    inquiries = _by(
        connection.execute(
            select(INQUIRIES)
            .where(INQUIRIES.c.dialogue.in_(ids))
            .order_by(INQUIRIES.c.dialogue, INQUIRIES.c.number)
        ),
        "dialogue",
    )
    verdicts = _by(
        connection.execute(
            select(
                VERDICTS,
                JUDGES.c.name,
                JUDGES.c.revision,
                JUDGES.c.tau,
                INQUIRIES.c.key,
                INQUIRIES.c.dialogue,
            )
            .join(JUDGES, JUDGES.c.id == VERDICTS.c.judge)
            .join(INQUIRIES, INQUIRIES.c.id == VERDICTS.c.inquiry)
            .where(INQUIRIES.c.dialogue.in_(ids))
            .order_by(INQUIRIES.c.dialogue, INQUIRIES.c.number, JUDGES.c.name, JUDGES.c.revision)
        ),
        "dialogue",
    )
    checked = message_verdicts(connection, ids)
    subjects = [row.key for row in rows]
    subjects += [inquiry.key for group in inquiries.values() for inquiry in group]
    subjects += [f"{row.key}:{said.index}" for row in rows for said in messages.get(row.id, [])]
    subjects += sorted({finding(row.key, v) for row in rows for v in checked.get(row.id, [])})
    labels: dict[str, list[Label]] = defaultdict(list)
    for some in chunks(subjects):
        for row in connection.execute(
            select(LABELS)
            .where(LABELS.c.subject.in_(some))
            .order_by(LABELS.c.subject, LABELS.c.schema, LABELS.c.person)
        ):
            labels[row.subject].append(
                Label(
                    row.subject,
                    row.subject_type,
                    row.schema,
                    row.person,
                    row.values,
                    row.note,
                    row.seconds,
                    row.drawn,
                )
            )
    for row in rows:
        said = tuple(message(r) for r in messages.get(row.id, []))
        asked = tuple(inquiry(r) for r in inquiries.get(row.id, []))
        about = [row.key, *(i.id for i in asked), *(f"{row.key}:{message.index}" for message in said)]
        about += sorted({finding(row.key, v) for v in checked.get(row.id, [])})
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
            status=row.status,
            reason=row.reason,
            refused=row.refused or NOTHING,
            facts=row.facts or NOTHING,
            seconds=row.seconds,
            messages=said,
            inquiries=asked,
            verdicts=tuple(verdict(r) for r in verdicts.get(row.id, [])),
            labels=tuple(label for subject in about for label in labels.get(subject, [])),
            on_loop=OnLoop(row.on_loop or OnLoop.KEEP),
            personas=personas_of(row),
            collapse=collapse_of(row),
            message_verdicts=tuple(checked.get(row.id, ())),
        )
