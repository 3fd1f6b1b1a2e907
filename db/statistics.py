"""What statistics start from, read as arrays: dialogues, inquiries with one judge's scores, labels.

Many verdicts are read from a packed summary, a row for 256 dialogues, which is made again whenever it is stale.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Select,
    String,
    Table,
    and_,
    cast,
    delete,
    func,
    insert,
    select,
)

from arena.errors import StoreError
from arena.types import Status
from db import models as m
from db.session import reading, writing
from db.tables import DIALOGUES, INQUIRIES, LABELS, SCHEDULE, TOURNAMENT_BOTS, VERDICTS

SUMMARIES: Table = m.SummaryRow.__table__  # type: ignore[assignment]
STATES: Table = m.SummaryStateRow.__table__  # type: ignore[assignment]

MANY = 200_000  # verdicts of a judge from which on a summary pays
ROWS = 50_000
BLOCK = 256  # dialogues a row of a summary
NOT_JUDGED = "not_judged"
UNKNOWN = 255

Array = NDArray[Any]


@dataclass(frozen=True, slots=True, eq=False)
class Dialogues:
    """A tournament's dialogues that are over; bots are indices into `bots`."""

    bots: tuple[str, ...]
    identities: tuple[str, ...]
    id: Array
    speaker: Array
    tested: Array
    number: Array
    done: Array  # False: it failed


@dataclass(frozen=True, slots=True, eq=False)
class Circumstances:
    """What makes dialogues comparable: `unit` is equal where opener and seed are."""

    id: Array
    unit: Array
    turns: frozenset[int]
    openers: frozenset[str]
    inquirers: frozenset[str]
    seconds: Array


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """One judge's scores; `dialogue` indexes Dialogues. `keys` are the inquiries', empty in a summary."""

    dialogue: Array
    score: Array
    kind: Array
    kinds: tuple[str, ...]
    distance: Array
    entity_type: Array
    entity_types: tuple[str, ...]
    reason: Array  # −1 where judged
    reasons: tuple[str, ...]
    evasive: Array
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Said:
    """One person's label of one subject."""

    subject: str
    subject_type: str
    schema: str
    person: str
    values: Mapping[str, Any]
    seconds: float | None


def dialogues(engine: Engine, tournament: str) -> Dialogues:
    """Every dialogue of the tournament that is over, by pair and number."""
    with reading(engine) as connection:
        members = connection.execute(
            select(TOURNAMENT_BOTS.c.name, TOURNAMENT_BOTS.c.identity)
            .where(TOURNAMENT_BOTS.c.tournament == tournament)
            .order_by(TOURNAMENT_BOTS.c.position)
        ).all()
        over = {
            status.value: np.array(
                connection.scalars(select(DIALOGUES.c.id).where(DIALOGUES.c.status == status.value)).all(),
                np.int64,
            )
            for status in (Status.FAILED, Status.PLANNED, Status.RUNNING)
        }
        # A row a pair: two million rows of names would take longer than everything else
        statement = (
            select(
                SCHEDULE.c.speaker, SCHEDULE.c.tested, _list(SCHEDULE.c.dialogue), _list(SCHEDULE.c.number)
            )
            .where(SCHEDULE.c.tournament == tournament)
            .group_by(SCHEDULE.c.speaker, SCHEDULE.c.tested)
        )
        pairs = connection.execute(statement).all()
    # By name: random draws then come out the same wherever the tournament was imported
    codes = _Codes(sorted(str(row.name) for row in members))
    identities = {row.name: row.identity for row in members}
    ids = [np.array(pair[2].split(","), np.int64) for pair in pairs]
    sizes = [len(some) for some in ids]
    id = np.concatenate(ids) if ids else np.empty(0, np.int64)
    numbers = [np.array(pair[3].split(","), np.int32) for pair in pairs]
    number = np.concatenate(numbers) if pairs else np.empty(0, np.int32)
    speaker = np.repeat(np.array([codes[pair[0]] for pair in pairs], np.int64), sizes)
    tested = np.repeat(np.array([codes[pair[1]] for pair in pairs], np.int64), sizes)
    done = ~np.isin(id, over[Status.FAILED.value])
    played = ~np.isin(id, np.concatenate([over[Status.PLANNED.value], over[Status.RUNNING.value]]))
    order = np.lexsort((number, tested, speaker))
    order = order[played[order]]
    names = codes.names
    return Dialogues(
        names,
        tuple(identities.get(name, "") for name in names),
        *(column[order] for column in (id, speaker, tested, number, done)),
    )


