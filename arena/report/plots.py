"""Plots that are read at half a column by everybody: Okabe and Ito's colours, a marker and a dash for each bot.

Every plot carries its data; `save` writes SVG, PNG and CSV beside each other.
"""

from __future__ import annotations

import csv
import math
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

from arena.core import extras
from arena.core.errors import InputError
from arena.core.safe_text import cell, clean
from arena.stats.agreement import JudgeAgreement
from arena.stats.comparison import Comparison, Verdict
from arena.stats.counts import Kinds
from arena.stats.intervals import Interval
from arena.stats.stability import Stability
from arena.stats.standings import Leaderboard
from arena.stats.sweeps import Sweep

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from arena.results.view import View
    from db.repository import Repository

BLUE, ORANGE, GREEN, PINK, SKY, AMBER, BLACK = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#56B4E9",
    "#E69F00",
    "#222222",
)
COLOURS = (BLUE, ORANGE, GREEN, PINK, SKY, AMBER, BLACK)
MARKERS = ("o", "s", "^", "D", "v", "P", "X")
DASHES: tuple[Any, ...] = (
    "-",
    (0, (5, 1.5)),
    (0, (1.5, 1.2)),
    (0, (6, 1.5, 1.5, 1.5)),
    (0, (3, 1)),
    "-",
    "-",
)
GREY = "#767676"
WIDTH = 3.5  # inches: half a column
STYLE = {
    "font.size": 8,
    "font.family": "DejaVu Sans",
    "axes.titlesize": 8.5,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.labelsize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 7.5,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "legend.fontsize": 7.5,
    "legend.frameon": False,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.4,
    "lines.markersize": 4,
    "svg.hashsalt": "arena",
    "text.parse_math": False,  # a bot's name is no formula
}


@dataclass(frozen=True, slots=True)
class Plot:
    figure: Figure
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def save(plot: Plot, file: Path) -> list[Path]:
    """FILE as SVG and PNG, and its data as CSV, whichever of them was named."""
    if file.suffix.lower() not in (".svg", ".png"):
        raise InputError(f"{file.name} is neither .svg nor .png; give one of them, both are written.")
    try:
        return _save(plot, file)
    except OSError as error:
        raise InputError(f"{file} cannot be written ({error.strerror}); name another file.") from error


def _save(plot: Plot, file: Path) -> list[Path]:
    import matplotlib

    paths = [file.with_suffix(suffix) for suffix in (".svg", ".png", ".csv")]
    file.parent.mkdir(parents=True, exist_ok=True)
    with matplotlib.rc_context(STYLE), _quiet():
        plot.figure.savefig(paths[0], metadata={"Date": None})
        plot.figure.savefig(paths[1], dpi=220)
    with paths[2].open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(plot.columns)
        writer.writerows([cell(_plain(value)) for value in row] for row in plot.rows)
    return paths


def svg(plot: Plot) -> str:
    """For a page: the <svg> element alone."""
    import io

    import matplotlib

    stream = io.StringIO()
    with matplotlib.rc_context(STYLE), _quiet():
        plot.figure.savefig(stream, format="svg", metadata={"Date": None})
    text = stream.getvalue()
    return text[text.index("<svg") :]


def write_board(
    repository: Repository,
    seen: View,
    board: Leaderboard,
    folder: str,
    *,
    kind: Kinds = "wh",
    distance: int | None = 0,
) -> Iterator[Path]:
    """Everything a leaderboard can show, a name each."""
    for name, plot in board_plots(repository, seen, board, kind=kind, distance=distance).items():
        yield from save(plot, Path(folder) / f"{name}.svg")


def board_plots(
    repository: Repository,
    seen: View,
    board: Leaderboard,
    *,
    kind: Kinds = "wh",
    distance: int | None = 0,
) -> dict[str, Plot]:
    """Ranks, pairs, stability, τ, distance and confusion, as far as the data have them."""
    from arena.results.labels import drawn_votes
    from arena.results.view import counts
    from arena.stats.agreement import judge
    from arena.stats.stability import stability
    from arena.stats.sweeps import by_distance, sweep

    votes = drawn_votes(repository, seen).votes
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


