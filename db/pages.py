"""What web pages ask: a page at a time by keyset, in bounded work however large the database is."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import ColumnElement, Engine, Select, and_, func, or_, select, text, tuple_

from arena.core.types import Label
from db.session import reading
from db.tables import DIALOGUES, INQUIRIES, JUDGES, LABELS, MESSAGES, SCHEDULE, TOURNAMENTS, VERDICTS, chunks

WINDOW = 400  # dialogues looked at in one go
SAMPLE = 2000  # inquiries that stand for all where only their variety matters

Place = tuple[str, str, int]  # speaker, tested, number: the order of a schedule


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which inquiries to find; None means any."""

    speaker: str | None = None
    tested: str | None = None
    kind: str | None = None
    entity_type: str | None = None
    judge: int | None = None  # a judge's row, for `above` and `below`
    above: float | None = None  # its contradiction lies above
    below: float | None = None  # … or not above
    unjudged: bool = False
    disagreed: bool = False  # two judges on different sides of their own τ
    text: str | None = None  # stands in what was said, asked or answered
    labelled: bool | None = None  # whether anybody has labelled it


@dataclass(frozen=True, slots=True)
class Hit:
    """An inquiry in a list of results."""

    dialogue: str
    speaker: str
    tested: str
    number: int
    inquiry: str
    kind: str
    distance: int
    entity: str
    entity_type: str
    said: str | None  # the message that the question is about
    question: str
    answer: str | None
    reason: str | None
    contradiction: float | None
    labels: int  # people who have labelled it


@dataclass(frozen=True, slots=True)
class Found:
    """`next` is where to go on; None at the end. `looked` dialogues were searched for it."""

    hits: tuple[Hit, ...]
    next: Place | None
    looked: int


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
                    _window(tournament, wanted.speaker, wanted.tested, after, inclusive).limit(WINDOW)
                ).all()
                inclusive = False
                if not entries:
                    return Found(tuple(hits), None, looked)
                rows = connection.execute(_matching([e.id for e in entries], wanted)).all()
                by_dialogue: dict[int, list[Any]] = {}
                for row in rows:
                    by_dialogue.setdefault(row.dialogue, []).append(row)
                for entry in entries:
                    hits += [_hit(entry, row) for row in by_dialogue.get(entry.id, ())]
                    after = (entry.speaker, entry.tested, entry.number)
                    looked += 1
                    if len(hits) >= limit:
                        return Found(tuple(hits), after, looked)
                if len(entries) < WINDOW:
                    return Found(tuple(hits), None, looked)
                if clock() >= end:
                    return Found(tuple(hits), after, looked)

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
            rows = connection.execute(_window(tournament, speaker, tested, after).limit(limit + 1)).all()
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


def _window(
    tournament: str, speaker: str | None, tested: str | None, after: Place | None, inclusive: bool = False
) -> Select[Any]:
    where: list[ColumnElement[bool]] = [SCHEDULE.c.tournament == tournament]
    if speaker is not None:
        where.append(SCHEDULE.c.speaker == speaker)
    if tested is not None:
        where.append(SCHEDULE.c.tested == tested)
    if after is not None:
        order = tuple_(SCHEDULE.c.speaker, SCHEDULE.c.tested, SCHEDULE.c.number)
        where.append(order >= tuple_(*after) if inclusive else order > tuple_(*after))
    return (
        select(
            DIALOGUES.c.id,
            DIALOGUES.c.key,
            DIALOGUES.c.status,
            DIALOGUES.c.reason,
            DIALOGUES.c.seconds,
            SCHEDULE.c.speaker,
            SCHEDULE.c.tested,
            SCHEDULE.c.number,
        )
        .join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
        .where(*where)
        .order_by(SCHEDULE.c.speaker, SCHEDULE.c.tested, SCHEDULE.c.number)
    )


def _matching(dialogues: Sequence[int], wanted: Wanted) -> Select[Any]:
    verdict = VERDICTS
    joined = and_(verdict.c.inquiry == INQUIRIES.c.id, verdict.c.judge == wanted.judge)
    where: list[ColumnElement[bool]] = [INQUIRIES.c.dialogue.in_(dialogues)]
    if wanted.kind is not None:
        where.append(INQUIRIES.c.kind == wanted.kind)
    if wanted.entity_type is not None:
        where.append(INQUIRIES.c.entity_type == wanted.entity_type)
    if wanted.above is not None:
        where.append(verdict.c.contradiction > wanted.above)
    if wanted.below is not None:
        where.append(verdict.c.contradiction <= wanted.below)
    if wanted.unjudged:
        where.append(verdict.c.contradiction.is_(None))
    if wanted.disagreed:
        where += [_somebody(contradicts=True), _somebody(contradicts=False)]
    source = and_(MESSAGES.c.dialogue == INQUIRIES.c.dialogue, MESSAGES.c.index == INQUIRIES.c.source)
    people = (
        select(func.count())
        .where(LABELS.c.subject == INQUIRIES.c.key, LABELS.c.subject_type == "inquiry")
        .scalar_subquery()
    )
    if wanted.text:
        pattern = f"%{_escaped(wanted.text)}%"
        columns = (MESSAGES.c.text, INQUIRIES.c.question, INQUIRIES.c.answer)
        where.append(or_(*(column.ilike(pattern, escape="\\") for column in columns)))
    if wanted.labelled is not None:
        where.append(people > 0 if wanted.labelled else people == 0)
    return (
        select(INQUIRIES, verdict.c.contradiction, MESSAGES.c.text.label("said"), people.label("labels"))
        .outerjoin(verdict, joined)
        .outerjoin(MESSAGES, source)
        .where(*where)
        .order_by(INQUIRIES.c.dialogue, INQUIRIES.c.number)
    )


def _escaped(text: str) -> str:
    """Signs that LIKE would read as wildcards, taken as they are."""
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _somebody(*, contradicts: bool) -> ColumnElement[bool]:
    judge, verdict = JUDGES.alias(), VERDICTS.alias()
    return (
        select(verdict.c.judge)
        .join(judge, judge.c.id == verdict.c.judge)
        .where(
            verdict.c.inquiry == INQUIRIES.c.id,
            verdict.c.contradiction > judge.c.tau if contradicts else verdict.c.contradiction <= judge.c.tau,
        )
        .exists()
    )


def _hit(entry: Any, row: Any) -> Hit:
    return Hit(
        dialogue=entry.key,
        speaker=entry.speaker,
        tested=entry.tested,
        number=entry.number,
        inquiry=row.key,
        kind=row.kind,
        distance=row.distance,
        entity=row.entity,
        entity_type=row.entity_type,
        said=row.said,
        question=row.question,
        answer=row.answer,
        reason=row.reason,
        contradiction=row.contradiction,
        labels=row.labels,
    )
