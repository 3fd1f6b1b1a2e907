"""Counts, for each bot, the questions that were not asked and the dialogues that broke down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Integer,
    String,
    case,
    cast,
    func,
    literal_column,
    select,
    true,
)
from sqlalchemy.sql.expression import TableValuedAlias

from arena.core.types import TESTED, Status
from db.session import Database, reading
from db.tables import DIALOGUES, SCHEDULE

BROKEN = "tested_degenerate"  # the key of the signs in a dialogue's facts


@dataclass(frozen=True, slots=True)
class Conduct:
    """Facts about a bot under test, over its finished dialogues."""

    refused: Mapping[str, int] = field(default_factory=dict)  # number of questions not asked, by reason
    degenerate: Mapping[str, int] = field(default_factory=dict)  # number of dialogues, by their signs
    degenerate_dialogues: int = 0  # number of dialogues with any sign
    collapsed: Mapping[int, int] = field(default_factory=dict)  # number of dialogues that looped, by turn
    looped: int = 0  # looped dialogues in which the bot under test, not its partner, looped


def conduct(store: Database, tournament: str) -> dict[str, Conduct]:
    """Returns the facts for each bot of the tournament.

    The database computes the sums, because there may be millions of dialogues.
    """
    mine = (SCHEDULE.c.tournament == tournament, DIALOGUES.c.status == Status.DONE.value)
    both = SCHEDULE.join(DIALOGUES, DIALOGUES.c.id == SCHEDULE.c.dialogue)
    entries = _entries(DIALOGUES.c.refused, store.engine.dialect.name)
    reasons = (
        select(SCHEDULE.c.tested, entries.c.key, func.sum(cast(entries.c.value, Integer)))
        .select_from(both.join(entries, true()))
        .where(*mine, entries.c.key.is_not(None))
        .group_by(SCHEDULE.c.tested, entries.c.key)
    )
    broken = (
        select(SCHEDULE.c.tested, DIALOGUES.c.facts)
        .select_from(both)
        .where(*mine, cast(DIALOGUES.c.facts, String).contains(f'"{BROKEN}"'))
    )
    loops = (
        select(SCHEDULE.c.tested, DIALOGUES.c.collapsed_turn, DIALOGUES.c.collapsed_seat, func.count())
        .select_from(both)
        .where(*mine, DIALOGUES.c.collapsed_turn.is_not(None))
        .group_by(SCHEDULE.c.tested, DIALOGUES.c.collapsed_turn, DIALOGUES.c.collapsed_seat)
    )
    refused: dict[str, dict[str, int]] = {}
    collapsed: dict[str, Counter[int]] = {}
    looped: Counter[str] = Counter()
    signs: dict[str, Counter[str]] = {}
    dialogues: Counter[str] = Counter()
    with reading(store.engine) as connection:
        for tested, reason, number in connection.execute(reasons):
            refused.setdefault(tested, {})[reason] = int(number)
        for tested, facts in connection.execute(broken):
            if breakdown := facts.get(BROKEN):
                signs.setdefault(tested, Counter()).update(breakdown)
                dialogues[tested] += 1
        for tested, turn, seat, number in connection.execute(loops):
            collapsed.setdefault(tested, Counter())[turn] += number
            looped[tested] += number if seat == TESTED else 0
    return {
        bot: Conduct(
            dict(sorted(refused.get(bot, {}).items())),
            dict(sorted(signs.get(bot, {}).items())),
            dialogues[bot],
            dict(sorted(collapsed.get(bot, {}).items())),
            looped[bot],
        )
        for bot in sorted({*refused, *signs, *collapsed})
    }


def _entries(column: ColumnElement[Any], dialect: str) -> TableValuedAlias:
    """Returns one row for each key of a JSON mapping, and no row for any other value."""
    if dialect == "sqlite":
        return func.json_each(column).table_valued("key", "value")
    mapping = case(
        (func.jsonb_typeof(column) == "object", column), else_=literal_column("CAST('{}' AS jsonb)")
    )
    return func.jsonb_each_text(mapping).table_valued("key", "value")