def _list(column: ColumnElement[Any]) -> ColumnElement[str]:
    """Whole numbers of a group as one text; two of them in one query are in the same order."""
    return func.aggregate_strings(cast(column, String), ",")


def circumstances(engine: Engine, tournament: str) -> Circumstances:
    """Openers, seeds, turns and inquirers of the dialogues that are over, in the order of their ids."""
    from arena.hashing import seed_for

    unit = lru_cache(maxsize=1 << 16)(lambda opener: seed_for("unit", opener))
    statement = (
        select(
            DIALOGUES.c.id,
            DIALOGUES.c.opener,
            DIALOGUES.c.seed,
            DIALOGUES.c.turns,
            DIALOGUES.c.inquirer,
            DIALOGUES.c.seconds,
        )
        .join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
        .where(SCHEDULE.c.tournament == tournament, DIALOGUES.c.status == Status.DONE.value)
        .order_by(DIALOGUES.c.id)
    )
    ids, units, seconds = [], [], []
    turns: set[int] = set()
    openers: set[str] = set()
    inquirers: set[str] = set()
    with reading(engine) as connection:
        for some, said, seeds, long, asked, took in _columns(connection, statement):
            ids.append(np.array(some, np.int64))
            units.append(
                np.array([unit(o) ^ (s & (2**63 - 1)) for o, s in zip(said, seeds, strict=True)], np.int64)
            )
            seconds.append(np.array([np.nan if t is None else t for t in took], float))
            turns.update(long)
            openers.update(said)
            inquirers.update(asked)
    return Circumstances(
        np.concatenate(ids) if ids else np.empty(0, np.int64),
        np.concatenate(units) if units else np.empty(0, np.int64),
        frozenset(turns),
        frozenset(openers),
        frozenset(inquirers),
        np.concatenate(seconds) if seconds else np.empty(0),
    )


def scores(engine: Engine, tournament: str, judge: int | None, played: Dialogues) -> Scores:
    """The inquiries of the dialogues that are done, with the judge's scores; from a summary where there are many."""
    if (
        judge is not None
        and _verdicts(engine, judge) >= MANY
        and (fresh(engine, judge) or _made(engine, judge))
    ):
        return _summarised(engine, judge, played)
    return exact(engine, tournament, judge, played)


def exact(engine: Engine, tournament: str, judge: int | None, played: Dialogues) -> Scores:
    """Row by row from inquiries and verdicts."""
    kinds, types, reasons = _Codes(), _Codes(), _Codes()
    known = {int(id): at for at, (id, done) in enumerate(zip(played.id, played.done, strict=True)) if done}
    keys: list[str] = []
    parts = []
    with reading(engine) as connection:
        for rows in _rows(connection, _exact(tournament, judge)):
            rows = [row for row in rows if row[0] in known]
            keys += [row[8] for row in rows]
            parts.append(
                (
                    np.array([known[row[0]] for row in rows], np.int32),
                    np.array([np.nan if row[4] is None else row[4] for row in rows], float),
                    np.array([kinds[row[1]] for row in rows], np.int16),
                    np.array([row[2] for row in rows], np.int16),
                    np.array([types[row[3]] for row in rows], np.int32),
                    np.array([-1 if row[4] is not None else reasons[_reason(row)] for row in rows], np.int16),
                    np.array([_evasive(*row[4:8]) for row in rows], np.uint8),
                )
            )
    dialogue, score, kind, distance, entity_type, reason, evasive = _joined(
        parts, (np.int32, float, np.int16, np.int16, np.int32, np.int16, np.uint8)
    )
    return Scores(
        dialogue,
        score,
        kind,
        kinds.names,
        distance,
        entity_type,
        types.names,
        reason,
        reasons.names,
        _flags(evasive),
        tuple(keys),
    )