P = ParamSpec("P")


def _styled(draw: Callable[P, Plot]) -> Callable[P, Plot]:
    """All of a drawing in the one style: artists take it when they are made."""

    @wraps(draw)
    def styled(*args: P.args, **kwargs: P.kwargs) -> Plot:
        matplotlib = extras.need("matplotlib", "Plots need")
        with matplotlib.rc_context(STYLE):
            return draw(*args, **kwargs)

    return styled


# ── the plots ─────────────────────────────────────────────────────────────────────────────────────


@_styled
def ranks_plot(board: Leaderboard) -> Plot:
    """Rates with intervals, best on top."""
    shown = [s for s in board.standings if math.isfinite(s.rate)]
    figure, axes = _axes(WIDTH, 0.95 + 0.24 * max(len(shown), 2))
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


@_styled
def matrix_plot(board: Leaderboard) -> Plot:
    """C_ij: rows speak, columns are tested."""
    import numpy as np

    bots = board.order
    table = np.array(
        [[board.matrix[s][t].rate if t in board.matrix.get(s, {}) else np.nan for t in bots] for s in bots]
    )
    size = min(max(WIDTH, 1.3 + 0.5 * len(bots)), 9.0)
    figure, axes = _axes(size, size * 0.86)
    shades = _colours("cividis_r").with_extremes(bad="#f2f2f2")
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
        (s, t, found.rate, found.low, found.high, found.inquiries, found.contradictions, found.dialogues)
        for s in bots
        for t, found in board.matrix.get(s, {}).items()
    )
    columns = ("speaker", "tested", "rate", "low", "high", "inquiries", "contradictions", "dialogues")
    return Plot(figure, columns, rows)


@_styled
def stability_plot(result: Stability) -> Plot:
    """AIH's Figure 2."""
    figure, axes = _axes(WIDTH, 3.0)
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
    axes.set_xlabel("dialogues a pair")
    axes.set_ylabel("same ranking as " + ("reference" if result.given else "all data"))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.grid(axis="y")
    _legend(axes)
    rows: list[tuple[Any, ...]] = []
    for name, curve in [("", result.curve), *left_out]:
        rows += [
            (name, *point) for point in zip(curve.dialogues, curve.agreement, curve.kendall, strict=True)
        ]
    return Plot(figure, ("left_out", "dialogues", "agreement", "kendall"), tuple(rows))


