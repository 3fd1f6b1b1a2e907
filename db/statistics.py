"""Reads the input of statistics as arrays: dialogues, and inquiries with one judge's scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from sqlalchemy import ColumnElement, String, and_, case, cast, func, select

from arena.core.types import TESTED, OnLoop, Status
from db import summaries
from db.arrays import (
    Array,
    Codes,
    Dialogues,
    Scores,
    columns_of,
    flags_of,
    inquiries,
    inquiry_rows,
    joined,
    relevance_of,
)
from db.session import Database, reading
from db.tables import DIALOGUES, INQUIRIES, SCHEDULE, TOURNAMENT_BOTS, TOURNAMENTS, VERDICTS


@dataclass(frozen=True, slots=True, eq=False)
class Circumstances:
    """What must be equal for dialogues to be comparable.

    `unit` is equal for dialogues with equal opener and seed.
    """

    id: Array
    unit: Array
    turns: frozenset[int]
    openers: frozenset[str]
    inquirers: frozenset[str]
    seconds: Array


def dialogues(store: Database, tournament: str) -> Dialogues:
    """Returns every finished dialogue of the tournament, by pair and number."""
    with reading(store.engine) as connection:
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
        unplayed = DIALOGUES.c.turns - DIALOGUES.c.collapsed_turn
        # One row per pair: two million rows of names would take longer than everything else
        statement = (
            select(
                SCHEDULE.c.speaker,
                SCHEDULE.c.tested,
                _list(SCHEDULE.c.dialogue).label("dialogues"),
                _list(SCHEDULE.c.number).label("numbers"),
                _list(func.coalesce(DIALOGUES.c.texts, -1)).label("texts"),
                func.sum(case((ended_early(), unplayed), else_=0)).label("unsaid"),
            )
            .join(DIALOGUES, DIALOGUES.c.id == SCHEDULE.c.dialogue)
            .where(SCHEDULE.c.tournament == tournament)
            .group_by(SCHEDULE.c.speaker, SCHEDULE.c.tested)
        )
        pairs = connection.execute(statement).all()
    # Sorted by name, so that random draws are the same in every database
    codes = Codes(sorted(str(row.name) for row in members))
    identities = {row.name: row.identity for row in members}
    ids = [np.array(pair.dialogues.split(","), np.int64) for pair in pairs]
    sizes = [len(some) for some in ids]
    id = np.concatenate(ids) if ids else np.empty(0, np.int64)
    numbers = [np.array(pair.numbers.split(","), np.int32) for pair in pairs]
    number = np.concatenate(numbers) if pairs else np.empty(0, np.int32)
    speaker = np.repeat(np.array([codes[pair.speaker] for pair in pairs], np.int64), sizes)
    tested = np.repeat(np.array([codes[pair.tested] for pair in pairs], np.int64), sizes)
    done = ~np.isin(id, over[Status.FAILED.value])
    played = ~np.isin(id, np.concatenate([over[Status.PLANNED.value], over[Status.RUNNING.value]]))
    order = np.lexsort((number, tested, speaker))
    order = order[played[order]]
    names = codes.names
    texts = np.concatenate([np.array(pair.texts.split(","), np.int64) for pair in pairs]) if pairs else id
    unsaid = np.zeros(len(names), np.int64)
    for pair in pairs:
        unsaid[codes[pair.tested]] += int(pair.unsaid)
    opener, openers = _openers(store, tournament, id[order])
    persona, personas = _personas(store, tournament, id[order], tested[order])
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
        persona,
        personas,
        unsaid,
    )


def ended_early() -> ColumnElement[bool]:
    """Selects dialogues that ended because of a loop."""
    return and_(
        DIALOGUES.c.status == Status.DONE.value,
        DIALOGUES.c.on_loop == OnLoop.END.value,
        DIALOGUES.c.collapsed_turn.is_not(None),
    )


def _openers(store: Database, tournament: str, ids: Array) -> tuple[Array, tuple[str, ...]]:
    """Returns each dialogue's opener. The openers are not read if the tournament has only one opener."""
    known = _config(store, tournament).get("openers") or ()
    if len(known) == 1:
        return np.zeros(len(ids), np.int32), tuple(known)
    return _coded(store, tournament, ids, DIALOGUES.c.opener)


def _personas(store: Database, tournament: str, ids: Array, tested: Array) -> tuple[Array, tuple[str, ...]]:
    """Returns the persona of the bot under test in each dialogue, or -1 for a bot with a fixed persona."""
    bots = _config(store, tournament).get("bots") or ()
    if not any((bot.get("settings") or {}).get("persona") for bot in bots):
        return np.full(len(ids), -1, np.int32), ()
    persona, personas = _coded(store, tournament, ids, DIALOGUES.c.personas[TESTED].as_string())
    for bot in np.unique(tested):
        mine = tested == bot
        if len(np.unique(persona[mine])) == 1:
            persona[mine] = -1
    return persona, personas


def _config(store: Database, tournament: str) -> Mapping[str, Any]:
    with reading(store.engine) as connection:
        return connection.scalar(select(TOURNAMENTS.c.config).where(TOURNAMENTS.c.id == tournament)) or {}


