"""Formats values for all tables. Unknown values are a dash, and texts from outside go through `rich_text`."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from arena.core.safe_text import rich_text
from arena.stats.standings import Standing

if TYPE_CHECKING:
    from rich.table import Table

DASH = "–"


def share(value: float, digits: int = 3) -> str:
    return f"{value:.{digits}f}" if math.isfinite(value) else DASH


def percent(value: float) -> str:
    return f"{value:.0%}" if math.isfinite(value) else DASH


def signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−") if math.isfinite(value) else DASH


def interval(low: float, high: float) -> str:
    return f"{share(low)}–{share(high)}" if math.isfinite(low) and math.isfinite(high) else DASH


def between(low: float, high: float) -> str:
    """Format the interval of a difference."""
    return f"{signed(low)} to {signed(high)}" if math.isfinite(low) and math.isfinite(high) else DASH


def rank(standing: Standing) -> str:
    """Format a rank, with "=" if it is tied; a dash for bots that have no rank."""
    return f"{'=' if standing.tied else ''}{standing.rank}" if standing.rank else DASH


def span(low: int, high: int) -> str:
    return DASH if not low else str(low) if low == high else f"{low}–{high}"


def distinct(standing: Standing) -> str:
    """Format the number of dialogues, and the number of distinct dialogues if it differs."""
    if standing.distinct_dialogues == standing.dialogues:
        return f"{standing.dialogues:,}"
    return f"{standing.distinct_dialogues:,} distinct of {standing.dialogues:,}"


def new(title: str, caption: str | None = None) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    shown = None if caption is None else rich_text(caption, "dim")
    return Table(
        title=rich_text(title),
        caption=shown,
        box=SIMPLE_HEAD,
        padding=(0, 1, 0, 0),
        title_justify="left",
        caption_justify="left",
    )


def counted(title: str, counts: Mapping[str, Mapping[str, int]]) -> Table | None:
    """Return a table of counts by bot and reason. Bots are rows or columns, whichever makes it narrower. None
    without counts.
    """
    reasons = sorted({reason for by in counts.values() for reason in by})
    if not reasons:
        return None
    table = new(title)
    by_bot = len(reasons) <= len(counts)
    table.add_column("bot" if by_bot else "reason", overflow="fold")
    for column in reasons if by_bot else counts:
        table.add_column(rich_text(column), justify="right", overflow="fold")
    if by_bot:
        for bot, by in counts.items():
            table.add_row(rich_text(bot), *(str(by.get(reason, 0)) for reason in reasons))
    else:
        for reason in reasons:
            table.add_row(rich_text(reason), *(str(by.get(reason, 0)) for by in counts.values()))
    return table