def _exact(tournament: str | None, judge: int | None) -> Select[Any]:
    """Of one tournament, or of all."""
    classes = VERDICTS.c.classes
    statement = select(
        INQUIRIES.c.dialogue,
        INQUIRIES.c.kind,
        INQUIRIES.c.distance,
        INQUIRIES.c.entity_type,
        VERDICTS.c.contradiction,
        classes["entailment"].as_float(),
        classes["neutral"].as_float(),
        classes["contradiction"].as_float(),
        INQUIRIES.c.key,
        INQUIRIES.c.reason,
        VERDICTS.c.reason,
    ).select_from(INQUIRIES)
    if tournament is not None:
        statement = statement.join(SCHEDULE, SCHEDULE.c.dialogue == INQUIRIES.c.dialogue).where(
            SCHEDULE.c.tournament == tournament
        )
    verdict = and_(VERDICTS.c.inquiry == INQUIRIES.c.id, VERDICTS.c.judge == (-1 if judge is None else judge))
    return statement.outerjoin(VERDICTS, verdict).order_by(INQUIRIES.c.dialogue, INQUIRIES.c.number)


def _reason(row: Sequence[Any]) -> str:
    return str(row[9] or row[10] or NOT_JUDGED)


def _evasive(contradiction: float | None, entails: Any, neutral: Any, contradicts: Any) -> int:
    """1 where the judge's neutral class is its strongest, 255 where it has no such classes."""
    if contradiction is None or neutral is None:
        return UNKNOWN
    return int(neutral > max(entails or 0.0, contradicts or 0.0))


def _flags(evasive: Array) -> Array:
    flags = evasive.astype(np.float32)
    flags[evasive == UNKNOWN] = np.nan
    return flags


# ── summaries ─────────────────────────────────────────────────────────────────────────────────────


def fresh(engine: Engine, judge: int) -> bool:
    """Whether the judge's summaries hold all that is stored."""
    with reading(engine) as connection:
        state = connection.execute(
            select(STATES.c.verdicts, STATES.c.inquiries).where(STATES.c.judge == judge)
        ).first()
        return state is not None and tuple(state) == _totals(connection, judge)


