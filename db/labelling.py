"""The labelling desk: one item a person at a time, every single answer stored while the item is still held."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import Connection, Engine, Table, and_, delete, func, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from arena.core.types import Label, Message
from db import models as m
from db.arrays import rows_of
from db.labels import HISTORY, LEASES, Labels, of_tournament
from db.session import reading, writing
from db.statistics import Said
from db.tables import DIALOGUES, INQUIRIES, JUDGES, LABELS, MESSAGES, SCHEDULE, VERDICTS

TASKS: Table = m.LabelTaskRow.__table__  # type: ignore[assignment]
INQUIRY = "inquiry"
HOLD = 600.0  # seconds that an item is held for somebody who does not answer
PASSED = 12 * 3600.0  # seconds until a skipped item is offered again
MOST = 100_000  # items in a queue
SAMPLE = 500  # dialogues that tell how many inquiries one has

Complete = Callable[[Mapping[str, Any]], bool]  # whether a label's answers are all that the form asks


@dataclass(frozen=True, slots=True)
class Task:
    """What the organiser decided; AIH's own numbers unless told otherwise."""

    wanted: int = 3
    seed: int = 0
    share: float = 0.3
    dialogues: int | None = None


class Waiting(NamedTuple):
    """An answered inquiry that may be labelled: its pair, its dialogue, each judge's (score, τ)."""

    subject: str
    speaker: str
    tested: str
    dialogue: str
    scores: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Item:
    """What a person sees of an inquiry; no names, no verdicts."""

    subject: str
    messages: tuple[Message, ...]  # up to the fork
    source: int
    question: str
    answer: str
    reference: str | None
    entity: str


