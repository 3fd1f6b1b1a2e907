"""Tables about labels and thresholds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from arena.core.safe_text import rich_text
from arena.report.tables.common import DASH, between, interval, new, share, signed
from arena.stats.calibration import Corrected, CorrectedChange
from arena.stats.effort import Effort
from arena.stats.sweeps import Sweep

if TYPE_CHECKING:
    from rich.table import Table

    from arena.results.labels import Drawn


def sweep(swept: Sweep) -> Table:
    table = new("Rates by threshold τ")
    table.add_column("τ", justify="right")
    for bot in swept.rates:
        table.add_column(rich_text(bot), justify="right", overflow="fold")
    if swept.f1 is not None:
        table.add_column("F1", justify="right")
        table.add_column("Pearson", justify="right")
    for k, tau in enumerate(swept.taus):
        row = [f"{tau:g}", *(share(rates[k]) for rates in swept.rates.values())]
        if swept.f1 is not None and swept.pearson is not None:
            row += [share(swept.f1[k]), share(swept.pearson[k])]
        table.add_row(*row)
    if swept.f1 is not None:
        table.caption = f"F1 and Pearson against {swept.labelled} labelled inquiries."
    return table


def corrected_changes(rows: Iterable[CorrectedChange]) -> Table:
    table = new(
        "Changes corrected for the judge's errors",
        caption="By the labels of inquiries that were drawn by lot in each release; 95% intervals, each for itself.",
    )
    table.add_column("bot", overflow="fold")
    for heading in ("labels", "A → B", "B − A", "interval"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        missing = [f"{n} more in {side}" for n, side in zip(row.needed, "AB", strict=True) if n]
        table.add_row(
            rich_text(row.bot),
            f"{row.labelled[0]}, {row.labelled[1]}",
            f"{share(row.rate_a)} → {share(row.rate_b)}",
            signed(row.delta),
            f"needs about {' and '.join(missing)}" if missing else between(row.low, row.high),
        )
    return table


def effort(costs: Effort) -> Table:
    """Return AIH's Table 4: the cost of a dialogue for machine and people."""
    table = new(
        "What a dialogue costs, and finds",
        caption="Dialogues that were played at once divide the machine's seconds among them.",
    )
    for heading in ("by", "seconds to create", "seconds to judge", "contradictions found"):
        table.add_column(heading, justify="left" if heading == "by" else "right")
    table.add_row(
        "machine",
        share(costs.seconds_to_create, 2),
        share(costs.seconds_to_judge, 3),
        share(costs.contradictions, 2),
    )
    if costs.people_dialogues:
        judging, bad = share(costs.people_seconds_to_judge, 1), share(costs.people_contradictions, 2)
        table.add_row(f"people ({costs.people_dialogues} dialogues)", DASH, judging, bad)
    return table


def corrected(rows: Iterable[Corrected], drawn: Drawn) -> Table:
    rest = f"; {drawn.left_out} others that were labelled do not count" if drawn.left_out else ""
    rest += f"; {drawn.undecided} have no clear vote" if drawn.undecided else ""
    table = new(
        "Rates corrected for the judge's errors",
        caption=f"By the labels of inquiries that were drawn by lot{rest}.",
    )
    table.add_column("bot", overflow="fold")
    for heading in ("labels", "judge", "people", "corrected", "interval"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        table.add_row(
            rich_text(row.bot),
            str(row.labelled),
            share(row.judge_rate),
            share(row.people_rate),
            share(row.rate),
            interval(row.low, row.high) if not row.needed else f"needs about {row.needed} more labels",
        )
    return table
