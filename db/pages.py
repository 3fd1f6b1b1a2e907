"""What web pages ask: a page at a time by keyset, in bounded work however large the database is."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Engine, and_, func, select, text, tuple_

from arena.core.types import Label
from db.matching import Found, Hit, Place, Wanted, hit, matching, selected, window
from db.session import reading
from db.tables import DIALOGUES, INQUIRIES, JUDGES, LABELS, SCHEDULE, TOURNAMENTS, VERDICTS, chunks

WINDOW = 400  # dialogues looked at in one go
SAMPLE = 2000  # inquiries that stand for all where only their variety matters


@dataclass(frozen=True, slots=True)
class Entry:
    """A dialogue in a list."""

    dialogue: str
    speaker: str
    tested: str
    number: int
    status: str
    reason: str | None
    inquiries: int
    seconds: float | None

    @property
    def place(self) -> Place:
        return (self.speaker, self.tested, self.number)


@dataclass(frozen=True, slots=True)
class Entries:
    rows: tuple[Entry, ...]
    next: Place | None


@dataclass(frozen=True, slots=True)
class States:
    """How far a tournament is, by counting its dialogues alone."""

    planned: int = 0
    done: int = 0
    failed: int = 0
    running: int = 0
    failures: Mapping[str, int] = field(default_factory=dict)

    @property
    def over(self) -> int:
        return self.done + self.failed


class Pages:
    """Reads for pages on one database."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    def stamp(self, *tables: str) -> str:
        """Changes whenever the tables do; costs the same for a row and for a million."""
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
                if status == "failed":
                    failures[reason or "unknown"] = number
        return States(
            planned=sum(counts.values()),
            done=counts.get("done", 0),
            failed=counts.get("failed", 0),
            running=counts.get("running", 0),
            failures=failures,
        )

    def entity_types(self, tournament: str) -> list[str]:
        """Those of the tournament's first inquiries; a rare one may be missing."""
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
    ) -> Found:
        """Inquiries in the schedule's order, whole dialogues at a time, until there are enough or time is up.

        `inclusive` begins with the dialogue at `after`, not behind it.
        """
        end = clock() + seconds
        hits: list[Hit] = []
        looked = 0
        with reading(self.engine) as connection:
            while True:
                entries = connection.execute(
                    window(tournament, wanted.speaker, wanted.tested, after, inclusive).limit(WINDOW)
                ).all()
                inclusive = False
                if not entries:
                    return Found(tuple(hits), None, looked)
                rows = connection.execute(matching([e.id for e in entries], wanted)).all()
                by_dialogue: dict[int, list[Any]] = {}
                for row in rows:
                    by_dialogue.setdefault(row.dialogue, []).append(row)
                for entry in entries:
                    hits += [hit(entry.key, entry, row) for row in by_dialogue.get(entry.id, ())]
                    after = (entry.speaker, entry.tested, entry.number)
                    looked += 1
                    if len(hits) >= limit:
                        return Found(tuple(hits), after, looked)
                if len(entries) < WINDOW:
                    return Found(tuple(hits), None, looked)
                if clock() >= end:
                    return Found(tuple(hits), after, looked)

    def worst(self, tournament: str, tested: str, judge: int, tau: float, limit: int = 10) -> tuple[Hit, ...]:
        """The bot's inquiries that the judge finds most contradictory, above τ."""
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

    def entries(
        self,
        tournament: str,
        speaker: str | None = None,
        tested: str | None = None,
        after: Place | None = None,
        limit: int = 50,
    ) -> Entries:
        """Dialogues in the schedule's order."""
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
                row.status,
                row.reason,
                asked.get(row.id, 0),
                row.seconds,
            )
            for row in rows[:limit]
        )
        return Entries(shown, shown[-1].place if len(rows) > limit else None)

    def marks(self, dialogue: str) -> list[Label]:
        """What people said of the dialogue's messages."""
        last = f"{dialogue};"  # the character behind ':'
        return self._labels(
            LABELS.c.subject > f"{dialogue}:", LABELS.c.subject < last, LABELS.c.subject_type == "message"
        )

    def about(self, subjects: Sequence[str], subject_type: str, schema: str) -> list[Label]:
        """What people said of these subjects."""
        found = []
        for some in chunks(subjects):
            found += self._labels(
                LABELS.c.subject.in_(some), LABELS.c.subject_type == subject_type, LABELS.c.schema == schema
            )
        return found

    def _labels(self, *where: ColumnElement[bool]) -> list[Label]:
        statement = select(LABELS).where(*where).order_by(LABELS.c.subject, LABELS.c.person)
        with reading(self.engine) as connection:
            return [
                Label(r.subject, r.subject_type, r.schema, r.person, r._mapping["values"], r.note, r.seconds)
                for r in connection.execute(statement)
            ]

    def homes(self, dialogue: str) -> list[str]:
        """The tournaments that have the dialogue in their schedule, newest first."""
        statement = (
            select(SCHEDULE.c.tournament)
            .join(DIALOGUES, DIALOGUES.c.id == SCHEDULE.c.dialogue)
            .join(TOURNAMENTS, TOURNAMENTS.c.id == SCHEDULE.c.tournament)
            .where(DIALOGUES.c.key == dialogue)
            .order_by(TOURNAMENTS.c.created.desc(), TOURNAMENTS.c.id)
        )
        with reading(self.engine) as connection:
            return list(connection.scalars(statement))

    def beside(self, tournament: str, place: Place) -> tuple[str | None, str | None]:
        """The dialogues before and behind one in the schedule's order."""
        order = tuple_(SCHEDULE.c.speaker, SCHEDULE.c.tested, SCHEDULE.c.number)
        mine = SCHEDULE.c.tournament == tournament
        base = select(DIALOGUES.c.key).join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
        columns = (SCHEDULE.c.speaker, SCHEDULE.c.tested, SCHEDULE.c.number)
        with reading(self.engine) as connection:
            before = connection.scalar(
                base.where(mine, order < tuple_(*place)).order_by(*(c.desc() for c in columns)).limit(1)
            )
            behind = connection.scalar(base.where(mine, order > tuple_(*place)).order_by(*columns).limit(1))
        return before, behind


TABLES = frozenset(table.name for table in (DIALOGUES, INQUIRIES, JUDGES, SCHEDULE, VERDICTS)) | {
    "tournaments",
    "labels",
    "label_history",
    "messages",
}


def _known(table: str) -> str:
    if table not in TABLES:
        raise ValueError(f"no stamp for the table {table}")
    return table
