"""Plots of stability curves, and plots that compare two releases."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from arena.stats.comparison import Comparison, Verdict
from arena.stats.stability import Stability

if TYPE_CHECKING:
    pass

from arena.report.style import (
    BLACK,
    BLUE,
    COLOURS,
    DASHES,
    GREY,
    ORANGE,
    WIDTH,
    Plot,
    add_legend,
    new_axes,
    short,
    spread_apart,
    styled,
)


@styled
def stability_plot(result: Stability) -> Plot:
    """Plot the stability curve, as in AIH's Figure 2."""
    figure, axes = new_axes(WIDTH, 3.0)
    left_out = list(result.leave_one_out.items())
    some = len(left_out) > len(COLOURS) - 1
    for k, (bot, curve) in enumerate(left_out):
        colour = GREY if some else COLOURS[k]
        label = ("without one of the others" if k == 0 else None) if some else f"without {short(bot, 16)}"
        axes.plot(
            curve.dialogues,
            curve.agreement,
            color=colour,
            linestyle="-" if some else DASHES[k % 5],
            linewidth=0.7 if some else 1.1,
            alpha=0.5 if some else 1.0,
            label=label,
        )
    axes.plot(
        result.curve.dialogues, result.curve.agreement, color=BLACK, linewidth=2.0, label="all bots", zorder=5
    )
    axes.axhline(0.95, color=GREY, linewidth=0.7)
    axes.annotate(
        "95%",
        (1, 0.95),
        xycoords=("axes fraction", "data"),
        xytext=(2, 0),
        textcoords="offset points",
        va="center",
        fontsize=7,
        color="#555555",
    )
    at = result.curve.stable_at()
    if at is not None:
        axes.plot(
            [at], [result.curve.agreement[result.curve.dialogues.index(at)]], "o", color=BLACK, zorder=6
        )
        axes.annotate(
            f"{at}",
            (at, 0.95),
            xytext=(0, -11),
            textcoords="offset points",
            ha="left",
            fontsize=8,
            weight="bold",
        )
    axes.set_ylim(0, 1.03)
    axes.set_xlim(0, max(result.curve.dialogues) * 1.01)
    axes.set_xlabel("dialogues per pair")
    axes.set_ylabel("same ranking as " + ("reference" if result.given else "all data"))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.grid(axis="y")
    add_legend(axes)
    rows: list[tuple[Any, ...]] = []
    for name, curve in [("", result.curve), *left_out]:
        rows += [
            (name, *point) for point in zip(curve.dialogues, curve.agreement, curve.kendall, strict=True)
        ]
    return Plot(figure, ("left_out", "dialogues", "agreement", "kendall"), tuple(rows))


SLOPES = {
    Verdict.BETTER: (BLUE, "-", "better"),
    Verdict.WORSE: (ORANGE, "-", "worse"),
    Verdict.SAME: (BLACK, (0, (5, 1.5)), "same"),
    Verdict.UNCLEAR: (GREY, (0, (1.5, 1.2)), "unclear"),
    Verdict.UNCHANGED: (GREY, "-", "unchanged"),
}


@styled
def slope_plot(result: Comparison) -> Plot:
    """Plot the change from A to B with one line per bot. Colour and dash of the line show the verdict."""
    shown = [c for c in result.changes if math.isfinite(c.rate_a) and math.isfinite(c.rate_b)]
    figure, axes = new_axes(WIDTH, max(2.4, 0.75 + 0.2 * len(shown)))
    values = [rate for c in shown for rate in (c.rate_a, c.rate_b)]
    low, high = min(values, default=0), max(values, default=1)
    room = max(high - low, 0.02)
    gap = room * 0.5 / max(figure.get_figheight() * 4, 1) * 2
    left = spread_apart([c.rate_a for c in shown], gap)
    right = spread_apart([c.rate_b for c in shown], gap)
    for c, y_a, y_b in zip(shown, left, right, strict=True):
        colour, dash, _ = SLOPES[c.verdict]
        axes.plot([0, 1], [c.rate_a, c.rate_b], color=colour, linestyle=dash, marker="o", markersize=3.5)
        axes.text(
            -0.04,
            y_a,
            f"{short(c.bot, 13)} {c.rate_a:.2f}",
            ha="right",
            va="center",
            color=colour,
            fontsize=7.5,
        )
        axes.text(
            1.04,
            y_b,
            f"{c.rate_b:.2f} {short(c.bot, 13)}",
            ha="left",
            va="center",
            color=colour,
            fontsize=7.5,
        )
    ends = [*left, *right, low, high]
    axes.set_ylim(min(ends) - room * 0.08, max(ends) + room * 0.08)
    axes.set_xlim(-0.95, 1.95)
    axes.set_xticks([0, 1], [short(result.a, 16), short(result.b, 16)])
    axes.set_yticks([])
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)
    axes.vlines([0, 1], *axes.get_ylim(), color="#cccccc", linewidth=0.6, zorder=0)
    there = [v for v in SLOPES if any(c.verdict is v for c in shown)]
    for v in there:
        colour, dash, name = SLOPES[v]
        axes.plot([], [], color=colour, linestyle=dash, marker="o", markersize=3.5, label=name)
    if there:
        axes.legend(
            loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(there), handlelength=2.2, columnspacing=1
        )
    rows = tuple(
        (c.bot, c.rate_a, c.rate_b, c.delta, c.low, c.high, c.p_value, c.verdict.value)
        for c in result.changes
    )
    return Plot(figure, ("bot", "rate_a", "rate_b", "delta", "low", "high", "p_value", "verdict"), rows)


# ── parts ─────────────────────────────────────────────────────────────────────────────────────────
