"""Labels on inquiries, messages and dialogues: handing out, storing, changing, undoing, reading."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import (
    Connection,
    and_,
    delete,
    func,
    insert,
    select,
    text,
    update,
)

from arena.core.types import MESSAGE_CHECKS, Label
from db.label_rows import HISTORY, LEASES, label_of, latest, of_schema, remember, row_of, same
from db.session import Database, reading, writing
from db.tables import DIALOGUES, INQUIRIES, LABELS, MESSAGES, SCHEDULE, chunks

ONE_AT_A_TIME = 7_205_131  # PostgreSQL's lock for handing out subjects; SQLite has a single writer anyway
SUBJECTS = ("inquiry", "dialogue", "message", "finding")


@dataclass(frozen=True, slots=True)
class Stored:
    """The number of labels that were added, changed and left unchanged."""

    new: int
    changed: int
    equal: int


class Labels:
    """All reads and writes of labels on one database."""

    def __init__(self, store: Database) -> None:
        self.store = store
        self.engine = store.engine

    # ── handing out ───────────────────────────────────────────────────────────────────────────

    def take(
        self,
        queue: Sequence[str],
        subject_type: str,
        schema: str,
        person: str,
        *,
        wanted: int,
        now: float,
        until: float,
        passed: Collection[str] = (),
        drawn: Callable[[str], bool] | None = None,
    ) -> str | None:
        """Reserves the next subject of the queue for this person and returns it, or None if no subject is left.

        A subject is skipped if another person holds it, if this person has labelled it, or if it has enough labels.
        If this person already holds a subject, the same subject is returned, so that a reload shows the same page.
        `drawn` says which subjects were drawn at random. This is stored with the reservation, and later with the
        label.
        """
        this = of_schema(LEASES, subject_type, schema)
        with writing(self.engine) as connection:
            _alone(connection)
            connection.execute(delete(LEASES).where(this, LEASES.c.until < now))
            held = dict(
                connection.execute(select(LEASES.c.subject, LEASES.c.person).where(this)).tuples().all()
            )
            closed = self._closed(connection, subject_type, schema, person, wanted) | set(passed)
            mine = [subject for subject, holder in held.items() if holder == person and subject not in closed]
            if mine:
                again: str = min(mine)
                held_one = and_(this, LEASES.c.person == person, LEASES.c.subject == again)
                connection.execute(delete(LEASES).where(this, LEASES.c.person == person, ~held_one))
                connection.execute(update(LEASES).where(held_one).values(until=until))
                return again
            following = next((one for one in queue if one not in closed and one not in held), None)
            if following is not None:
                connection.execute(delete(LEASES).where(this, LEASES.c.person == person))
                lot = None if drawn is None else drawn(following)
                row = {"subject": following, "subject_type": subject_type, "schema": schema}
                connection.execute(insert(LEASES), row | {"person": person, "until": until, "drawn": lot})
        return following

    def _closed(
        self, connection: Connection, subject_type: str, schema: str, person: str, wanted: int
    ) -> set[str]:
        this = of_schema(LABELS, subject_type, schema)
        mine = select(LABELS.c.subject).where(this, LABELS.c.person == person)
        full = select(LABELS.c.subject).where(this).group_by(LABELS.c.subject).having(func.count() >= wanted)
        return {*connection.scalars(mine), *connection.scalars(full)}

    def give_back(self, schema: str, person: str, subject: str | None = None) -> None:
        """Releases what this person holds: one subject, or everything."""
        which = and_(LEASES.c.schema == schema, LEASES.c.person == person)
        if subject is not None:
            which = and_(which, LEASES.c.subject == subject)
        with writing(self.engine) as connection:
            connection.execute(delete(LEASES).where(which))

    # ── storing ───────────────────────────────────────────────────────────────────────────────

    def put(self, labels: Sequence[Label], now: float) -> Stored:
        """Stores labels in one transaction. The earlier version of a changed label is kept in the history."""
        new = changed = 0
        with writing(self.engine) as connection:
            for label in labels:
                row = connection.execute(select(LABELS).where(same(LABELS, label))).one_or_none()
                if row is None:
                    connection.execute(insert(LABELS), row_of(label, now))
                    new += 1
                elif label_of(row) != label:
                    remember(connection, row, now)
                    values = row_of(label, now) | {"drawn": row.drawn if label.drawn is None else label.drawn}
                    connection.execute(update(LABELS).where(LABELS.c.id == row.id).values(**values))
                    changed += 1
                connection.execute(delete(LEASES).where(same(LEASES, label)))
        return Stored(new, changed, len(labels) - new - changed)

    def undo(self, schema: str, person: str, now: float) -> Label | None:
        """Restores the previous version of this person's latest label, or removes the label.

        Returns what was undone.
        """
        with writing(self.engine) as connection:
            row = connection.execute(latest(schema, person)).one_or_none()
            if row is None:
                return None
            before = connection.execute(
                select(HISTORY)
                .where(same(HISTORY, label_of(row)), HISTORY.c.replaced == row.created)
                .order_by(HISTORY.c.id.desc())
                .limit(1)
            ).one_or_none()
            if before is None:
                connection.execute(delete(LABELS).where(LABELS.c.id == row.id))
            else:
                connection.execute(delete(HISTORY).where(HISTORY.c.id == before.id))
                connection.execute(
                    update(LABELS)
                    .where(LABELS.c.id == row.id)
                    .values(**row_of(label_of(before), before.created))
                )
            remember(connection, row, now)
        return label_of(row)

    # ── reading ───────────────────────────────────────────────────────────────────────────────

    def of(self, tournament: str | None = None, schema: str | None = None) -> list[Label]:
        """Returns the labels of a tournament's inquiries, messages and dialogues, or all labels."""
        statement = select(LABELS).order_by(LABELS.c.schema, LABELS.c.subject, LABELS.c.person)
        if schema is not None:
            statement = statement.where(LABELS.c.schema == schema)
        with reading(self.engine) as connection:
            if tournament is None:
                return [label_of(row) for row in connection.execute(statement)]
            labels = [label_of(row) for row in connection.execute(statement)]
            there = of_tournament(connection, tournament, [(one.subject_type, one.subject) for one in labels])
        return [one for one in labels if (one.subject_type, one.subject) in there]

    def history(self, subject: str) -> list[Label]:
        """Returns the earlier versions of a subject's labels, oldest first."""
        statement = select(HISTORY).where(HISTORY.c.subject == subject).order_by(HISTORY.c.id)
        with reading(self.engine) as connection:
            return [label_of(row) for row in connection.execute(statement)]

    def people(self) -> list[str]:
        """Returns everybody who has labelled anything."""
        with reading(self.engine) as connection:
            return sorted(connection.scalars(select(LABELS.c.person).distinct()))

    def unknown(self, labels: Iterable[Label]) -> list[Label]:
        """Returns the labels whose subjects are not in this database."""
        labels = list(labels)
        there: dict[str, set[str]] = {name: set() for name in SUBJECTS}
        with reading(self.engine) as connection:
            for kind, known in there.items():
                wanted = sorted({label.subject for label in labels if label.subject_type == kind})
                for some in chunks(wanted):
                    known.update(_existing(connection, kind, some))
        return [label for label in labels if label.subject not in there.get(label.subject_type, ())]


