"""Tables for the terminal; names and texts go through `rich_text`."""

from arena.report.tables.common import percent, rank, share, signed, span
from arena.report.tables.comparison import comparison, history, markdown, self_pairs
from arena.report.tables.labels import corrected, corrected_changes, effort, sweep
from arena.report.tables.leaderboard import (
    beside,
    degenerate,
    differences,
    kinds,
    leaderboard,
    loops,
    matrix,
    refused,
    unjudged,
)
from arena.report.tables.stability import separations, stability

__all__ = [
    "beside",
    "comparison",
    "corrected",
    "corrected_changes",
    "degenerate",
    "differences",
    "effort",
    "history",
    "kinds",
    "leaderboard",
    "loops",
    "markdown",
    "matrix",
    "percent",
    "rank",
    "refused",
    "self_pairs",
    "separations",
    "share",
    "signed",
    "span",
    "stability",
    "sweep",
    "unjudged",
]
