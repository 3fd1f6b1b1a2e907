"""What statistics start from, read as arrays: dialogues, inquiries with one judge's scores, labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, Engine, String, cast, func, select

from arena.core.types import Status
from db import summaries
from db.arrays import (
    Array,
    Codes,
    Dialogues,
    Scores,
    columns_of,
    evasive_of,
    flags_of,
    inquiry_rows,
    joined,
    reason_of,
    rows_of,
)
from db.labels import SUBJECTS, of_tournament
from db.session import reading
from db.tables import DIALOGUES, INQUIRIES, LABELS, SCHEDULE, TOURNAMENT_BOTS, TOURNAMENTS, VERDICTS


@dataclass(frozen=True, slots=True, eq=False)
class Circumstances:
    """What makes dialogues comparable: `unit` is equal where opener and seed are."""

    id: Array
    unit: Array
    turns: frozenset[int]
    openers: frozenset[str]
    inquirers: frozenset[str]
    seconds: Array


@dataclass(frozen=True, slots=True)
class Said:
    """One person's label of one subject."""

    subject: str
    subject_type: str
    schema: str
    person: str
    values: Mapping[str, Any]
    seconds: float | None
    drawn: bool | None = None  # by lot, when it was handed out


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
                SCHEDULE.c.speaker,
                SCHEDULE.c.tested,
                _list(SCHEDULE.c.dialogue),
                _list(SCHEDULE.c.number),
                _list(func.coalesce(DIALOGUES.c.texts, -1)),
            )
            .join(DIALOGUES, DIALOGUES.c.id == SCHEDULE.c.dialogue)
            .where(SCHEDULE.c.tournament == tournament)
            .group_by(SCHEDULE.c.speaker, SCHEDULE.c.tested)
        )
        pairs = connection.execute(statement).all()
    # By name: random draws then come out the same wherever the tournament was imported
    codes = Codes(sorted(str(row.name) for row in members))
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
    texts = np.concatenate([np.array(pair[4].split(","), np.int64) for pair in pairs]) if pairs else id
    opener, openers = _openers(engine, tournament, id[order])
    return Dialogues(
        names,
        tuple(identities.get(name, "") for name in names),
        id[order],
        speaker[order],
        tested[order],
        number[order],
        done[order],
        texts[order],
        opener,
        openers,
    )


def _openers(engine: Engine, tournament: str, ids: Array) -> tuple[Array, tuple[str, ...]]:
    """Each dialogue's opener; not read where the tournament has only one."""
    statement = select(TOURNAMENTS.c.config).where(TOURNAMENTS.c.id == tournament)
    with reading(engine) as connection:
        known = (connection.scalar(statement) or {}).get("openers") or ()
    if len(known) == 1:
        return np.zeros(len(ids), np.int32), tuple(known)
    codes = Codes()
    parts: list[tuple[Array, ...]] = []
    rows = (
        select(DIALOGUES.c.id, DIALOGUES.c.opener)
        .join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
        .where(SCHEDULE.c.tournament == tournament)
    )
    with reading(engine) as connection:
        for some, openers in columns_of(connection, rows):
            codes_of = np.array([codes[opener] for opener in openers], np.int32)
            parts.append((np.array(some, np.int64), codes_of))
    stored, opener = joined(parts, (np.int64, np.int32))
    order = np.argsort(stored, kind="stable")
    at = order[np.searchsorted(stored, ids, sorter=order)] if len(stored) else np.empty(0, np.int64)
    return opener[at], codes.names


def _list(column: ColumnElement[Any]) -> ColumnElement[str]:
    """Whole numbers of a group as one text; two of them in one query are in the same order."""
    return func.aggregate_strings(cast(column, String), ",")


def circumstances(engine: Engine, tournament: str) -> Circumstances:
    """Openers, seeds, turns and inquirers of the dialogues that are over, in the order of their ids."""
    from arena.core.hashing import seed_for

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
        for some, said, seeds, long, asked, took in columns_of(connection, statement):
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
    if judge is not None and summaries.worthwhile(engine, judge) and summaries.made(engine, judge):
        return summaries.scores(engine, judge, played)
    return exact(engine, tournament, judge, played)


def exact(engine: Engine, tournament: str, judge: int | None, played: Dialogues) -> Scores:
    """Row by row from inquiries and verdicts."""
    kinds, types, reasons = Codes(), Codes(), Codes()
    known = {int(id): at for at, (id, done) in enumerate(zip(played.id, played.done, strict=True)) if done}
    keys: list[str] = []
    parts = []
    with reading(engine) as connection:
        for rows in rows_of(connection, inquiry_rows(tournament, judge)):
            rows = [row for row in rows if row[0] in known]
            keys += [row[8] for row in rows]
            parts.append(
                (
                    np.array([known[row[0]] for row in rows], np.int32),
                    np.array([np.nan if row[4] is None else row[4] for row in rows], float),
                    np.array([kinds[row[1]] for row in rows], np.int16),
                    np.array([row[2] for row in rows], np.int16),
                    np.array([types[row[3]] for row in rows], np.int32),
                    np.array(
                        [-1 if row[4] is not None else reasons[reason_of(row)] for row in rows], np.int16
                    ),
                    np.array([evasive_of(*row[4:8]) for row in rows], np.uint8),
                )
            )
    dialogue, score, kind, distance, entity_type, reason, evasive = joined(
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
        flags_of(evasive),
        {key: row for row, key in enumerate(keys)},
    )


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
        LABELS.c.drawn,
    )
    statement = select(*wanted).where(LABELS.c.subject_type.in_(SUBJECTS)).order_by(LABELS.c.id)
    with reading(engine) as connection:
        rows = [Said(*row) for row in connection.execute(statement)]
        there = of_tournament(connection, tournament, [(row.subject_type, row.subject) for row in rows])
    return [row for row in rows if (row.subject_type, row.subject) in there]


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
