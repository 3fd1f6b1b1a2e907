"""HTML tables for notebooks. Text from bots and files is escaped."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from arena.core.safe_text import html

CELL = "padding:2px 10px;text-align:{align};font-variant-numeric:tabular-nums"


def table(title: str, header: Sequence[str], rows: Iterable[Sequence[Any]], notes: Iterable[str] = ()) -> str:
    """Return an HTML table with a caption above and notes below; numbers are right-aligned, text left-aligned."""
    head = "".join(f"<th style='{CELL.format(align='left')}'>{html(name)}</th>" for name in header)
    body = "".join(f"<tr>{''.join(_cell(value) for value in row)}</tr>" for row in rows)
    below = "".join(f"<p style='margin:2px 0'>{html(note)}</p>" for note in notes)
    return (
        f"<div><p style='margin:4px 0;font-weight:600'>{html(title)}</p>"
        f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{below}</div>"
    )


def rate(value: float | None) -> str:
    return "–" if value is None or not math.isfinite(value) else f"{value:.3f}"


def interval(low: float | None, high: float | None) -> str:
    return "–" if low is None or high is None else f"{low:.3f} to {high:.3f}"


def ranks(rank: int | None, low: int | None, high: int | None) -> str:
    """Return a rank or a range of ranks (`2`, `1 to 3`), or a dash for a bot without a rank."""
    if rank is None:
        return "–"
    return str(rank) if low == high else f"{low} to {high}"


def _cell(value: Any) -> str:
    align = "right" if isinstance(value, int | float) else "left"
    text = f"{value:.3f}" if isinstance(value, float) else str(value)
    return f"<td style='{CELL.format(align=align)}'>{html(text)}</td>"