class Desk:
    """Hands out inquiries and takes answers, one schema at a time."""

    subject_type = INQUIRY

    def __init__(self, engine: Engine, schema: str = "aih") -> None:
        self.engine = engine
        self.schema = schema
        self.skipped = f"{schema}:skipped"
        self._labels = Labels(engine)

    # ── the task ──────────────────────────────────────────────────────────────────────────────

    def task(self, tournament: str) -> Task:
        statement = select(TASKS.c.wanted, TASKS.c.seed, TASKS.c.share, TASKS.c.dialogues)
        with reading(self.engine) as connection:
            row = connection.execute(statement.where(self._mine(tournament))).one_or_none()
        return Task(*row) if row else Task()

    def decide(self, tournament: str, task: Task) -> None:
        values = {
            "wanted": task.wanted,
            "seed": task.seed,
            "share": task.share,
            "dialogues": task.dialogues,
        }
        with writing(self.engine) as connection:
            dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
            row = {"tournament": tournament, "schema": self.schema, **values}
            connection.execute(
                dialect.insert(TASKS)
                .values(**row)
                .on_conflict_do_update(index_elements=["tournament", "schema"], set_=values)
            )

    def _mine(self, tournament: str) -> Any:
        return and_(TASKS.c.tournament == tournament, TASKS.c.schema == self.schema)

    def waiting(self, tournament: str, most: int = MOST) -> list[Waiting]:
        """What may be labelled; read once for a queue, not for each item.

        Of a tournament that holds more than anybody labels, the first dialogues of each pair: seeds made them
        a random sample.
        """
        newest = select(func.max(JUDGES.c.id)).group_by(JUDGES.c.name)
        with reading(self.engine) as connection:
            where = [SCHEDULE.c.tournament == tournament, INQUIRIES.c.answer.is_not(None)]
            numbers = _numbers(connection, tournament, most)
            if numbers is not None:
                where.append(SCHEDULE.c.number < numbers)
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

    # ── one person's work ─────────────────────────────────────────────────────────────────────

    def next(
        self,
        queue: Sequence[str],
        person: str,
        complete: Complete,
        wanted: int,
        now: float,
        drawn: Callable[[str], bool] | None = None,
    ) -> str | None:
        """What this person is at, else the next of the queue; held for a while."""
        with reading(self.engine) as connection:
            begun = self._latest(connection, person)
            held = connection.scalars(
                select(LEASES.c.subject).where(LEASES.c.schema == self.schema, LEASES.c.person == person)
            ).all()
            gone = set(
                connection.scalars(
                    select(LEASES.c.subject).where(
                        LEASES.c.schema == self.skipped, LEASES.c.person == person, LEASES.c.until > now
                    )
                )
            )
        if (
            begun is not None
            and begun.subject not in gone
            and not complete(begun.values)
            and begun.subject in queue
        ):
            self.hold(begun.subject, person, now)
            return begun.subject
        if any(subject not in queue for subject in held):  # of another tournament, where others wait for it
            self._labels.give_back(self.schema, person)
        return self._labels.take(
            queue,
            self.subject_type,
            self.schema,
            person,
            wanted=wanted,
            now=now,
            until=now + HOLD,
            passed=gone,
            drawn=drawn,
        )

    def hold(self, subject: str, person: str, now: float) -> bool:
        """Whether it is this person's now."""
        with writing(self.engine) as connection:
            return self._hold(connection, subject, person, now)

    def _hold(self, connection: Connection, subject: str, person: str, now: float) -> bool:
        this = and_(LEASES.c.subject_type == self.subject_type, LEASES.c.schema == self.schema)
        others = select(LEASES.c.person).where(
            this, LEASES.c.subject == subject, LEASES.c.person != person, LEASES.c.until >= now
        )
        if connection.scalar(others) is not None:
            return False
        drawn = self._drawn(connection, subject, person)
        connection.execute(delete(LEASES).where(this, LEASES.c.person == person))
        row = {"subject": subject, "subject_type": self.subject_type, "schema": self.schema, "person": person}
        connection.execute(insert(LEASES).values(**row, until=now + HOLD, drawn=drawn))
        return True

    def _drawn(self, connection: Connection, subject: str, person: str) -> bool | None:
        """Whether the lot chose it when it was handed out to this person; a label taken back still knows."""
        for table, newest in ((LEASES, LEASES.c.until), (HISTORY, HISTORY.c.id)):
            statement = select(table.c.drawn).where(
                table.c.subject == subject,
                table.c.subject_type == self.subject_type,
                table.c.schema == self.schema,
                table.c.person == person,
            )
            row = connection.execute(statement.order_by(newest.desc()).limit(1)).one_or_none()
            if row is not None:
                return None if row.drawn is None else bool(row.drawn)
        return None

    def answer(self, label: Label, complete: Complete, now: float) -> Label:
        """Adds answers to this person's label of the subject; a complete one frees the item."""
        with writing(self.engine) as connection:
            row = connection.execute(select(LABELS).where(_is(label))).one_or_none()
            said = dict(row._mapping["values"]) if row is not None else {}
            merged = {**said, **label.values}
            spent = (row.seconds or 0.0 if row is not None else 0.0) + (label.seconds or 0.0)
            values = {"values": merged, "note": label.note, "seconds": round(spent, 3), "created": now}
            if row is None:
                key = {"subject": label.subject, "subject_type": self.subject_type, "schema": self.schema}
                drawn = self._drawn(connection, label.subject, label.person)
                connection.execute(insert(LABELS).values(**key, person=label.person, drawn=drawn, **values))
            elif merged != said or label.note != row.note:
                kept = {name: row._mapping[name] for name in _KEPT}
                connection.execute(insert(HISTORY).values(**kept, replaced=now))
                connection.execute(update(LABELS).where(LABELS.c.id == row.id).values(**values))
            if complete(merged):
                connection.execute(
                    delete(LEASES).where(
                        LEASES.c.schema == self.schema,
                        LEASES.c.subject == label.subject,
                        LEASES.c.person == label.person,
                    )
                )
            else:
                self._hold(connection, label.subject, label.person, now)
        return Label(
            label.subject, self.subject_type, self.schema, label.person, merged, label.note, round(spent, 3)
        )

    def skip(self, subject: str, person: str, now: float) -> None:
        """Offers it to others; to this person again much later."""
        with writing(self.engine) as connection:
            mine = and_(LEASES.c.subject == subject, LEASES.c.person == person)
            connection.execute(delete(LEASES).where(mine))
            row = {
                "subject": subject,
                "subject_type": self.subject_type,
                "schema": self.skipped,
                "person": person,
            }
            connection.execute(insert(LEASES).values(**row, until=now + PASSED))

    def undo(self, person: str, now: float) -> str | None:
        """Takes the latest answer back, or the latest skip if that was later; gives the item."""
        with reading(self.engine) as connection:
            latest = self._latest(connection, person)
            skipped = connection.execute(
                select(LEASES.c.subject, LEASES.c.until)
                .where(LEASES.c.schema == self.skipped, LEASES.c.person == person)
                .order_by(LEASES.c.until.desc())
                .limit(1)
            ).one_or_none()
            created = (
                connection.scalar(select(LABELS.c.created).where(_is(latest))) if latest is not None else None
            )
        if skipped is not None and (created is None or skipped.until - PASSED >= created):
            with writing(self.engine) as connection:
                connection.execute(
                    delete(LEASES).where(
                        LEASES.c.schema == self.skipped,
                        LEASES.c.person == person,
                        LEASES.c.subject == skipped.subject,
                    )
                )
                self._hold(connection, skipped.subject, person, now)
            return str(skipped.subject)
        taken = self._labels.undo(self.schema, person, now)
        if taken is None:
            return None
        self.hold(taken.subject, person, now)
        return taken.subject

    def _latest(self, connection: Connection, person: str) -> Label | None:
        row = connection.execute(
            select(LABELS)
            .where(LABELS.c.person == person, LABELS.c.schema == self.schema)
            .order_by(LABELS.c.created.desc(), LABELS.c.id.desc())
            .limit(1)
        ).one_or_none()
        return None if row is None else _label(row)

    def mine(self, subject: str, person: str) -> Label | None:
        wanted = Label(subject, self.subject_type, self.schema, person, {})
        with reading(self.engine) as connection:
            row = connection.execute(select(LABELS).where(_is(wanted))).one_or_none()
        return None if row is None else _label(row)

    # ── reading ───────────────────────────────────────────────────────────────────────────────

    def item(self, subject: str) -> Item | None:
        with reading(self.engine) as connection:
            row = connection.execute(select(INQUIRIES).where(INQUIRIES.c.key == subject)).one_or_none()
            if row is None or row.answer is None:
                return None
            said = connection.execute(
                select(MESSAGES)
                .where(MESSAGES.c.dialogue == row.dialogue, MESSAGES.c.index <= row.after)
                .order_by(MESSAGES.c.index)
            ).all()
        messages = tuple(Message(r._mapping["index"], r.seat, r.text, r.hash, r.parent) for r in said)
        return Item(subject, messages, row.source, row.question, row.answer, row.reference, row.entity)

    def done_by(self, person: str, tournament: str, complete: Complete) -> int:
        """How many items of the tournament this person has finished; a note alone finishes nothing."""
        statement = select(LABELS.c.subject, LABELS.c["values"]).where(
            LABELS.c.person == person,
            LABELS.c.schema == self.schema,
            LABELS.c.subject_type == self.subject_type,
        )
        with reading(self.engine) as connection:
            finished = [row.subject for row in connection.execute(statement) if complete(row[1])]
            subjects = [(self.subject_type, subject) for subject in finished]
            return len(of_tournament(connection, tournament, subjects))

    def people(self) -> list[str]:
        """Everybody who has said something in the schema."""
        with reading(self.engine) as connection:
            return sorted(
                connection.scalars(select(LABELS.c.person).where(LABELS.c.schema == self.schema).distinct())
            )

    def said(self, tournament: str) -> list[Said]:
        """What people said of the tournament's inquiries; costs as much as there are labels."""
        statement = (
            select(
                LABELS.c.subject,
                LABELS.c.subject_type,
                LABELS.c.schema,
                LABELS.c.person,
                LABELS.c["values"],
                LABELS.c.seconds,
                LABELS.c.drawn,
            )
            .where(LABELS.c.subject_type == INQUIRY, LABELS.c.schema == self.schema)
            .order_by(LABELS.c.subject, LABELS.c.person)
        )
        with reading(self.engine) as connection:
            rows = [Said(*row) for row in connection.execute(statement)]
            mine = of_tournament(connection, tournament, [(INQUIRY, row.subject) for row in rows])
        return [row for row in rows if (INQUIRY, row.subject) in mine]

    def where(self, subjects: Sequence[str]) -> Mapping[str, tuple[str, str, str, str, str]]:
        """(dialogue, speaker, tested, question, answer) of inquiries, any home will do."""
        statement = (
            select(
                INQUIRIES.c.key,
                DIALOGUES.c.key.label("dialogue"),
                SCHEDULE.c.speaker,
                SCHEDULE.c.tested,
                INQUIRIES.c.question,
                INQUIRIES.c.answer,
            )
            .join(DIALOGUES, DIALOGUES.c.id == INQUIRIES.c.dialogue)
            .join(SCHEDULE, SCHEDULE.c.dialogue == INQUIRIES.c.dialogue)
            .where(INQUIRIES.c.key.in_(subjects[:400]))
        )
        with reading(self.engine) as connection:
            return {
                row.key: (row.dialogue, row.speaker, row.tested, row.question, row.answer or "")
                for row in connection.execute(statement)
            }


