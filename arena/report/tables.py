"""Tables for a terminal: names and texts go through `safe`, everything else is numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from arena.core.safe_text import rich_text
from arena.stats.calibration import Corrected
from arena.stats.comparison import Comparison, Verdict
from arena.stats.leaderboard import Effort, Leaderboard, Standing, Sweep
from arena.stats.stability import Separation, Stability

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from arena.results.view import Drawn, Past, View
    from db.conduct import Conduct

DASH = "–"
STYLES = {
    Verdict.BETTER: "bold blue",
    Verdict.WORSE: "bold dark_orange",
    Verdict.SAME: "",
    Verdict.UNCLEAR: "dim",
}


def share(value: float, digits: int = 3) -> str:
    return f"{value:.{digits}f}" if math.isfinite(value) else DASH


def percent(value: float) -> str:
    return f"{value:.0%}" if math.isfinite(value) else DASH


def rank(standing: Standing) -> str:
    """Equals are shown as equals, and a rank the data cannot carry with a question mark."""
    if not standing.rank:
        return DASH
    shown = f"{'=' if standing.tied else ''}{standing.rank}"
    return shown if standing.enough else f"({shown})"


def span(low: int, high: int) -> str:
    return DASH if not low else str(low) if low == high else f"{low}–{high}"


def leaderboard(seen: View, board: Leaderboard) -> Table:
    dagger = "" if all(s.comparable for s in board.standings) else " † its rate is not comparable."
    table = _table(
        f"{seen.tournament.release} ({seen.tournament.id}), judge {seen.judge.name}, τ = {board.tau:g}",
        caption=f"Contradiction rate, low wins; {board.level:.0%} intervals, clustered by dialogue. "
        f"= shares its rank; a rank in brackets rests on too little data.{dagger}",
    )
    table.add_column("rank", justify="right", no_wrap=True, min_width=4)
    table.add_column("bot", overflow="fold", min_width=8)
    for heading in ("rate", "interval", "ranks", "inquiries", "per dialogue", "evasive"):
        table.add_column(heading, justify="right", no_wrap=True)
    if any(math.isfinite(s.relevant_rate) for s in board.standings):
        table.add_column("relevant", justify="right")
    for s in board.standings:
        name = rich_text(s.bot, "" if s.comparable else "dim")
        if not s.comparable:
            name.append(" †", "dark_orange")
        row: list[str | Text] = [
            rank(s),
            name,
            share(s.rate),
            f"{share(s.low)}–{share(s.high)}" if math.isfinite(s.low) else DASH,
            span(s.rank_low, s.rank_high),
            str(s.inquiries),
            f"{share(s.contradictions_per_dialogue, 2)} of {share(s.inquiries_per_dialogue, 2)}",
            percent(s.evasion_rate),
        ]
        if len(table.columns) > len(row):
            row.append(percent(s.relevant_rate))
        table.add_row(*row)
    return table


def matrix(board: Leaderboard, most: int = 12) -> Table | None:
    """C_ij: rows speak, columns are tested; None where there are more bots than a terminal is wide."""
    bots = board.order
    if len(bots) > most:
        return None
    table = _table("Rate of each pair: the row speaks, the column is tested")
    table.add_column("", overflow="fold")
    for bot in bots:
        table.add_column(rich_text(bot), justify="right", overflow="fold")
    table.add_column("mean", justify="right")
    induced = {s.bot: s.induced_rate for s in board.standings}
    for speaker in bots:
        row = board.matrix.get(speaker, {})
        cells = [share(row[tested].rate) if tested in row else "" for tested in bots]
        table.add_row(rich_text(speaker), *cells, share(induced[speaker]))
    table.add_section()
    rates = {s.bot: s.rate for s in board.standings}
    table.add_row("mean", *(share(rates[bot]) for bot in bots), "")
    return table


def kinds(board: Leaderboard) -> Table | None:
    """Rates by kind and by distance, where there is more than one of them."""
    names = sorted({kind for s in board.standings for kind in s.by_kind})
    distances = sorted({distance for s in board.standings for distance in s.by_distance})
    if len(names) < 2 and len(distances) < 2:
        return None
    table = _table("Rates by kind of inquiry, and by distance in turns")
    table.add_column("bot", overflow="fold")
    for name in names if len(names) > 1 else ():
        table.add_column(rich_text(name), justify="right")
    for distance in distances if len(distances) > 1 else ():
        table.add_column(f"d = {distance}", justify="right")
    for s in board.standings:
        row = [share(s.by_kind[n].rate) if n in s.by_kind else DASH for n in names] if len(names) > 1 else []
        if len(distances) > 1:
            row += [share(s.by_distance[d].rate) if d in s.by_distance else DASH for d in distances]
        table.add_row(rich_text(s.bot), *row)
    return table


def unjudged(board: Leaderboard) -> Table | None:
    """What could not be answered or judged, by reason."""
    return _counts("Inquiries without a verdict, by reason", {s.bot: s.unjudged for s in board.standings})


def refused(board: Leaderboard, aside: Mapping[str, Conduct]) -> Table | None:
    """What the inquirer did not ask, by reason."""
    found = {bot: aside[bot].refused if bot in aside else {} for bot in board.order}
    return _counts("Questions that were not asked, by reason", found)


def degenerate(board: Leaderboard, aside: Mapping[str, Conduct]) -> Table | None:
    """Dialogues under test in which a bot no longer conversed."""
    found: dict[str, Mapping[str, int]] = {}
    for standing in board.standings:
        one = aside.get(standing.bot)
        broken = {} if one is None else {**one.degenerate, "any of these": one.degenerate_dialogues}
        found[standing.bot] = {name: number for name, number in broken.items() if number}
    return _counts("Dialogues in which the bot says the same again and again, loops, or says one word", found)


def _counts(title: str, found: Mapping[str, Mapping[str, int]]) -> Table | None:
    """A row a bot and a column a reason, or the other way round where that is narrower; None without counts."""
    reasons = sorted({reason for by in found.values() for reason in by})
    if not reasons:
        return None
    table = _table(title)
    by_bot = len(reasons) <= len(found)
    table.add_column("bot" if by_bot else "reason", overflow="fold")
    for column in reasons if by_bot else found:
        table.add_column(rich_text(column), justify="right", overflow="fold")
    if by_bot:
        for bot, by in found.items():
            table.add_row(rich_text(bot), *(str(by.get(reason, 0)) for reason in reasons))
    else:
        for reason in reasons:
            table.add_row(rich_text(reason), *(str(by.get(reason, 0)) for by in found.values()))
    return table


def sweep(found: Sweep) -> Table:
    table = _table("Rates by threshold τ")
    table.add_column("τ", justify="right")
    for bot in found.rates:
        table.add_column(rich_text(bot), justify="right", overflow="fold")
    if found.f1 is not None:
        table.add_column("F1", justify="right")
        table.add_column("Pearson", justify="right")
    for k, tau in enumerate(found.taus):
        row = [f"{tau:g}", *(share(rates[k]) for rates in found.rates.values())]
        if found.f1 is not None and found.pearson is not None:
            row += [share(found.f1[k]), share(found.pearson[k])]
        table.add_row(*row)
    if found.f1 is not None:
        table.caption = f"F1 and Pearson against {found.labelled} labelled inquiries."
    return table


def stability(result: Stability) -> Table:
    whose = "the given one" if result.given else "the full data's own"
    table = _table(f"Share of sub-samples with the reference ranking ({whose})")
    table.add_column("dialogues a pair", justify="right")
    table.add_column("all bots", justify="right")
    table.add_column("Kendall τ", justify="right")
    for bot in result.leave_one_out:
        table.add_column(rich_text(f"without {bot}"), justify="right", overflow="fold")
    sizes = result.curve.dialogues
    for k in sorted({round(i * (len(sizes) - 1) / 11) for i in range(12)}):
        table.add_row(
            str(sizes[k]),
            percent(result.curve.agreement[k]),
            f"{result.curve.kendall[k]:.2f}",
            *(percent(curve.agreement[k]) for curve in result.leave_one_out.values()),
        )
    table.add_section()
    reached = [result.curve.stable_at(), *(curve.stable_at() for curve in result.leave_one_out.values())]
    shown = [DASH if at is None else str(at) for at in reached]
    table.add_row("95% from", shown[0], "", *shown[1:])
    return table


def separations(found: Iterable[Separation]) -> Table:
    table = _table(
        "Dialogues a pair at which neighbours' intervals would part, if their rates are what they seem",
        caption="In brackets: what the uncertainty of the difference allows.",
    )
    for heading in ("neighbours", "difference", "played", "needed"):
        table.add_column(heading, justify="left" if heading == "neighbours" else "right", overflow="fold")
    for s in found:
        need = f"{_count(s.need)} ({_count(s.low)} to {_count(s.high)})"
        table.add_row(rich_text(f"{s.better} < {s.worse}"), share(s.difference), f"{s.have:.0f}", need)
    return table


def _count(value: float) -> str:
    return f"{value:,.0f}" if math.isfinite(value) else "∞"


def comparison(result: Comparison) -> Table:
    paired, alone = sum(c.paired for c in result.changes), sum(c.unpaired for c in result.changes)
    table = _table(
        f"A = {result.a}, B = {result.b}",
        caption=f"Over pairs whose speaker is the same bot in both: {paired} dialogues with their twin of equal "
        f"opener and seed, {alone} without. p by permutation, Holm over the bots.",
    )
    table.add_column("bot", overflow="fold", min_width=8)
    for heading in ("A → B", "B − A (95%)", "p", "rank"):
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
            f"{c.rank_a or DASH} → {c.rank_b or DASH}",
            rich_text(c.verdict.value, STYLES[c.verdict]),
        )
    return table


def self_pairs(result: Comparison) -> Table | None:
    """Bots talking with themselves: both seats changed, so these are only shown."""
    if not any(c.self_pair for c in result.changes):
        return None
    table = _table("Each bot with itself (both seats changed: shown, not judged)")
    table.add_column("bot", overflow="fold")
    for heading in ("rate A", "rate B", "B − A", "interval"):
        table.add_column(heading, justify="right", no_wrap=True)
    for c in result.changes:
        if own := c.self_pair:
            interval = f"{signed(own.low)} to {signed(own.high)}" if math.isfinite(own.low) else DASH
            table.add_row(rich_text(c.bot), share(own.rate_a), share(own.rate_b), signed(own.delta), interval)
    return table


def signed(value: float) -> str:
    return f"{value:+.3f}".replace("-", "−") if math.isfinite(value) else DASH


def markdown(result: Comparison, margin: float) -> str:
    """For a pull request."""
    from arena.core.safe_text import markdown as text

    lines = [f"### Consistency: {text(result.b)} against {text(result.a)}", ""]
    if result.reasons:
        lines += [f"> **Not comparable:** {'; '.join(text(reason) for reason in result.reasons)}.", ""]
    if result.changes:
        lines += [
            "| bot | rate A | rate B | B − A | 95% interval | p (Holm) | rank | B is |",
            "|---|---:|---:|---:|---:|---:|---:|---|",
        ]
        for c in result.changes:
            bold = "**" if c.verdict in (Verdict.BETTER, Verdict.WORSE) else ""
            interval = f"{signed(c.low)} to {signed(c.high)}" if math.isfinite(c.low) else DASH
            lines.append(
                f"| {text(c.bot)} | {share(c.rate_a)} | {share(c.rate_b)} | {signed(c.delta)} | {interval} "
                f"| {share(c.p_value)} | {c.rank_a or DASH} → {c.rank_b or DASH} | {bold}{c.verdict.value}{bold} |"
            )
        lines += ["", f"Contradiction rates, low wins; *same* means within ±{margin:g}."]
    gone = [f"only in A: {text(bot)}" for bot in result.only_a] + [
        f"only in B: {text(bot)}" for bot in result.only_b
    ]
    lines += [f"({'; '.join(gone)})"] if gone else []
    return "\n".join(lines)


def _table(title: str, caption: str | None = None) -> Table:
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


def effort(found: Effort) -> Table:
    """AIH's Table 4."""
    table = _table(
        "What a dialogue costs, and finds",
        caption="Dialogues that were played at once divide the machine's seconds among them.",
    )
    for heading in ("by", "seconds to create", "seconds to judge", "contradictions found"):
        table.add_column(heading, justify="left" if heading == "by" else "right")
    table.add_row(
        "machine",
        share(found.seconds_to_create, 2),
        share(found.seconds_to_judge, 3),
        share(found.contradictions, 2),
    )
    if found.people_dialogues:
        judging, bad = share(found.people_seconds_to_judge, 1), share(found.people_contradictions, 2)
        table.add_row(f"people ({found.people_dialogues} dialogues)", DASH, judging, bad)
    return table


def corrected(rows: Iterable[Corrected], drawn: Drawn) -> Table:
    rest = f"; {drawn.left_out} labelled inquiries that were not drawn do not count" if drawn.left_out else ""
    table = _table(
        "Rates freed of the judge's errors (prediction-powered inference)",
        caption=f"Over the labels of the {drawn.share:.0%} that the labelling queue drew by lot{rest}. "
        "A bot needs 20 labels.",
    )
    table.add_column("bot", overflow="fold")
    for heading in ("labels", "judge", "people", "corrected", "interval"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in rows:
        interval = f"{share(row.low)}–{share(row.high)}" if math.isfinite(row.low) else DASH
        table.add_row(
            rich_text(row.bot),
            str(row.labelled),
            share(row.judge_rate),
            share(row.people_rate),
            share(row.rate),
            interval,
        )
    return table


def history(bot: str, rows: Iterable[Past]) -> Table:
    table = _table(
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
