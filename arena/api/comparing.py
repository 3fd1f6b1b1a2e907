"""arena.compare: compares two releases or tournaments."""

from __future__ import annotations

from arena.api.boards import Comparison
from arena.api.result import Result
from arena.api.store import opened
from arena.report import documents, plots
from arena.results.comparison import compared
from arena.stats.comparison import MARGIN, RELATIVE_MARGIN
from arena.stats.counts import HEADLINE, Kinds
from db.repository import Repository


def compare(
    a: str | Result,
    b: str | Result,
    *,
    db: str | Repository | None = None,
    judge: str | None = None,
    tau: float | None = None,
    kind: Kinds = HEADLINE,
    distance: int | None = 0,
    margin: float = MARGIN,
    relative_margin: float = RELATIVE_MARGIN,
    force: bool = False,
) -> Comparison:
    """Compare A and B as `arena compare` does. A and B are release tags, ids or results."""
    if db is None and isinstance(a, Result):
        db = a._store
    comparison = compared(
        opened(db),
        a.id if isinstance(a, Result) else a,
        b.id if isinstance(b, Result) else b,
        judge=judge,
        tau=tau,
        kind=kind,
        distance=distance,
        margin=margin,
        relative_margin=relative_margin,
        force=force,
    )
    return Comparison(documents.comparison(comparison), lambda: plots.slope_plot(comparison))
