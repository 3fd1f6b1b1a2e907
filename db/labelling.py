"""Hands out one item per labeller at a time, and stores each answer as long as the labeller holds the item."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Table, and_, delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from arena.core.types import Label
from db import models as m
from db.label_items import MOST, Item, ItemPlace, Waiting
from db.label_rows import HISTORY, LEASES, label_of, latest, remember, same
from db.labels import Labels, of_tournament
from db.session import Database, reading, writing
from db.tables import LABELS

TASKS: Table = m.LabelTaskRow.__table__  # type: ignore[assignment]
HOLD = 600.0  # seconds for which an item is reserved without an answer
PASSED = 12 * 3600.0  # seconds until a skipped item is offered again

Complete = Callable[[Mapping[str, Any]], bool]  # whether a label answers everything that the form asks


@dataclass(frozen=True, slots=True)
class Task:
    """The organiser's settings. AIH's own numbers are the defaults."""

    wanted: int = 3
    seed: int = 0
    share: float = 0.3
    dialogues: int | None = None


class Desk:
    """Hands out the subjects of one schema and stores the answers. Subclasses say what can be labelled."""

    subject_type: str

    def __init__(self, store: Database, schema: str) -> None:
        self.store = store
        self.engine = store.engine
        self.schema = schema
        self.skipped = f"{schema}:skipped"
        self._labels = Labels(store)

    def any(self, tournament: str) -> bool:
        """Whether the tournament has anything to label."""
        raise NotImplementedError

    def waiting(self, tournament: str, most: int = MOST) -> list[Waiting]:
        """Returns the subjects that may be labelled. They are read once per queue, not for each item.

        A large tournament is reduced to the first dialogues of each pair. Because of the seeds, they are a random
        sample.
        """
        raise NotImplementedError

    def item(self, subject: str) -> Item | None:
        raise NotImplementedError

    def where(self, subjects: Sequence[str]) -> Mapping[str, ItemPlace]:
        """Returns the places of those subjects that are still stored."""
        raise NotImplementedError

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
        """Returns the item that this person holds.

        If there is none, reserves the next item of the queue for a while and returns it.
        """
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
        # an item of another tournament, for which other people may wait
        if any(subject not in queue for subject in held):
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
        """Whether this person currently holds the item."""
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
        """Whether the item was drawn at random when this person got it. This is also known after undo."""
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
        """Adds answers to this person's label of the subject. A complete label releases the item."""
        with writing(self.engine) as connection:
            row = connection.execute(select(LABELS).where(same(LABELS, label))).one_or_none()
            before = dict(row._mapping["values"]) if row is not None else {}
            merged = {**before, **label.values}
            spent = (row.seconds or 0.0 if row is not None else 0.0) + (label.seconds or 0.0)
            values = {"values": merged, "note": label.note, "seconds": round(spent, 3), "created": now}
            if row is None:
                key = {"subject": label.subject, "subject_type": self.subject_type, "schema": self.schema}
                drawn = self._drawn(connection, label.subject, label.person)
                connection.execute(insert(LABELS).values(**key, person=label.person, drawn=drawn, **values))
            elif merged != before or label.note != row.note:
                remember(connection, row, now)
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
        """Offers the item to other people, and to this person again much later."""
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
        """Takes back the latest answer or skip, whichever is later, and returns the item."""
        with reading(self.engine) as connection:
            newest = self._latest(connection, person)
            skipped = connection.execute(
                select(LEASES.c.subject, LEASES.c.until)
                .where(LEASES.c.schema == self.skipped, LEASES.c.person == person)
                .order_by(LEASES.c.until.desc())
                .limit(1)
            ).one_or_none()
            created = (
                connection.scalar(select(LABELS.c.created).where(same(LABELS, newest)))
                if newest is not None
                else None
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
        row = connection.execute(latest(self.schema, person)).one_or_none()
        return None if row is None else label_of(row)

    def mine(self, subject: str, person: str) -> Label | None:
        wanted = Label(subject, self.subject_type, self.schema, person, {})
        with reading(self.engine) as connection:
            row = connection.execute(select(LABELS).where(same(LABELS, wanted))).one_or_none()
        return None if row is None else label_of(row)

    # ── reading ───────────────────────────────────────────────────────────────────────────────

    def done_by(self, person: str, tournament: str, complete: Complete) -> int:
        """Returns how many items of the tournament this person has finished. A note alone does not count."""
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
        """Returns everybody who has a label in the schema."""
        with reading(self.engine) as connection:
            return sorted(
                connection.scalars(select(LABELS.c.person).where(LABELS.c.schema == self.schema).distinct())
            )

    def labels(self, tournament: str) -> list[Label]:
        """Returns the labels of the tournament's items. The cost grows with the number of labels."""
        labels = self._labels.of(tournament, self.schema)
        return [label for label in labels if label.subject_type == self.subject_type]
