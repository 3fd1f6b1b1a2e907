"""Packs a judge's verdicts, one row per 256 dialogues, so that large leaderboards read few rows.

Reading a summary first packs whatever was stored since the last time. Inquiries and verdicts are only ever added.
"""

from __future__ import annotations

import json
from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sqlalchemy import Connection, Table, delete, func, insert, select

from arena.core.errors import StoreError
from db import models as m
from db.arrays import (
    NOT_JUDGED,
    UNKNOWN,
    Array,
    Codes,
    Dialogues,
    InquiryRow,
    Scores,
    flags_of,
    inquiries,
    inquiry_rows,
    joined,
    relevance_of,
)
from db.session import Database, reading, writing
from db.tables import INQUIRIES, VERDICTS, chunks

SUMMARIES: Table = m.SummaryRow.__table__  # type: ignore[assignment]
STATES: Table = m.SummaryStateRow.__table__  # type: ignore[assignment]

MANY = 200_000  # number of a judge's verdicts from which a summary is worthwhile
BLOCK = 256  # dialogues a row
SOME = 2_000  # most ranges of blocks to read one by one; beyond that, all blocks are read


class Totals(NamedTuple):
    """The numbers of stored rows, which tell whether a summary is up to date."""

    verdicts: int
    inquiries: int
    last: int  # the last inquiry's row


def worthwhile(store: Database, judge: int) -> bool:
    """Whether the judge has enough verdicts for a summary."""
    with reading(store.engine) as connection:
        some = select(VERDICTS.c.inquiry).where(VERDICTS.c.judge == judge).limit(MANY).subquery()
        return int(connection.scalar(select(func.count()).select_from(some)) or 0) >= MANY


def fresh(store: Database, judge: int) -> bool:
    """Whether the judge's summaries cover everything that is stored."""
    with reading(store.engine) as connection:
        return _state(connection, judge) == _totals(connection, judge)


def refresh(store: Database, judge: int) -> int:
    """Packs new data if the judge has enough verdicts. Returns the number of rows written."""
    return summarise(store, judge) if worthwhile(store, judge) else 0


def summarise(store: Database, judge: int) -> int:
    """Like `refresh`, for any number of verdicts. Reading and packing do not block writers."""
    with reading(store.engine) as connection:
        before, now = _state(connection, judge), _totals(connection, judge)
        if before == now:
            return 0
        blocks = None if before is None else _touched(connection, judge, before, now)
        packed = list(_packed(connection, judge, blocks))
    mine = SUMMARIES.c.judge == judge
    with writing(store.engine) as connection:
        if blocks is None:
            connection.execute(delete(SUMMARIES).where(mine))
        else:
            for some in chunks(sorted(blocks)):
                connection.execute(delete(SUMMARIES).where(mine, SUMMARIES.c.block.in_(some)))
        if packed:
            connection.execute(insert(SUMMARIES), packed)
        connection.execute(delete(STATES).where(STATES.c.judge == judge))
        connection.execute(insert(STATES).values(judge=judge, **now._asdict()))
    return len(packed)


def stored(store: Database, judge: int) -> bool:
    """Brings the summaries up to date. Returns False if the database is read-only."""
    try:
        summarise(store, judge)
    except StoreError as error:
        if "read-only" in str(error):
            return False
        raise
    return True


def _state(connection: Connection, judge: int) -> Totals | None:
    row = connection.execute(
        select(STATES.c.verdicts, STATES.c.inquiries, STATES.c.last).where(STATES.c.judge == judge)
    ).first()
    return None if row is None or row.last is None else Totals(row.verdicts, row.inquiries, row.last)


def _totals(connection: Connection, judge: int) -> Totals:
    verdicts = connection.scalar(select(func.count()).select_from(VERDICTS).where(VERDICTS.c.judge == judge))
    inquiries, last = connection.execute(select(func.count(), func.max(INQUIRIES.c.id))).one()
    return Totals(int(verdicts or 0), int(inquiries), int(last or 0))


def _touched(connection: Connection, judge: int, before: Totals, now: Totals) -> set[int] | None:
    """Returns the blocks with new inquiries or possibly new verdicts. None if they cannot be determined."""
    new = INQUIRIES.c.id > before.last
    if (
        connection.scalar(select(func.count()).select_from(INQUIRIES).where(new))
        != now.inquiries - before.inquiries
    ):
        return None  # overlapping transactions stored a lower id later
    block = INQUIRIES.c.dialogue // BLOCK
    blocks = set(connection.scalars(select(block).where(new).distinct()))
    if now.verdicts != before.verdicts:
        waited = SUMMARIES.c.unjudged.contains(f'"{NOT_JUDGED}"')
        blocks |= set(
            connection.scalars(select(SUMMARIES.c.block).where(SUMMARIES.c.judge == judge, waited).distinct())
        )
    return blocks