@_styled
def tau_plot(found: Sweep, order: Sequence[str], tau: float) -> Plot:
    """Rates against the threshold; F1 against labels where there are any."""
    figure, axes = _axes(WIDTH, 2.9)
    _lines(axes, {bot: (found.taus, found.rates[bot]) for bot in order if bot in found.rates})
    if found.f1 is not None:
        axes.plot(
            found.taus, found.f1, color=BLACK, linestyle=(0, (1, 1)), linewidth=1.8, label="F1 against people"
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
    _legend(axes)
    rows = []
    for k, at in enumerate(found.taus):
        extra = (
            (found.f1[k], found.pearson[k])
            if found.f1 is not None and found.pearson is not None
            else ("", "")
        )
        rows += [(bot, at, rates[k], *extra) for bot, rates in found.rates.items()]
    return Plot(figure, ("bot", "tau", "rate", "f1", "pearson"), tuple(rows))


@_styled
def distance_plot(found: Mapping[int, Interval], bots: Sequence[str], order: Sequence[str]) -> Plot:
    """Rate against the distance between what was said and the question about it."""
    figure, axes = _axes(WIDTH, 2.9)
    distances = sorted(found)
    rows: list[tuple[Any, ...]] = []
    shown = min(len(order), len(COLOURS))
    for k, bot in enumerate(order):
        j = bots.index(bot)
        points = [(d, found[d].rate[j], found[d].low[j], found[d].high[j]) for d in distances]
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
    _legend(axes, len(order) - shown)
    return Plot(figure, ("bot", "distance", "rate", "low", "high"), tuple(rows))


@_styled
def confusion_plot(agreed: JudgeAgreement, judge: str) -> Plot:
    """The judge against the people's vote."""
    names = {"1": "contradicts", "0": "consistent"}
    total = max(1, sum(sum(row.values()) for row in agreed.confusion.values()))
    figure, axes = _axes(WIDTH * 0.8, WIDTH * 0.72)
    table = [[agreed.confusion[a][b] / total for b in ("1", "0")] for a in ("1", "0")]
    axes.imshow(table, cmap=_colours("cividis_r"), vmin=0, vmax=max(0.5, max(map(max, table))), aspect="auto")
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


SLOPES = {
    Verdict.BETTER: (BLUE, "-", "better"),
    Verdict.WORSE: (ORANGE, "-", "worse"),
    Verdict.SAME: (BLACK, (0, (5, 1.5)), "same"),
    Verdict.UNCLEAR: (GREY, (0, (1.5, 1.2)), "unclear"),
    Verdict.UNCHANGED: (GREY, "-", "unchanged"),
}


@_styled
def slope_plot(result: Comparison) -> Plot:
    """From A to B: one line a bot, its verdict in colour and dash."""
    shown = [c for c in result.changes if math.isfinite(c.rate_a) and math.isfinite(c.rate_b)]
    figure, axes = _axes(WIDTH, max(2.4, 0.75 + 0.2 * len(shown)))
    values = [rate for c in shown for rate in (c.rate_a, c.rate_b)]
    low, high = min(values, default=0), max(values, default=1)
    room = max(high - low, 0.02)
    gap = room * 0.5 / max(figure.get_figheight() * 4, 1) * 2
    left = _apart([c.rate_a for c in shown], gap)
    right = _apart([c.rate_b for c in shown], gap)
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


def short(text: str, most: int = 20) -> str:
    """A name that fits beside an axis."""
    text = clean(text)
    return text if len(text) <= most else text[: most - 1] + "…"


def _axes(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def _lines(axes: Axes, series: Mapping[str, tuple[Sequence[float], Sequence[float]]]) -> None:
    """The first bots by colour, marker and dash, the rest in grey."""
    for k, (bot, (x, y)) in enumerate(series.items()):
        if k < len(COLOURS):
            axes.plot(
                x,
                y,
                color=COLOURS[k],
                marker=MARKERS[k],
                markevery=(k, max(3, len(x) // 5)),
                linestyle=DASHES[k % 5],
                label=short(bot),
                zorder=3,
            )
        else:
            axes.plot(
                x,
                y,
                color=GREY,
                linewidth=0.6,
                alpha=0.6,
                label=f"{len(series) - len(COLOURS)} more" if k == len(COLOURS) else None,
            )


def _legend(axes: Axes, hidden: int = 0) -> None:
    if hidden > 0:
        axes.plot([], [], color=GREY, linewidth=0, label=f"({hidden} more in the data)")
    figure = axes.get_figure()
    assert figure is not None
    figure.legend(loc="outside lower center", ncols=2, handlelength=2.6, columnspacing=1.2)


def _apart(values: Sequence[float], gap: float) -> list[float]:
    """Label heights at least `gap` apart, as near to the values as that allows."""
    order = sorted(range(len(values)), key=lambda k: values[k])
    groups: list[list[float]] = []  # centre, count
    for k in order:
        groups.append([values[k], 1.0])
        while len(groups) > 1 and groups[-1][0] - groups[-2][0] < gap * (groups[-1][1] + groups[-2][1]) / 2:
            centre, count = groups.pop()
            before, number = groups.pop()
            groups.append([(centre * count + before * number) / (count + number), count + number])
    heights = [centre + gap * (i - (count - 1) / 2) for centre, count in groups for i in range(int(count))]
    placed = [0.0] * len(values)
    for k, height in zip(order, heights, strict=True):
        placed[k] = height
    return placed


def _colours(name: str) -> Any:
    import matplotlib

    return matplotlib.colormaps[name]


def _plain(value: Any) -> Any:
    """Numbers short enough to read, unknown as nothing."""
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else ""
    return value


@contextmanager
def _quiet() -> Iterator[None]:
    """A name in a script that the font lacks is drawn as boxes: no reason to complain on a terminal."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*Glyph.*missing.*")
        yield
