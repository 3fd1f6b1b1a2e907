"""A judge's verdicts packed, a row for 256 dialogues, so that a leaderboard of millions need not read them one by one.

What was stored since is packed when it is looked for; inquiries and verdicts are only ever added.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sqlalchemy import Connection, Engine, Table, delete, func, insert, select

from arena.core.errors import StoreError
from db import models as m
from db.arrays import (
    NOT_JUDGED,
    UNKNOWN,
    Array,
    Codes,
    Dialogues,
    Scores,
    evasive_of,
    flags_of,
    inquiry_rows,
    joined,
    reason_of,
    rows_of,
)
from db.session import reading, writing
from db.tables import INQUIRIES, VERDICTS, chunks

SUMMARIES: Table = m.SummaryRow.__table__  # type: ignore[assignment]
STATES: Table = m.SummaryStateRow.__table__  # type: ignore[assignment]

MANY = 200_000  # verdicts of a judge from which on a summary pays
BLOCK = 256  # dialogues a row
SOME = 2_000  # runs of blocks that are read one by one; more are read as a whole

Totals = tuple[int, int, int]  # verdicts, inquiries, the last inquiry's row


def worthwhile(engine: Engine, judge: int) -> bool:
    """Whether the judge has said so much."""
    with reading(engine) as connection:
        some = select(VERDICTS.c.inquiry).where(VERDICTS.c.judge == judge).limit(MANY).subquery()
        return int(connection.scalar(select(func.count()).select_from(some)) or 0) >= MANY


def fresh(engine: Engine, judge: int) -> bool:
    """Whether the judge's summaries hold all that is stored."""
    with reading(engine) as connection:
        return _state(connection, judge) == _totals(connection, judge)


def refresh(engine: Engine, judge: int) -> int:
    """Packs what was stored since, where the judge has said enough for it; the number of rows written."""
    return summarise(engine, judge) if worthwhile(engine, judge) else 0


def summarise(engine: Engine, judge: int) -> int:
    """The same however little the judge has said. Reading and packing hold up nobody who writes."""
    with reading(engine) as connection:
        before, now = _state(connection, judge), _totals(connection, judge)
        if before == now:
            return 0
        blocks = None if before is None else _touched(connection, judge, before, now)
        packed = list(_packed(connection, judge, blocks))
    mine = SUMMARIES.c.judge == judge
    with writing(engine) as connection:
        if blocks is None:
            connection.execute(delete(SUMMARIES).where(mine))
        else:
            for some in chunks(sorted(blocks)):
                connection.execute(delete(SUMMARIES).where(mine, SUMMARIES.c.block.in_(some)))
        if packed:
            connection.execute(insert(SUMMARIES), packed)
        connection.execute(delete(STATES).where(STATES.c.judge == judge))
        verdicts, inquiries, last = now
        connection.execute(
            insert(STATES).values(judge=judge, verdicts=verdicts, inquiries=inquiries, last=last)
        )
    return len(packed)


def made(engine: Engine, judge: int) -> bool:
    """Brings the summaries up to date; False where the database may only be read."""
    try:
        summarise(engine, judge)
    except StoreError as error:
        if "read-only" in str(error):
            return False
        raise
    return True


def _state(connection: Connection, judge: int) -> Totals | None:
    row = connection.execute(
        select(STATES.c.verdicts, STATES.c.inquiries, STATES.c.last).where(STATES.c.judge == judge)
    ).first()
    return None if row is None or row.last is None else (row.verdicts, row.inquiries, row.last)


def _totals(connection: Connection, judge: int) -> Totals:
    verdicts = connection.scalar(select(func.count()).select_from(VERDICTS).where(VERDICTS.c.judge == judge))
    inquiries, last = connection.execute(select(func.count(), func.max(INQUIRIES.c.id))).one()
    return int(verdicts or 0), int(inquiries), int(last or 0)


def _touched(connection: Connection, judge: int, before: Totals, now: Totals) -> set[int] | None:
    """Blocks with inquiries that are new, or that may have been judged since; None where that cannot be told."""
    new = INQUIRIES.c.id > before[2]
    if connection.scalar(select(func.count()).select_from(INQUIRIES).where(new)) != now[1] - before[1]:
        return None  # transactions that overlapped: a lower number was stored later
    block = INQUIRIES.c.dialogue // BLOCK
    blocks = set(connection.scalars(select(block).where(new).distinct()))
    if now[0] != before[0]:
        waited = SUMMARIES.c.unjudged.contains(f'"{NOT_JUDGED}"')
        blocks |= set(
            connection.scalars(select(SUMMARIES.c.block).where(SUMMARIES.c.judge == judge, waited).distinct())
        )
    return blocks