def _packed(connection: Connection, judge: int, blocks: Collection[int] | None) -> Iterator[dict[str, Any]]:
    """Returns the summary rows of whole blocks, by dialogue id. Without `blocks`, of all blocks."""
    whole = inquiries(None, judge)
    runs = [] if blocks is None else _runs(sorted(blocks))
    if blocks is None or len(runs) > SOME:
        statements = [whole]
    else:
        of = INQUIRIES.c.dialogue
        statements = [whole.where(of >= low * BLOCK, of < high * BLOCK) for low, high in runs]
    for statement in statements:
        rest: list[InquiryRow] = []
        for rows in inquiry_rows(connection, statement):
            rest += rows
            last = rest[-1].dialogue // BLOCK
            ready = bisect_left(rest, last, key=lambda row: row.dialogue // BLOCK)
            yield from _rows(judge, rest[:ready], blocks)
            rest = rest[ready:]
        yield from _rows(judge, rest, blocks)


def _runs(blocks: Sequence[int]) -> list[tuple[int, int]]:
    """Merges adjacent blocks into ranges [low, high)."""
    runs: list[tuple[int, int]] = []
    for block in blocks:
        if runs and runs[-1][1] == block:
            runs[-1] = (runs[-1][0], block + 1)
        else:
            runs.append((block, block + 1))
    return runs


def _rows(judge: int, rows: Sequence[InquiryRow], blocks: Collection[int] | None) -> Iterator[dict[str, Any]]:
    groups: dict[tuple[int, str, int], list[InquiryRow]] = {}
    for row in rows:
        groups.setdefault((row.dialogue // BLOCK, row.kind, row.distance), []).append(row)
    for (block, kind, distance), group in groups.items():
        if blocks is not None and block not in blocks:
            continue
        judged = [row for row in group if row.score is not None]
        known, lengths = np.unique(np.array([row.dialogue for row in judged], np.int64), return_counts=True)
        missing = Counter((row.dialogue, row.reason) for row in group if row.score is None)
        yield {
            "judge": judge,
            "block": block,
            "kind": kind,
            "distance": distance,
            "dialogues": known.astype("<i8").tobytes(),
            "lengths": lengths.astype("<i4").tobytes(),
            "scores": np.array([row.score for row in judged], "<f8").tobytes(),
            "evasive": bytes(row.evasive for row in judged),
            "unjudged": json.dumps([[*key, n] for key, n in missing.items()]) if missing else None,
        }


# ── reading ───────────────────────────────────────────────────────────────────────────────────────


def scores(store: Database, judge: int, played: Dialogues) -> Scores:
    """Returns the scores of a tournament's finished dialogues. Kind and distance are in the order of asking."""
    kinds, reasons = Codes(), Codes()
    order = np.argsort(played.id).astype(np.int32)
    ids = played.id[order]
    parts: list[tuple[Array, ...]] = []
    missing: list[tuple[int, int, int, int]] = []
    mine = set((ids // BLOCK).tolist())

    def places(dialogues: Array) -> tuple[Array, Array]:
        """Returns the positions of the dialogues, and whether each of them is finished and in the tournament."""
        at = np.minimum(np.searchsorted(ids, dialogues), len(ids) - 1)
        position = order[at]
        return position, (ids[at] == dialogues) & played.done[position]

    statement = select(SUMMARIES).where(SUMMARIES.c.judge == judge)
    statement = statement.where(SUMMARIES.c.block.between(min(mine, default=0), max(mine, default=-1)))
    with reading(store.engine) as connection:
        for row in connection.execute(statement, execution_options={"stream_results": True}):
            if row.block not in mine:
                continue
            kind = kinds[row.kind]
            position, keep = places(np.frombuffer(row.dialogues, "<i8"))
            lengths = np.frombuffer(row.lengths, "<i4")
            inside = np.repeat(keep, lengths)
            where = np.repeat(position, lengths)[inside]
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
                position, keep = places(np.array([dialogue], np.int64))
                if keep[0]:
                    missing += [(int(position[0]), kind, row.distance, reasons[reason])] * number
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
        relevance_of(evasive),
        {},
        packed=True,
    )


def located(
    store: Database, judge: int, played: Dialogues, scores: Scores, subjects: Collection[str]
) -> dict[str, int]:
    """Returns the positions of some inquiries among the scores, by their keys."""
    asked = _asked(store, judge, sorted(subjects))
    order = np.argsort(played.id)
    ids = np.array(sorted({one.dialogue for one in asked}), np.int64)
    at = (
        order[np.minimum(np.searchsorted(played.id, ids, sorter=order), len(order) - 1)]
        if len(order)
        else ids
    )
    there = {
        int(position): int(id) for position, id in zip(at, ids, strict=True) if played.id[position] == id
    }
    rows: dict[_Group, list[int]] = {}
    for row in np.flatnonzero(np.isin(scores.dialogue, np.array(sorted(there), np.int64))):
        why = int(scores.reason[row])
        group = _Group(
            there[int(scores.dialogue[row])],
            scores.kinds[scores.kind[row]],
            int(scores.distance[row]),
            None if why < 0 else scores.reasons[why],
        )
        rows.setdefault(group, []).append(int(row))
    places: dict[str, int] = {}
    for group, keys in _grouped(asked).items():
        places |= zip(keys, rows.get(group, ()), strict=False)
    return {key: places[key] for key in subjects if key in places}


@dataclass(frozen=True, slots=True)
class _Group:
    """The common properties of a group of inquiries.

    The inquiries of a group are in the order of asking. Inquiries without a verdict are not told apart.
    """

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


def _asked(store: Database, judge: int, subjects: Sequence[str]) -> list[_Asked]:
    """Returns all inquiries of the subjects' dialogues, in the order of asking."""
    dialogues: set[int] = set()
    asked: list[_Asked] = []
    with reading(store.engine) as connection:
        for some in chunks(subjects):
            statement = select(INQUIRIES.c.dialogue).where(INQUIRIES.c.key.in_(some))
            dialogues.update(connection.scalars(statement))
        for ids in chunks(sorted(dialogues)):
            wanted = inquiries(None, judge).where(INQUIRIES.c.dialogue.in_(ids))
            for rows in inquiry_rows(connection, wanted):
                asked += [
                    _Asked(row.key, _Group(row.dialogue, row.kind, row.distance, row.reason)) for row in rows
                ]
    return asked