def of_tournament(
    connection: Connection, tournament: str, subjects: Iterable[tuple[str, str]]
) -> set[tuple[str, str]]:
    """Returns those pairs (subject type, subject) that belong to the tournament.

    The cost grows with the number of pairs, not with the number of dialogues.
    """
    named: dict[str, dict[str, list[str]]] = {name: {} for name in SUBJECTS}
    for subject_type, subject in set(subjects):
        key = _dialogue_of(subject_type, subject)
        named[subject_type].setdefault(key, []).append(subject)
    dialogue: dict[tuple[str, str], int] = {}
    for subject_type, keys in named.items():
        table = INQUIRIES if subject_type == "inquiry" else DIALOGUES
        id = INQUIRIES.c.dialogue if subject_type == "inquiry" else DIALOGUES.c.id
        for some in chunks(sorted(keys)):
            for key, at in connection.execute(select(table.c.key, id).where(table.c.key.in_(some))):
                dialogue |= {(subject_type, subject): at for subject in keys[key]}
    # Not a join: the database would begin it with all dialogues of the tournament
    mine: set[int] = set()
    for ids in chunks(sorted(set(dialogue.values()))):
        here = select(SCHEDULE.c.dialogue).where(SCHEDULE.c.tournament == tournament)
        mine.update(connection.scalars(here.where(SCHEDULE.c.dialogue.in_(ids))))
    return {subject for subject, id in dialogue.items() if id in mine}


def _dialogue_of(subject_type: str, subject: str) -> str:
    """Returns the key of a subject's dialogue.

    A subject is DIALOGUE:MESSAGE, DIALOGUE:MESSAGE:CHECK, or just a key.
    """
    for _ in range({"message": 1, "finding": 2}.get(subject_type, 0)):
        subject = subject.rpartition(":")[0]
    return subject


def _existing(connection: Connection, kind: str, subjects: Sequence[str]) -> set[str]:
    if kind == "inquiry":
        return set(connection.scalars(select(INQUIRIES.c.key).where(INQUIRIES.c.key.in_(subjects))))
    if kind == "dialogue":
        return set(connection.scalars(select(DIALOGUES.c.key).where(DIALOGUES.c.key.in_(subjects))))
    dialogues = {_dialogue_of(kind, subject) for subject in subjects}
    statement = (
        select(DIALOGUES.c.key, MESSAGES.c.index)
        .join(MESSAGES, MESSAGES.c.dialogue == DIALOGUES.c.id)
        .where(DIALOGUES.c.key.in_(dialogues))
    )
    there = {f"{key}:{index}" for key, index in connection.execute(statement)}
    if kind == "message":
        return there
    known = {check.value for check in MESSAGE_CHECKS}
    return {s for s in subjects if s.rpartition(":")[0] in there and s.rpartition(":")[2] in known}


def _alone(connection: Connection) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:n)"), {"n": ONE_AT_A_TIME})