def _coded(
    store: Database, tournament: str, ids: Array, column: ColumnElement[Any]
) -> tuple[Array, tuple[str, ...]]:
    """Returns one text of each dialogue, such as its opener, as an index into the distinct texts. -1 means no text."""
    codes = Codes()
    parts: list[tuple[Array, ...]] = []
    rows = (
        select(DIALOGUES.c.id, column)
        .join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
        .where(SCHEDULE.c.tournament == tournament)
    )
    with reading(store.engine) as connection:
        for some, texts in columns_of(connection, rows):
            codes_of = np.array([-1 if text is None else codes[text] for text in texts], np.int32)
            parts.append((np.array(some, np.int64), codes_of))
    stored, code = joined(parts, (np.int64, np.int32))
    order = np.argsort(stored, kind="stable")
    at = order[np.searchsorted(stored, ids, sorter=order)] if len(stored) else np.empty(0, np.int64)
    return code[at], codes.names


def _list(column: ColumnElement[Any]) -> ColumnElement[str]:
    """Joins the integers of a group to one text. Two such columns of one query have the same order."""
    return func.aggregate_strings(cast(column, String), ",")


def circumstances(store: Database, tournament: str) -> Circumstances:
    """Returns openers, seeds, turns and inquirers of the finished dialogues, in the order of their ids."""
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
    with reading(store.engine) as connection:
        for some, openers_here, seeds, long, asked, took in columns_of(connection, statement):
            ids.append(np.array(some, np.int64))
            units.append(
                np.array(
                    [unit(o) ^ (s & (2**63 - 1)) for o, s in zip(openers_here, seeds, strict=True)], np.int64
                )
            )
            seconds.append(np.array([np.nan if t is None else t for t in took], float))
            turns.update(long)
            openers.update(openers_here)
            inquirers.update(asked)
    return Circumstances(
        np.concatenate(ids) if ids else np.empty(0, np.int64),
        np.concatenate(units) if units else np.empty(0, np.int64),
        frozenset(turns),
        frozenset(openers),
        frozenset(inquirers),
        np.concatenate(seconds) if seconds else np.empty(0),
    )


def scores(store: Database, tournament: str, judge: int | None, played: Dialogues) -> Scores:
    """Returns the inquiries of the finished dialogues with the judge's scores.

    If there are many verdicts, the scores are read from a summary.
    """
    if judge is not None and summaries.worthwhile(store, judge) and summaries.stored(store, judge):
        return summaries.scores(store, judge, played)
    return exact(store, tournament, judge, played)


def exact(store: Database, tournament: str, judge: int | None, played: Dialogues) -> Scores:
    """Reads the scores row by row from inquiries and verdicts."""
    kinds, types, reasons = Codes(), Codes(), Codes()
    known = {int(id): at for at, (id, done) in enumerate(zip(played.id, played.done, strict=True)) if done}
    keys: list[str] = []
    parts = []
    with reading(store.engine) as connection:
        for block in inquiry_rows(connection, inquiries(tournament, judge)):
            rows = [row for row in block if row.dialogue in known]
            keys += [row.key for row in rows]
            parts.append(
                (
                    np.array([known[row.dialogue] for row in rows], np.int32),
                    np.array([np.nan if row.score is None else row.score for row in rows], float),
                    np.array([kinds[row.kind] for row in rows], np.int16),
                    np.array([row.distance for row in rows], np.int16),
                    np.array([types[row.entity_type] for row in rows], np.int32),
                    np.array([-1 if (why := row.reason) is None else reasons[why] for row in rows], np.int16),
                    np.array([row.evasive for row in rows], np.uint8),
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
        relevance_of(evasive),
        {key: row for row, key in enumerate(keys)},
    )


def judging_seconds(store: Database, tournament: str, judge: int) -> float | None:
    """Returns the seconds that the judge took for the tournament's inquiries. None if they were not stored."""
    mine = select(SCHEDULE.c.dialogue).where(SCHEDULE.c.tournament == tournament)
    statement = (
        select(func.sum(VERDICTS.c.seconds))
        .join(INQUIRIES, INQUIRIES.c.id == VERDICTS.c.inquiry)
        .where(VERDICTS.c.judge == judge, INQUIRIES.c.dialogue.in_(mine))
    )
    with reading(store.engine) as connection:
        total = connection.scalar(statement)
    return None if total is None else float(total)


def keys(store: Database, tournament: str, number: int) -> list[str]:
    """Returns the keys of finished dialogues, among the first `number` dialogues of each pair."""
    statement = (
        select(DIALOGUES.c.key)
        .join(SCHEDULE, SCHEDULE.c.dialogue == DIALOGUES.c.id)
        .where(SCHEDULE.c.tournament == tournament, SCHEDULE.c.number < number)
        .where(DIALOGUES.c.status == Status.DONE.value)
        .order_by(SCHEDULE.c.speaker, SCHEDULE.c.tested, SCHEDULE.c.number)
    )
    with reading(store.engine) as connection:
        return list(connection.scalars(statement))