def _packed(connection: Connection, judge: int, blocks: Collection[int] | None) -> Iterator[dict[str, Any]]:
    """Rows of whole blocks, in the order of the dialogues' ids; of all blocks if none are named."""
    whole = inquiry_rows(None, judge)
    runs = [] if blocks is None else _runs(sorted(blocks))
    if blocks is None or len(runs) > SOME:
        statements = [whole]
    else:
        of = INQUIRIES.c.dialogue
        statements = [whole.where(of >= low * BLOCK, of < high * BLOCK) for low, high in runs]
    for statement in statements:
        rest: list[Any] = []
        for rows in rows_of(connection, statement):
            rest += rows
            last = rest[-1][0] // BLOCK
            ready = bisect_left(rest, last, key=lambda row: row[0] // BLOCK)
            yield from _rows(judge, rest[:ready], blocks)
            rest = rest[ready:]
        yield from _rows(judge, rest, blocks)


def _runs(blocks: Sequence[int]) -> list[tuple[int, int]]:
    """Neighbours as one: [low, high)."""
    runs: list[tuple[int, int]] = []
    for block in blocks:
        if runs and runs[-1][1] == block:
            runs[-1] = (runs[-1][0], block + 1)
        else:
            runs.append((block, block + 1))
    return runs


def _rows(judge: int, rows: Sequence[Any], blocks: Collection[int] | None) -> Iterator[dict[str, Any]]:
    groups: dict[tuple[int, str, int], list[Any]] = {}
    for row in rows:
        groups.setdefault((row[0] // BLOCK, row[1], row[2]), []).append(row)
    for (block, kind, distance), group in groups.items():
        if blocks is not None and block not in blocks:
            continue
        judged = [row for row in group if row[4] is not None]
        known, lengths = np.unique(np.array([row[0] for row in judged], np.int64), return_counts=True)
        missing = Counter((row[0], reason_of(row)) for row in group if row[4] is None)
        yield {
            "judge": judge,
            "block": block,
            "kind": kind,
            "distance": distance,
            "dialogues": known.astype("<i8").tobytes(),
            "lengths": lengths.astype("<i4").tobytes(),
            "scores": np.array([row[4] for row in judged], "<f8").tobytes(),
            "evasive": bytes(evasive_of(*row[4:8]) for row in judged),
            "unjudged": json.dumps([[*key, n] for key, n in missing.items()]) if missing else None,
        }


# ── reading ───────────────────────────────────────────────────────────────────────────────────────


def scores(engine: Engine, judge: int, played: Dialogues) -> Scores:
    """Of a tournament's dialogues that are done; inside a dialogue, kind and distance in the order of asking."""
    kinds, reasons = Codes(), Codes()
    order = np.argsort(played.id).astype(np.int32)
    ids = played.id[order]
    parts: list[tuple[Array, ...]] = []
    missing: list[tuple[int, int, int, int]] = []
    mine = set((ids // BLOCK).tolist())

    def places(dialogues: Array) -> tuple[Array, Array]:
        """Where the dialogues stand, and which of them are the tournament's and done."""
        at = np.minimum(np.searchsorted(ids, dialogues), len(ids) - 1)
        place = order[at]
        return place, (ids[at] == dialogues) & played.done[place]

    statement = select(SUMMARIES).where(SUMMARIES.c.judge == judge)
    statement = statement.where(SUMMARIES.c.block.between(min(mine, default=0), max(mine, default=-1)))
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
    dialogue, score, kind_, distance, evasive = joined(parts, (np.int32, float, np.int16, np.int16, np.uint8))
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
        dialogue,
        score,
        kind_,
        kinds.names,
        distance,
        none,
        (),
        reason_,
        reasons.names,
        flags_of(evasive),
        {},
        packed=True,
    )


def located(
    engine: Engine, judge: int, played: Dialogues, found: Scores, subjects: Collection[str]
) -> dict[str, int]:
    """Where some inquiries stand among the scores, by their keys."""
    asked = _asked(engine, judge, sorted(subjects))
    order = np.argsort(played.id)
    ids = np.array(sorted({one.dialogue for one in asked}), np.int64)
    at = (
        order[np.minimum(np.searchsorted(played.id, ids, sorter=order), len(order) - 1)]
        if len(order)
        else ids
    )
    there = {int(place): int(id) for place, id in zip(at, ids, strict=True) if played.id[place] == id}
    rows: dict[_Group, list[int]] = {}
    for row in np.flatnonzero(np.isin(found.dialogue, np.array(sorted(there), np.int64))):
        why = int(found.reason[row])
        group = _Group(
            there[int(found.dialogue[row])],
            found.kinds[found.kind[row]],
            int(found.distance[row]),
            None if why < 0 else found.reasons[why],
        )
        rows.setdefault(group, []).append(int(row))
    places: dict[str, int] = {}
    for group, keys in _grouped(asked).items():
        places |= zip(keys, rows.get(group, ()), strict=False)
    return {key: places[key] for key in subjects if key in places}


@dataclass(frozen=True, slots=True)
class _Group:
    """Inquiries that stand in the order of asking; those that were not judged are alike."""

    dialogue: int
    kind: str
    distance: int
    why: str | None  # not judged


@dataclass(frozen=True, slots=True)
class _Asked:
    key: str
    group: _Group

    @property
    def dialogue(self) -> int:
        return self.group.dialogue


def _grouped(asked: Sequence[_Asked]) -> dict[_Group, list[str]]:
    keys: dict[_Group, list[str]] = {}
    for one in asked:
        keys.setdefault(one.group, []).append(one.key)
    return keys


def _asked(engine: Engine, judge: int, subjects: Sequence[str]) -> list[_Asked]:
    """All inquiries of the subjects' dialogues, in the order of asking."""
    dialogues: set[int] = set()
    found: list[_Asked] = []
    with reading(engine) as connection:
        for some in chunks(subjects):
            statement = select(INQUIRIES.c.dialogue).where(INQUIRIES.c.key.in_(some))
            dialogues.update(connection.scalars(statement))
        for ids in chunks(sorted(dialogues)):
            for row in connection.execute(inquiry_rows(None, judge).where(INQUIRIES.c.dialogue.in_(ids))):
                why = None if row[4] is not None else reason_of(row)
                found += [_Asked(row[8], _Group(row[0], row[1], row[2], why))]
    return found
