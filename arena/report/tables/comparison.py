"""Tables for two releases, and for one bot across releases."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import TYPE_CHECKING

from arena.core.safe_text import markdown as text
from arena.core.safe_text import rich_text
from arena.report import captions
from arena.report.tables.common import DASH, new, rank, share, signed
from arena.stats.comparison import Comparison, Verdict

if TYPE_CHECKING:
    from rich.table import Table

    from arena.results.releases import ReleaseStanding

STYLES = {
    Verdict.BETTER: "bold blue",
    Verdict.WORSE: "bold dark_orange",
    Verdict.SAME: "",
    Verdict.UNCLEAR: "dim",
    Verdict.UNCHANGED: "dim",
}


def comparison(result: Comparison) -> Table:
    paired, alone = sum(c.paired for c in result.changes), sum(c.unpaired for c in result.changes)
    table = new(
        f"A = {result.a}, B = {result.b}",
        caption=f"Over pairs whose speaker is the same bot in both: {paired} dialogues with their twin of equal "
        f"opener and seed, {alone} without. {captions.comparison(result)}",
    )
    table.add_column("bot", overflow="fold", min_width=8)
    for heading in ("A → B", "B − A (95%)", "p", "detectable"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("B is", no_wrap=True)
    for c in result.changes:
        table.add_row(
            rich_text(c.bot),
            f"{share(c.rate_a)} → {share(c.rate_b)}",
            f"{signed(c.delta)} ({signed(c.low)}, {signed(c.high)})"
            if math.isfinite(c.low)
            else signed(c.delta),
            share(c.p_value),
            share(c.detectable),
            rich_text(c.verdict.value, STYLES[c.verdict]),
        )
    return table


def self_pairs(result: Comparison) -> Table | None:
    """Return the rates of bots that talk with themselves. They get no verdict, because both sides of such a pair
    changed.
    """
    if not any(c.self_pair for c in result.changes):
        return None
    table = new("Each bot with itself (both seats changed: shown, not judged)")
    table.add_column("bot", overflow="fold")
    for heading in ("rate A", "rate B", "B − A", "interval"):
        table.add_column(heading, justify="right", no_wrap=True)
    for c in result.changes:
        if own := c.self_pair:
            interval = f"{signed(own.low)} to {signed(own.high)}" if math.isfinite(own.low) else DASH
            table.add_row(rich_text(c.bot), share(own.rate_a), share(own.rate_b), signed(own.delta), interval)
    return table


def markdown(result: Comparison, margin: float) -> str:
    """Return a Markdown table for a pull request."""
    lines = [f"### Consistency: {text(result.b)} against {text(result.a)}", ""]
    if result.reasons:
        lines += [f"> **Not comparable:** {'; '.join(text(reason) for reason in result.reasons)}.", ""]
    if result.changes:
        lines += [
            "| bot | rate A | rate B | B − A | 95% interval | p (Holm) | detectable | B is |",
            "|---|---:|---:|---:|---:|---:|---:|---|",
        ]
        for c in result.changes:
            bold = "**" if c.verdict in (Verdict.BETTER, Verdict.WORSE) else ""
            interval = f"{signed(c.low)} to {signed(c.high)}" if math.isfinite(c.low) else DASH
            lines.append(
                f"| {text(c.bot)} | {share(c.rate_a)} | {share(c.rate_b)} | {signed(c.delta)} | {interval} "
                f"| {share(c.p_value)} | {share(c.detectable)} | {bold}{c.verdict.value}{bold} |"
            )
        lines += [
            "",
            f"Contradiction rates, low wins; *same* means within ±{margin:g}, less near zero. "
            f"{captions.comparison(result)}",
        ]
    gone = [f"only in A: {text(bot)}" for bot in result.only_a] + [
        f"only in B: {text(bot)}" for bot in result.only_b
    ]
    lines += [f"({'; '.join(gone)})"] if gone else []
    return "\n".join(lines)


def history(bot: str, rows: Iterable[ReleaseStanding]) -> Table:
    table = new(
        f"{bot}, release by release", caption="* another bot (weights or settings) than the release before."
    )
    table.add_column("release", overflow="fold")
    table.add_column("tournament", no_wrap=True)
    for heading in ("rate", "interval", "rank", "inquiries"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("judge", overflow="fold")
    for row in rows:
        s = row.standing
        interval = f"{share(s.low)}–{share(s.high)}" if math.isfinite(s.low) else DASH
        table.add_row(
            rich_text(row.release + ("*" if row.changed else "")),
            row.tournament,
            share(s.rate),
            interval,
            f"{rank(s)} of {row.bots}",
            str(s.inquiries),
            rich_text(f"{row.judge}, τ = {row.tau:g}"),
        )
    return table
