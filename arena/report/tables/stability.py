"""Tables of a stability curve."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from arena.core.safe_text import rich_text
from arena.report.tables.common import DASH, new, percent, share
from arena.stats.stability import Separation, Stability

if TYPE_CHECKING:
    from rich.table import Table


def stability(result: Stability) -> Table:
    whose = "the given one" if result.given else "the full data's own"
    table = new(
        f"Share of draws with the reference ranking ({whose})",
        caption="Draws are with replacement, up to half of the dialogues. Clusters kept: no order is turned round that "
        f"the data are sure of: {clusters(result)}.",
    )
    table.add_column("dialogues per pair", justify="right")
    table.add_column("all bots", justify="right")
    table.add_column("Kendall τ", justify="right")
    table.add_column("clusters kept", justify="right")
    for bot in result.leave_one_out:
        table.add_column(rich_text(f"without {bot}"), justify="right", overflow="fold")
    sizes = result.curve.dialogues
    for k in sorted({round(i * (len(sizes) - 1) / 11) for i in range(12)}):
        table.add_row(
            str(sizes[k]),
            percent(result.curve.agreement[k]),
            f"{result.curve.kendall[k]:.2f}",
            percent(result.curve.same_clusters[k]),
            *(percent(curve.agreement[k]) for curve in result.leave_one_out.values()),
        )
    table.add_section()
    reached = [result.curve.stable_at(), *(curve.stable_at() for curve in result.leave_one_out.values())]
    shown = [DASH if at is None else str(at) for at in reached]
    table.add_row("95% from", shown[0], "", "", *shown[1:])
    return table


def clusters(result: Stability) -> str:
    """Format the groups of bots that the data cannot distinguish, in the order of the reference ranking."""
    return " < ".join(" = ".join(cluster) for cluster in result.clusters)


def separations(pairs: Iterable[Separation]) -> Table:
    table = new(
        "Dialogues per pair at which neighbours' intervals would part, if their rates are what they seem",
        caption="In brackets: what the uncertainty of the difference allows.",
    )
    for heading in ("neighbours", "difference", "played", "needed"):
        table.add_column(heading, justify="left" if heading == "neighbours" else "right", overflow="fold")
    for s in pairs:
        need = f"{_count(s.need)} ({_count(s.low)} to {_count(s.high)})"
        table.add_row(rich_text(f"{s.better} < {s.worse}"), share(s.difference), f"{s.have:.0f}", need)
    return table


def _count(value: float) -> str:
    return f"{value:,.0f}" if math.isfinite(value) else "∞"
