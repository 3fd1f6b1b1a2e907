"""Tables of a leaderboard."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

from arena.core.safe_text import rich_text
from arena.core.types import Check
from arena.report import captions
from arena.report.documents import collapsed
from arena.report.tables.common import (
    DASH,
    counted,
    distinct,
    interval,
    new,
    percent,
    rank,
    share,
    signed,
    span,
)
from arena.stats.standings import Cell, Leaderboard

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text

    from arena.results.view import View
    from db.conduct import Conduct

MOST_DIFFERENCES = 28  # all differences of eight bots; the JSON has the rest


def leaderboard(seen: View, board: Leaderboard) -> Table:
    dagger = "" if all(s.comparable for s in board.standings) else " † its rate is not comparable."
    table = new(
        f"{seen.tournament.release} ({seen.tournament.id}), judge {seen.judge.name}, τ = {board.tau:g}",
        caption=f"{captions.leaderboard(board, seen.measured_as)} "
        f"= shares its rank; – has none, for want of data or because it is not comparable."
        f"{dagger}",
    )
    table.add_column("rank", justify="right", no_wrap=True, min_width=4)
    table.add_column("bot", overflow="fold", min_width=8)
    counted = "inquiries" if seen.check is Check.INQUIRY else "messages"
    for heading in ("rate", "interval", "ranks", counted, "evasive"):
        table.add_column(heading, justify="right", no_wrap=True)
    if any(math.isfinite(s.relevant_rate) for s in board.standings):
        table.add_column("relevant", justify="right")
    for s in board.standings:
        if not s.tested:
            continue
        name = rich_text(s.bot, "" if s.rank else "dim")
        if not s.comparable:
            name.append(" †", "dark_orange")
        row: list[str | Text] = [
            rank(s),
            name,
            share(s.rate),
            interval(s.low, s.high),
            span(s.rank_low, s.rank_high),
            str(s.inquiries),
            percent(s.evasion_rate),
        ]
        if len(table.columns) > len(row):
            row.append(percent(s.relevant_rate))
        table.add_row(*row)
    return table


def beside(board: Leaderboard) -> Table:
    """Return a table of the data behind each rate, and of the rate without evasive answers."""
    table = new(
        "What the rates rest on",
        caption="Per dialogue: contradictions of inquiries. Without evasions: the rate among answers that do not "
        "evade. Bounds: were no evasion a contradiction, were all.",
    )
    failed = any(s.failed_dialogues for s in board.standings)
    table.add_column("bot", overflow="fold", min_width=8)
    columns = (
        "dialogues",
        *(["failed"] if failed else []),
        "per dialogue",
        "asked",
        "without evasions",
        "bounds",
    )
    for heading in columns:
        table.add_column(heading, justify="right", no_wrap=True)
    for s in board.standings:
        if not s.tested:
            continue
        table.add_row(
            rich_text(s.bot),
            distinct(s),
            *([f"{s.failed_dialogues:,}"] if failed else []),
            f"{share(s.contradictions_per_dialogue, 2)} of {share(s.inquiries_per_dialogue, 2)}",
            percent(s.asked_share),
            share(s.non_evasive_rate),
            interval(*s.bounds),
        )
    return table


def differences(board: Leaderboard) -> Table | None:
    """Return a table of the differences between bots. All differences are tested together."""
    order = {bot: rank for rank, bot in enumerate(board.order)}
    ordered = sorted(board.differences, key=lambda d: (d.p_value, abs(order[d.a] - order[d.b])))
    if not ordered:
        return None
    rest = len(ordered) - MOST_DIFFERENCES
    table = new(
        "A contradicts itself less than B",
        caption=f"{board.level:.0%} intervals and p hold for all differences at once, over common speakers."
        + (f" {rest} more are in --json." if rest > 0 else ""),
    )
    for heading in ("A", "B"):
        table.add_column(heading, overflow="fold")
    for heading in ("B − A", "interval", "p"):
        table.add_column(heading, justify="right", no_wrap=True)
    for d in ordered[:MOST_DIFFERENCES]:
        a, b, delta, low, high = d.a, d.b, -d.delta, -d.high, -d.low
        if delta < 0:
            a, b, delta, low, high = b, a, -delta, -high, -low
        table.add_row(
            rich_text(a), rich_text(b), signed(delta), f"{signed(low)} to {signed(high)}", share(d.p_value)
        )
    return table


def matrix(board: Leaderboard, most: int = 12) -> Table | None:
    """Return the table of rates C_ij: rows are speakers, columns are bots under test. None if it is too wide for
    a terminal.
    """
    bots = board.order
    if len(bots) > most:
        return None
    table = new("Rate of each pair (and number of inquiries): the row speaks, the column is tested")
    table.add_column("", overflow="fold")
    for bot in bots:
        table.add_column(rich_text(bot), justify="right", overflow="fold")
    table.add_column("mean", justify="right")
    induced = {s.bot: s.induced_rate for s in board.standings}
    for speaker in bots:
        row = board.matrix.get(speaker, {})
        cells = [cell(row[tested]) if tested in row else "" for tested in bots]
        table.add_row(rich_text(speaker), *cells, share(induced[speaker]))
    table.add_section()
    rates = {s.bot: s.rate for s in board.standings}
    table.add_row("mean", *(share(rates[bot]) for bot in bots), "")
    return table


def cell(pair: Cell) -> str:
    """Format a rate and its number of inquiries. The rate has two decimals, because a pair has few inquiries."""
    return f"{share(pair.rate, 2)} ({pair.inquiries})" if pair.inquiries else DASH


def kinds(board: Leaderboard) -> Table | None:
    """Return the rates by kind and by distance, if there are several kinds or distances."""
    names = sorted({kind for s in board.standings for kind in s.by_kind})
    distances = sorted({distance for s in board.standings for distance in s.by_distance})
    if len(names) < 2 and len(distances) < 2:
        return None
    table = new("Rates by kind of inquiry, and by distance in turns")
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
    """Return a table that counts the inquiries that could not be answered or judged, by reason."""
    return counted("Inquiries without a verdict, by reason", {s.bot: s.unjudged for s in board.standings})


def refused(board: Leaderboard, aside: Mapping[str, Conduct]) -> Table | None:
    """Return a table that counts the questions that the inquirer did not ask, by reason."""
    by_bot = {bot: aside[bot].refused if bot in aside else {} for bot in board.order}
    return counted("Questions that were not asked, by reason", by_bot)


def degenerate(board: Leaderboard, aside: Mapping[str, Conduct]) -> Table | None:
    """Return a table that counts the dialogues in which the bot under test stopped conversing, by kind of failure."""
    by_bot: dict[str, Mapping[str, int]] = {}
    for standing in board.standings:
        one = aside.get(standing.bot)
        broken = {} if one is None else {**one.degenerate, "any of these": one.degenerate_dialogues}
        by_bot[standing.bot] = {name: number for name, number in broken.items() if number}
    return counted(
        "Dialogues in which the bot says the same again and again, loops, or says one word", by_bot
    )


def loops(board: Leaderboard, aside: Mapping[str, Conduct]) -> Table | None:
    """Return a table of the dialogues that fell into a loop, and when. None if no dialogue did."""
    table = new(
        "Dialogues that fell into a loop",
        caption="Turn: the median turn in which the loop was complete. By itself: the bot looped, not its partner.",
    )
    table.add_column("bot", overflow="fold")
    for heading in ("dialogues", "share", "turn", "by itself"):
        table.add_column(heading, justify="right")
    for s in board.standings:
        one = aside.get(s.bot)
        if not s.tested or one is None or not one.collapsed:
            continue
        facts = collapsed(one, s.dialogues)
        table.add_row(
            rich_text(s.bot),
            f"{sum(one.collapsed.values()):,} of {s.dialogues:,}",
            percent(facts["share"]),
            f"{facts['median_turn']:g}",
            f"{facts['by_itself']:,}",
        )
    return table if table.rows else None
