"""Queries for the web pages. Each query reads one page, and its work is bounded for any size of the database."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, and_, func, select, text, tuple_

from arena.core.types import Label, Status
from db.matching import (
    Hit,
    Matches,
    Wanted,
    finding_hit,
    hit,
    matching,
    matching_findings,
    selected,
    window,
)
from db.records import Neighbours, Place
from db.session import Database, reading
from db.tables import (
    DIALOGUES,
    INQUIRIES,
    JUDGES,
    LABELS,
    MESSAGE_VERDICTS,
    SCHEDULE,
    TOURNAMENTS,
    VERDICTS,
    chunks,
)

WINDOW = 400  # dialogues searched in one query
SAMPLE = 2000  # inquiries read to find the entity types


@dataclass(frozen=True, slots=True)
class Entry:
    """One dialogue in a list."""

    dialogue: str
    speaker: str
    tested: str
    number: int
    status: Status
    reason: str | None
    inquiries: int
    seconds: float | None

    @property
    def place(self) -> Place:
        return Place(self.speaker, self.tested, self.number)


@dataclass(frozen=True, slots=True)
class Entries:
    rows: tuple[Entry, ...]
    next: Place | None


@dataclass(frozen=True, slots=True)
class States:
    """The progress of a tournament, as numbers of dialogues."""

    planned: int = 0
    done: int = 0
    failed: int = 0
    running: int = 0
    failures: Mapping[str, int] = field(default_factory=dict)

    @property
    def over(self) -> int:
        return self.done + self.failed


class Pages:
    """Queries for pages on one database."""

    def __init__(self, store: Database) -> None:
        self.store = store
        self.engine = store.engine

    def stamp(self, *tables: str) -> str:
        """Returns a value that changes whenever the tables change. Its cost does not depend on the tables' size."""
        with reading(self.engine) as connection:
            if self.engine.dialect.name == "sqlite":
                parts = [connection.scalar(text(f"SELECT max(rowid) FROM {_known(name)}")) for name in tables]
            else:
                counts = text(
                    "SELECT n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_user_tables WHERE relname = :name"
                )
                parts = [connection.scalar(counts, {"name": _known(name)}) for name in tables]
        return ".".join(str(part or 0) for part in parts)

    def states(self, tournament: str) -> States:
        statement = (
            select(DIALOGUES.c.status, DIALOGUES.c.reason, func.count())
            .join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
            .where(SCHEDULE.c.tournament == tournament)
            .group_by(DIALOGUES.c.status, DIALOGUES.c.reason)
        )
        counts: dict[str, int] = {}
        failures: dict[str, int] = {}
        with reading(self.engine) as connection:
            for status, reason, number in connection.execute(statement):
                counts[status] = counts.get(status, 0) + number
                if status == Status.FAILED:
                    failures[reason or "unknown"] = number
        return States(
            planned=sum(counts.values()),
            done=counts.get(Status.DONE, 0),
            failed=counts.get(Status.FAILED, 0),
            running=counts.get(Status.RUNNING, 0),
            failures=failures,
        )

    def entity_types(self, tournament: str) -> list[str]:
        """Returns the entity types of the tournament's first inquiries. A rare type may be missing."""
        first = (
            select(INQUIRIES.c.entity_type)
            .join(SCHEDULE, SCHEDULE.c.dialogue == INQUIRIES.c.dialogue)
            .where(SCHEDULE.c.tournament == tournament)
            .limit(SAMPLE)
            .subquery()
        )
        with reading(self.engine) as connection:
            rows = connection.scalars(select(first.c.entity_type).distinct())
            return sorted(rows)

    def find(
        self,
        tournament: str,
        wanted: Wanted,
        after: Place | None = None,
        limit: int = 50,
        seconds: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
        *,
        inclusive: bool = False,
        backwards: bool = False,
    ) -> Matches:
        """Returns a page of inquiries or findings in the schedule's order; with `backwards`, in reverse order.

        Whole dialogues are searched until there are enough hits or the time is up. With `inclusive`, the page
        begins with the dialogue at `after` itself.
        """
        end = clock() + seconds
        hits: list[Hit] = []
        looked = 0
        with reading(self.engine) as connection:
            while True:
                statement = window(tournament, wanted.speaker, wanted.tested, after, inclusive, backwards)
                entries = connection.execute(statement.limit(WINDOW)).all()
                inclusive = False
                if not entries:
                    return Matches(tuple(hits), None, looked)
                select_from = matching if wanted.check is None else matching_findings
                rows = connection.execute(select_from([e.id for e in entries], wanted)).all()
                by_dialogue: dict[int, list[Any]] = {}
                for row in rows:
                    by_dialogue.setdefault(row.dialogue, []).append(row)
                for entry in entries:
                    own = [_hit(entry, row, wanted) for row in by_dialogue.get(entry.id, ())]
                    hits += reversed(own) if backwards else own
                    after = Place(entry.speaker, entry.tested, entry.number)
                    looked += 1
                    if len(hits) >= limit:
                        return Matches(tuple(hits), after, looked, entry.key)
                if len(entries) < WINDOW:
                    return Matches(tuple(hits), None, looked)
                if clock() >= end:
                    return Matches(tuple(hits), after, looked, entries[-1].key)

    def worst(
        self, tournament: str, tested: str, judge: int, tau: float, limit: int = 10, check: str | None = None
    ) -> tuple[Hit, ...]:
        """Returns the bot's inquiries that the judge finds most contradictory, above τ.

        With `check`, its messages.
        """
        if check is not None:
            return self._worst_messages(
                tournament, tested, Wanted(judge=judge, above=tau, check=check), limit
            )
        entry = and_(SCHEDULE.c.dialogue == INQUIRIES.c.dialogue, SCHEDULE.c.tournament == tournament)
        wanted = Wanted(judge=judge, above=tau)
        statement = (
            selected(wanted)
            .add_columns(
                DIALOGUES.c.key.label("dialogue_key"),
                SCHEDULE.c.speaker,
                SCHEDULE.c.tested,
                SCHEDULE.c.number,
            )
            .join(SCHEDULE, entry)
            .join(DIALOGUES, DIALOGUES.c.id == INQUIRIES.c.dialogue)
            .where(SCHEDULE.c.tested == tested)
            .order_by(VERDICTS.c.contradiction.desc(), INQUIRIES.c.id)
            .limit(limit)
        )
        with reading(self.engine) as connection:
            return tuple(hit(row.dialogue_key, row, row) for row in connection.execute(statement))

    def _worst_messages(self, tournament: str, tested: str, wanted: Wanted, limit: int) -> tuple[Hit, ...]:
        mine = select(SCHEDULE.c.dialogue).where(
            SCHEDULE.c.tournament == tournament, SCHEDULE.c.tested == tested
        )
        statement = (
            matching_findings(mine, wanted)
            .add_columns(
                DIALOGUES.c.key.label("dialogue_key"),
                SCHEDULE.c.speaker,
                SCHEDULE.c.tested,
                SCHEDULE.c.number,
            )
            .join(SCHEDULE, and_(SCHEDULE.c.dialogue == DIALOGUES.c.id, SCHEDULE.c.tournament == tournament))
            .order_by(None)
            .order_by(MESSAGE_VERDICTS.c.contradiction.desc(), MESSAGE_VERDICTS.c.dialogue)
            .limit(limit)
        )
        with reading(self.engine) as connection:
            return tuple(
                finding_hit(row.dialogue_key, row, row, wanted.check or "")
                for row in connection.execute(statement)
            )

    def entries(
        self,
        tournament: str,
        speaker: str | None = None,
        tested: str | None = None,
        after: Place | None = None,
        limit: int = 50,
    ) -> Entries:
        """Returns a page of dialogues in the schedule's order."""
        with reading(self.engine) as connection:
            rows = connection.execute(window(tournament, speaker, tested, after).limit(limit + 1)).all()
            asked: dict[int, int] = dict(
                connection.execute(
                    select(INQUIRIES.c.dialogue, func.count())
                    .where(INQUIRIES.c.dialogue.in_([row.id for row in rows]))
                    .group_by(INQUIRIES.c.dialogue)
                )
                .tuples()
                .all()
            )
        shown = tuple(
            Entry(
                row.key,
                row.speaker,
                row.tested,
                row.number,
                Status(row.status),
                row.reason,
                asked.get(row.id, 0),
                row.seconds,
            )
            for row in rows[:limit]
        )
        return Entries(shown, shown[-1].place if len(rows) > limit else None)

    def marks(self, dialogue: str) -> list[Label]:
        """Returns people's labels of the dialogue's messages."""
        last = f"{dialogue};"  # the character after ':'
        return self._labels(
            LABELS.c.subject > f"{dialogue}:", LABELS.c.subject < last, LABELS.c.subject_type == "message"
        )

    def about(self, subjects: Sequence[str], subject_type: str, schema: str) -> list[Label]:
        """Returns people's labels of these subjects."""
        labels = []
        for some in chunks(subjects):
            labels += self._labels(
                LABELS.c.subject.in_(some), LABELS.c.subject_type == subject_type, LABELS.c.schema == schema
            )
        return labels

    def _labels(self, *where: ColumnElement[bool]) -> list[Label]:
        statement = select(LABELS).where(*where).order_by(LABELS.c.subject, LABELS.c.person)
        with reading(self.engine) as connection:
            return [
                Label(r.subject, r.subject_type, r.schema, r.person, r._mapping["values"], r.note, r.seconds)
                for r in connection.execute(statement)
            ]

    def homes(self, dialogue: str) -> list[str]:
        """Returns the tournaments that have the dialogue in their schedule, newest first."""
        statement = (
            select(SCHEDULE.c.tournament)
            .join(DIALOGUES, DIALOGUES.c.id == SCHEDULE.c.dialogue)
            .join(TOURNAMENTS, TOURNAMENTS.c.id == SCHEDULE.c.tournament)
            .where(DIALOGUES.c.key == dialogue)
            .order_by(TOURNAMENTS.c.created.desc(), TOURNAMENTS.c.id)
        )
        with reading(self.engine) as connection:
            return list(connection.scalars(statement))

    def place(self, tournament: str, dialogue: str) -> Place | None:
        """Returns a dialogue's place in the tournament's schedule; None if it is not there."""
        statement = (
            select(SCHEDULE.c.speaker, SCHEDULE.c.tested, SCHEDULE.c.number)
            .join(DIALOGUES, DIALOGUES.c.id == SCHEDULE.c.dialogue)
            .where(SCHEDULE.c.tournament == tournament, DIALOGUES.c.key == dialogue)
        )
        with reading(self.engine) as connection:
            row = connection.execute(statement).first()
        return Place(*row) if row is not None else None

    def beside(self, tournament: str, place: Place) -> Neighbours:
        """Returns the previous and the next dialogue in the schedule's order."""
        order = tuple_(SCHEDULE.c.speaker, SCHEDULE.c.tested, SCHEDULE.c.number)
        mine = SCHEDULE.c.tournament == tournament
        base = select(DIALOGUES.c.key).join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
        columns = (SCHEDULE.c.speaker, SCHEDULE.c.tested, SCHEDULE.c.number)
        with reading(self.engine) as connection:
            before = connection.scalar(
                base.where(mine, order < tuple_(*place)).order_by(*(c.desc() for c in columns)).limit(1)
            )
            after = connection.scalar(base.where(mine, order > tuple_(*place)).order_by(*columns).limit(1))
        return Neighbours(before, after)


def _hit(entry: Any, row: Any, wanted: Wanted) -> Hit:
    return (
        hit(entry.key, entry, row)
        if wanted.check is None
        else finding_hit(entry.key, entry, row, wanted.check)
    )


TABLES = frozenset(table.name for table in (DIALOGUES, INQUIRIES, JUDGES, SCHEDULE, VERDICTS)) | {
    "tournaments",
    "labels",
    "label_history",
    "label_schemas",
    "message_verdicts",
    "messages",
}


def _known(table: str) -> str:
    if table not in TABLES:
        raise ValueError(f"no stamp for the table {table}")
    return table