def summarise(engine: Engine, judge: int) -> int:
    """Makes the judge's summaries again; the number of rows."""
    written = 0
    with writing(engine) as connection:
        connection.execute(delete(SUMMARIES).where(SUMMARIES.c.judge == judge))
        connection.execute(delete(STATES).where(STATES.c.judge == judge))
        verdicts, inquiries = _totals(connection, judge)
        rest: list[Any] = []
        for rows in _rows(connection, _exact(None, judge)):
            rest += rows
            last = rest[-1][0] // BLOCK
            ready = bisect_left(rest, last, key=lambda row: row[0] // BLOCK)
            written += _pack(connection, judge, rest[:ready])
            rest = rest[ready:]
        written += _pack(connection, judge, rest)
        connection.execute(insert(STATES).values(judge=judge, verdicts=verdicts, inquiries=inquiries))
    return written


def _pack(connection: Connection, judge: int, rows: Sequence[Any]) -> int:
    """Whole blocks of dialogues, in the order of their ids."""
    groups: dict[tuple[int, str, int], list[Any]] = {}
    for row in rows:
        groups.setdefault((row[0] // BLOCK, row[1], row[2]), []).append(row)
    packed = []
    for (block, kind, distance), group in groups.items():
        judged = [row for row in group if row[4] is not None]
        known, lengths = np.unique(np.array([row[0] for row in judged], np.int64), return_counts=True)
        missing = Counter((row[0], _reason(row)) for row in group if row[4] is None)
        packed.append(
            {
                "judge": judge,
                "block": block,
                "kind": kind,
                "distance": distance,
                "dialogues": known.astype("<i8").tobytes(),
                "lengths": lengths.astype("<i4").tobytes(),
                "scores": np.array([row[4] for row in judged], "<f8").tobytes(),
                "evasive": bytes(_evasive(*row[4:8]) for row in judged),
                "unjudged": json.dumps([[*key, n] for key, n in missing.items()]) if missing else None,
            }
        )
    if packed:
        connection.execute(insert(SUMMARIES), packed)
    return len(packed)


def _made(engine: Engine, judge: int) -> bool:
    """Makes the summaries; False where the database may only be read."""
    try:
        summarise(engine, judge)
    except StoreError as error:
        if "read-only" in str(error):
            return False
        raise
    return True


def _summarised(engine: Engine, judge: int, played: Dialogues) -> Scores:
    kinds, reasons = _Codes(), _Codes()
    order = np.argsort(played.id).astype(np.int32)
    ids = played.id[order]
    if not len(ids):
        return exact(engine, "", judge, played)
    first, last = int(ids[0]) // BLOCK, int(ids[-1]) // BLOCK
    statement = select(SUMMARIES).where(SUMMARIES.c.judge == judge, SUMMARIES.c.block.between(first, last))
    mine = set((ids // BLOCK).tolist())
    parts = []
    missing: list[tuple[int, int, int, int]] = []

    def places(dialogues: Array) -> tuple[Array, Array]:
        """Where the dialogues stand, and which of them are the tournament's and done."""
        at = np.minimum(np.searchsorted(ids, dialogues), len(ids) - 1)
        place = order[at]
        return place, (ids[at] == dialogues) & played.done[place]

    with reading(engine) as connection:
        for row in connection.execute(statement, execution_options={"stream_results": True}):
            if row.block not in mine:
                continue
            kind = kinds[row.kind]
            place, keep = places(np.frombuffer(row.dialogues, "<i8"))
            lengths = np.frombuffer(row.lengths, "<i4")
            inside = np.repeat(keep, lengths)
            where = np.repeat(place, lengths)[inside]
            parts.append(
                (
                    where,
                    np.frombuffer(row.scores, "<f8")[inside],
                    np.full(len(where), kind, np.int16),
                    np.full(len(where), row.distance, np.int16),
                    np.frombuffer(row.evasive, np.uint8)[inside],
                )
            )
            for dialogue, reason, number in json.loads(row.unjudged or "[]"):
                place, keep = places(np.array([dialogue], np.int64))
                if keep[0]:
                    missing += [(int(place[0]), kind, row.distance, reasons[reason])] * number
    dialogue, score, kind_, distance, evasive = _joined(
        parts, (np.int32, float, np.int16, np.int16, np.uint8)
    )
    del parts
    reason_ = np.full(len(dialogue), -1, np.int16)
    if missing:
        lost = np.array(missing, np.int64)
        dialogue = np.concatenate([dialogue, lost[:, 0].astype(np.int32)])
        score = np.concatenate([score, np.full(len(lost), np.nan)])
        kind_ = np.concatenate([kind_, lost[:, 1].astype(np.int16)])
        distance = np.concatenate([distance, lost[:, 2].astype(np.int16)])
        reason_ = np.concatenate([reason_, lost[:, 3].astype(np.int16)])
        evasive = np.concatenate([evasive, np.full(len(lost), UNKNOWN, np.uint8)])
    none = np.full(len(dialogue), -1, np.int8)
    return Scores(
        dialogue, score, kind_, kinds.names, distance, none, (), reason_, reasons.names, _flags(evasive), ()
    )


def _verdicts(engine: Engine, judge: int) -> int:
    with reading(engine) as connection:
        some = select(VERDICTS.c.inquiry).where(VERDICTS.c.judge == judge).limit(MANY).subquery()
        return int(connection.scalar(select(func.count()).select_from(some)) or 0)


def _totals(connection: Connection, judge: int) -> tuple[int, int]:
    verdicts = connection.scalar(select(func.count()).select_from(VERDICTS).where(VERDICTS.c.judge == judge))
    inquiries = connection.scalar(select(func.count()).select_from(INQUIRIES))
    return int(verdicts or 0), int(inquiries or 0)


# ── people ────────────────────────────────────────────────────────────────────────────────────────


def labels(engine: Engine, tournament: str) -> list[Said]:
    """All labels of the tournament's inquiries, messages and dialogues."""
    wanted = (
        LABELS.c.subject,
        LABELS.c.subject_type,
        LABELS.c.schema,
        LABELS.c.person,
        LABELS.c["values"],
        LABELS.c.seconds,
    )
    mine = and_(SCHEDULE.c.dialogue == DIALOGUES.c.id, SCHEDULE.c.tournament == tournament)
    of_message = and_(
        LABELS.c.subject_type == "message",
        func.substr(LABELS.c.subject, 1, func.length(DIALOGUES.c.key)) == DIALOGUES.c.key,
    )
    of_dialogue = and_(LABELS.c.subject_type == "dialogue", LABELS.c.subject == DIALOGUES.c.key)
    of_inquiry = and_(LABELS.c.subject_type == "inquiry", LABELS.c.subject == INQUIRIES.c.key)
    statements = {
        "inquiry": select(*wanted)
        .join(INQUIRIES, of_inquiry)
        .join(
            SCHEDULE, and_(SCHEDULE.c.dialogue == INQUIRIES.c.dialogue, SCHEDULE.c.tournament == tournament)
        ),
        "dialogue": select(*wanted).join(DIALOGUES, of_dialogue).join(SCHEDULE, mine),
        "message": select(*wanted).join(DIALOGUES, of_message).join(SCHEDULE, mine),
    }
    found = []
    with reading(engine) as connection:
        there = set(connection.scalars(select(LABELS.c.subject_type).distinct()))
        for subject, statement in statements.items():
            if subject in there:
                found += [Said(*row) for row in connection.execute(statement.order_by(LABELS.c.id))]
    return found


def judging_seconds(engine: Engine, tournament: str, judge: int) -> float | None:
    """Seconds that the judge took for the tournament's inquiries; None where they were not stored."""
    mine = select(SCHEDULE.c.dialogue).where(SCHEDULE.c.tournament == tournament)
    statement = (
        select(func.sum(VERDICTS.c.seconds))
        .join(INQUIRIES, INQUIRIES.c.id == VERDICTS.c.inquiry)
        .where(VERDICTS.c.judge == judge, INQUIRIES.c.dialogue.in_(mine))
    )
    with reading(engine) as connection:
        total = connection.scalar(statement)
    return None if total is None else float(total)


def human_seconds(engine: Engine, tournament: str) -> tuple[float, int]:
    """Seconds that people spent on labels of the tournament's inquiries, and on how many labels they are known."""
    mine = select(SCHEDULE.c.dialogue).where(SCHEDULE.c.tournament == tournament)
    statement = (
        select(func.sum(LABELS.c.seconds), func.count(LABELS.c.seconds))
        .join(INQUIRIES, INQUIRIES.c.key == LABELS.c.subject)
        .where(LABELS.c.subject_type == "inquiry", INQUIRIES.c.dialogue.in_(mine))
    )
    with reading(engine) as connection:
        total, number = connection.execute(statement).one()
    return float(total or 0.0), int(number)


def refusals(engine: Engine, tournament: str) -> dict[str, dict[str, int]]:
    """What could not be asked, by tested bot and reason."""
    statement = (
        select(SCHEDULE.c.tested, DIALOGUES.c.refused)
        .join(DIALOGUES, DIALOGUES.c.id == SCHEDULE.c.dialogue)
        .where(SCHEDULE.c.tournament == tournament, DIALOGUES.c.status == Status.DONE.value)
        .where(DIALOGUES.c.refused.is_not(None))
    )
    found: dict[str, dict[str, int]] = {}
    with reading(engine) as connection:
        for tested, refused in connection.execute(statement):
            reasons = found.setdefault(tested, {})
            for reason, number in (refused or {}).items():
                reasons[reason] = reasons.get(reason, 0) + int(number)
    return found


# ── rows ──────────────────────────────────────────────────────────────────────────────────────────


class _Codes(dict[str, int]):
    """Numbers names as they come."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        super().__init__((name, code) for code, name in enumerate(names))

    def __missing__(self, name: str) -> int:
        self[name] = len(self)
        return self[name]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self)


def _rows(connection: Connection, statement: Select[Any]) -> Iterator[Sequence[Any]]:
    """A block at a time; on SQLite the driver's own tuples, which for millions of rows saves half the time."""
    if connection.dialect.name == "sqlite":
        cursor: Any = connection.execute(statement).cursor
        while rows := cursor.fetchmany(ROWS):
            yield rows
        return
    yield from connection.execute(statement, execution_options={"stream_results": True}).partitions(ROWS)


def _columns(connection: Connection, statement: Select[Any]) -> Iterator[list[tuple[Any, ...]]]:
    for rows in _rows(connection, statement):
        yield list(zip(*rows, strict=True))


def _joined(parts: Sequence[tuple[Array, ...]], types: Sequence[Any]) -> list[Array]:
    if not parts:
        return [np.empty(0, type) for type in types]
    return [
        np.concatenate([part[k] for part in parts]).astype(type, copy=False) for k, type in enumerate(types)
    ]


def keys(engine: Engine, tournament: str, number: int) -> list[str]:
    """Dialogues of the tournament by key: of each pair the first `number` that are done."""
    statement = (
        select(DIALOGUES.c.key)
        .join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
        .where(SCHEDULE.c.tournament == tournament, SCHEDULE.c.number < number)
        .where(DIALOGUES.c.status == Status.DONE.value)
        .order_by(SCHEDULE.c.speaker, SCHEDULE.c.tested, SCHEDULE.c.number)
    )
    with reading(engine) as connection:
        return list(connection.scalars(statement))
