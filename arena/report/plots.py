"""Plots of leaderboards, stability curves and comparisons. Each plot is half a column wide."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.stats.agreement import JudgeAgreement
from arena.stats.counts import Kinds
from arena.stats.intervals import Interval
from arena.stats.standings import Leaderboard
from arena.stats.sweeps import Sweep

if TYPE_CHECKING:
    from arena.results.view import View

from arena.report.curves import slope_plot, stability_plot
from arena.report.style import (
    BLACK,
    BLUE,
    COLOURS,
    DASHES,
    GREY,
    MARKERS,
    ORANGE,
    WIDTH,
    Plot,
    add_legend,
    colours,
    draw_lines,
    new_axes,
    save,
    short,
    styled,
    svg,
)

__all__ = [
    "Plot",
    "board_plots",
    "confusion_plot",
    "distance_plot",
    "matrix_plot",
    "ranks_plot",
    "save",
    "slope_plot",
    "stability_plot",
    "svg",
    "tau_plot",
    "write_board",
]


def write_board(
    seen: View,
    board: Leaderboard,
    folder: str,
    *,
    kind: Kinds = "wh",
    distance: int | None = 0,
) -> Iterator[Path]:
    """Write every plot of a leaderboard, each into its own file."""
    for name, plot in board_plots(seen, board, kind=kind, distance=distance).items():
        yield from save(plot, Path(folder) / f"{name}.svg")


def board_plots(
    seen: View,
    board: Leaderboard,
    *,
    kind: Kinds = "wh",
    distance: int | None = 0,
) -> dict[str, Plot]:
    """Return the plots for which there are data: ranks, pairs, stability, τ, distance and confusion."""
    from arena.results.labels import drawn_votes
    from arena.results.view import counts
    from arena.stats.agreement import judge
    from arena.stats.stability import stability
    from arena.stats.sweeps import by_distance, sweep

    votes = drawn_votes(seen).votes
    taus = sorted({*(round(0.05 * k, 2) for k in range(1, 20)), board.tau})
    plots = {"ranks": ranks_plot(board), "pairs": matrix_plot(board)}
    ranked = [s for s in board.standings if math.isfinite(s.rate)]
    if 2 <= len(ranked) <= 30:
        plots["stability"] = stability_plot(stability(counts(seen, kind=kind, distance=distance)))
    if ranked:
        swept = sweep(seen.inquiries, taus, kind=kind, distance=distance, labels=votes)
        plots["tau"] = tau_plot(swept, board.order, board.tau)
    far = by_distance(seen.inquiries, board.tau, kind=kind)
    if len(far) > 1:
        plots["distance"] = distance_plot(far, seen.inquiries.bots, board.order)
    agreed = judge(seen.inquiries.score, votes, board.tau)
    if agreed.items:
        plots["confusion"] = confusion_plot(agreed, seen.judge.name)
    return plots


# ── the plots ─────────────────────────────────────────────────────────────────────────────────────


@styled
def ranks_plot(board: Leaderboard) -> Plot:
    """Plot the rates with their intervals, with the best bot on top."""
    shown = [s for s in board.standings if math.isfinite(s.rate)]
    figure, axes = new_axes(WIDTH, 0.95 + 0.24 * max(len(shown), 2))
    for y, s in enumerate(shown):
        colour = BLUE if s.comparable else ORANGE
        axes.plot([s.low, s.high], [y, y], color=colour, linewidth=1.6, solid_capstyle="butt")
        face = colour if s.enough and s.comparable else "white"
        axes.plot([s.rate], [y], "o", color=colour, markerfacecolor=face, markersize=5)
        axes.annotate(
            f"{'=' if s.tied else ''}{s.rank}",
            (1.0, y),
            xycoords=("axes fraction", "data"),
            xytext=(6, 0),
            textcoords="offset points",
            va="center",
            fontsize=7.5,
        )
    axes.annotate(
        "rank", (1.0, 1.0), xycoords="axes fraction", xytext=(0, 3), textcoords="offset points", fontsize=7.5
    )
    axes.set_yticks(range(len(shown)), [short(s.bot) for s in shown])
    axes.set_ylim(len(shown) - 0.5, -0.5)
    low, high = min((s.low for s in shown), default=0), max((s.high for s in shown), default=1)
    pad = max(0.02, (high - low) * 0.06)
    axes.set_xlim(max(-0.01, low - pad), min(1.01, high + pad))
    axes.set_xlabel(f"contradiction rate ({board.level:.0%} interval)")
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)
    axes.grid(axis="x")
    if any(not s.comparable for s in shown):
        axes.set_title("orange, hollow: rate not comparable", fontweight="normal", fontsize=7.5, color=ORANGE)
    elif any(not s.enough for s in shown):
        axes.set_title("hollow: not enough data to rank", fontweight="normal", fontsize=7.5)
    rows = tuple((s.bot, s.rank, s.rank_low, s.rank_high, s.rate, s.low, s.high) for s in shown)
    return Plot(figure, ("bot", "rank", "rank_low", "rank_high", "rate", "low", "high"), rows)


@styled
def matrix_plot(board: Leaderboard) -> Plot:
    """Plot the rates C_ij: rows are speakers, columns are bots under test."""
    import numpy as np

    bots = board.order
    table = np.array(
        [[board.matrix[s][t].rate if t in board.matrix.get(s, {}) else np.nan for t in bots] for s in bots]
    )
    size = min(max(WIDTH, 1.3 + 0.5 * len(bots)), 9.0)
    figure, axes = new_axes(size, size * 0.86)
    shades = colours("cividis_r").with_extremes(bad="#f2f2f2")
    known = table[np.isfinite(table)]
    low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
    low, high = max(0.0, low - 0.05), high + 0.02
    image = axes.imshow(np.ma.masked_invalid(table), cmap=shades, vmin=low, vmax=high, aspect="auto")
    if len(bots) <= 12:
        for i, row in enumerate(table):
            for j, value in enumerate(row):
                if np.isfinite(value):
                    ink = "white" if value > (low + high) / 2 else BLACK
                    axes.text(
                        j, i, f"{value:.2f}"[1:] if value < 1 else "1", ha="center", va="center", color=ink
                    )
    step = max(1, len(bots) // 40)
    names = [short(bot, 14) for bot in bots]
    axes.set_xticks(range(0, len(bots), step), names[::step], rotation=40, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(0, len(bots), step), names[::step])
    axes.set_xlabel("tested")
    axes.set_ylabel("speaker")
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    bar = figure.colorbar(image, ax=axes, fraction=0.045, pad=0.03)
    bar.set_label("contradiction rate")
    bar.outline.set_visible(False)
    rows = tuple(
        (s, t, cell.rate, cell.low, cell.high, cell.inquiries, cell.contradictions, cell.dialogues)
        for s in bots
        for t, cell in board.matrix.get(s, {}).items()
    )
    columns = ("speaker", "tested", "rate", "low", "high", "inquiries", "contradictions", "dialogues")
    return Plot(figure, columns, rows)


@styled
def tau_plot(sweep: Sweep, order: Sequence[str], tau: float) -> Plot:
    """Plot the rates by threshold, and F1 against the labels if there are labels."""
    figure, axes = new_axes(WIDTH, 2.9)
    draw_lines(axes, {bot: (sweep.taus, sweep.rates[bot]) for bot in order if bot in sweep.rates})
    if sweep.f1 is not None:
        axes.plot(
            sweep.taus, sweep.f1, color=BLACK, linestyle=(0, (1, 1)), linewidth=1.8, label="F1 against people"
        )
    axes.axvline(tau, color=GREY, linewidth=0.7)
    axes.annotate(
        f"τ = {tau:g}",
        (tau, 1.0),
        xycoords=("data", "axes fraction"),
        xytext=(2, 1),
        textcoords="offset points",
        fontsize=7.5,
        color="#555555",
    )
    axes.set_xlim(0, 1)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("threshold τ")
    axes.set_ylabel("contradiction rate")
    axes.grid(axis="y")
    add_legend(axes)
    rows = []
    for k, at in enumerate(sweep.taus):
        extra = (
            (sweep.f1[k], sweep.pearson[k])
            if sweep.f1 is not None and sweep.pearson is not None
            else ("", "")
        )
        rows += [(bot, at, rates[k], *extra) for bot, rates in sweep.rates.items()]
    return Plot(figure, ("bot", "tau", "rate", "f1", "pearson"), tuple(rows))


@styled
def distance_plot(intervals: Mapping[int, Interval], bots: Sequence[str], order: Sequence[str]) -> Plot:
    """Plot the rate by the distance between a statement and the question about it."""
    figure, axes = new_axes(WIDTH, 2.9)
    distances = sorted(intervals)
    rows: list[tuple[Any, ...]] = []
    shown = min(len(order), len(COLOURS))
    for k, bot in enumerate(order):
        j = bots.index(bot)
        points = [(d, intervals[d].rate[j], intervals[d].low[j], intervals[d].high[j]) for d in distances]
        points = [point for point in points if math.isfinite(point[1])]
        rows += [(bot, d, float(rate), float(low), float(high)) for d, rate, low, high in points]
        if k >= shown or not points:
            continue
        width = (distances[-1] - distances[0]) * 0.012
        x = [d + (k - (shown - 1) / 2) * width for d, *_ in points]
        colour = COLOURS[k]
        axes.plot(
            x,
            [p[1] for p in points],
            color=colour,
            marker=MARKERS[k],
            linestyle=DASHES[k % 5],
            label=short(bot),
        )
        axes.vlines(x, [p[2] for p in points], [p[3] for p in points], color=colour, linewidth=0.9)
    axes.set_xticks(distances)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("turns between statement and question")
    axes.set_ylabel("contradiction rate")
    axes.grid(axis="y")
    add_legend(axes, len(order) - shown)
    return Plot(figure, ("bot", "distance", "rate", "low", "high"), tuple(rows))


@styled
def confusion_plot(agreed: JudgeAgreement, judge: str) -> Plot:
    """Plot the judge's verdicts against the people's vote, as a confusion matrix."""
    names = {"1": "contradicts", "0": "consistent"}
    total = max(1, sum(sum(row.values()) for row in agreed.confusion.values()))
    figure, axes = new_axes(WIDTH * 0.8, WIDTH * 0.72)
    table = [[agreed.confusion[a][b] / total for b in ("1", "0")] for a in ("1", "0")]
    axes.imshow(table, cmap=colours("cividis_r"), vmin=0, vmax=max(0.5, max(map(max, table))), aspect="auto")
    for i, a in enumerate(("1", "0")):
        for j, b in enumerate(("1", "0")):
            value = agreed.confusion[a][b]
            ink = "white" if table[i][j] > 0.3 else BLACK
            axes.text(j, i, f"{value}\n{value / total:.0%}", ha="center", va="center", color=ink, fontsize=9)
    axes.set_xticks([0, 1], [names["1"], names["0"]])
    axes.set_yticks([0, 1], [names["1"], names["0"]], rotation=90, va="center")
    axes.set_xlabel(f"judge {short(judge, 16)} says, τ = {agreed.tau:g}")
    axes.set_ylabel("people say")
    axes.tick_params(length=0)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.set_title(f"F1 {agreed.f1:.2f}, κ {agreed.kappa:.2f}, n = {agreed.items}", fontweight="normal")
    rows = tuple((names[a], names[b], agreed.confusion[a][b]) for a in ("1", "0") for b in ("1", "0"))
    return Plot(figure, ("people", "judge", "inquiries"), rows)