def _numbers(connection: Connection, tournament: str, most: int) -> int | None:
    """How many dialogues of each pair hold about so many inquiries; None where all of them hold no more."""
    mine = SCHEDULE.c.tournament == tournament
    dialogues, last = connection.execute(
        select(func.count(), func.max(SCHEDULE.c.number)).select_from(SCHEDULE).where(mine)
    ).one()
    some = select(SCHEDULE.c.dialogue).where(mine).limit(SAMPLE).subquery()
    asked = connection.scalar(
        select(func.count()).select_from(INQUIRIES).where(INQUIRIES.c.dialogue.in_(select(some.c.dialogue)))
    )
    if not dialogues or not asked:
        return None
    each = asked / min(dialogues, SAMPLE)
    if dialogues * each <= most:
        return None
    return max(1, int(most / (each * dialogues / (last + 1))))


_KEPT = ("subject", "subject_type", "schema", "person", "values", "note", "seconds", "drawn", "created")


def _is(label: Label) -> Any:
    return and_(
        LABELS.c.subject == label.subject,
        LABELS.c.subject_type == label.subject_type,
        LABELS.c.schema == label.schema,
        LABELS.c.person == label.person,
    )


def _label(row: Any) -> Label:
    of = row._mapping
    return Label(*(of[name] for name in _KEPT[:-1]))
