"""The style of plots: Okabe and Ito's colours, and a marker and a dash pattern for each bot.

`save` writes each plot as SVG and PNG, and its data as CSV.
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

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


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
    "text.parse_math": False,  # a bot's name is not a formula
}


@dataclass(frozen=True, slots=True)
class Plot:
    figure: Figure
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


def save(plot: Plot, file: Path) -> list[Path]:
    """Write the plot as SVG and PNG and its data as CSV. The file name may end in .svg or .png; all three files
    are written in either case.
    """
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
    """Return the <svg> element alone, to embed it in a page."""
    import io

    import matplotlib

    stream = io.StringIO()
    with matplotlib.rc_context(STYLE), _quiet():
        plot.figure.savefig(stream, format="svg", metadata={"Date": None})
    text = stream.getvalue()
    return text[text.index("<svg") :]


P = ParamSpec("P")


def styled(draw: Callable[P, Plot]) -> Callable[P, Plot]:
    """Set the style while a whole plot is drawn, because matplotlib reads the style when artists are created."""

    @wraps(draw)
    def styled(*args: P.args, **kwargs: P.kwargs) -> Plot:
        matplotlib = extras.need("matplotlib", "Plots need")
        with matplotlib.rc_context(STYLE):
            return draw(*args, **kwargs)

    return styled


def short(text: str, most: int = 20) -> str:
    """Shorten a name so that it fits next to an axis."""
    text = clean(text)
    return text if len(text) <= most else text[: most - 1] + "…"


def new_axes(width: float, height: float) -> tuple[Figure, Axes]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def draw_lines(axes: Axes, series: Mapping[str, tuple[Sequence[float], Sequence[float]]]) -> None:
    """Draw one line per bot. The first bots have a colour, marker and dash pattern of their own, the others are
    grey.
    """
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


def add_legend(axes: Axes, hidden: int = 0) -> None:
    if hidden > 0:
        axes.plot([], [], color=GREY, linewidth=0, label=f"({hidden} more in the data)")
    figure = axes.get_figure()
    assert figure is not None
    figure.legend(loc="outside lower center", ncols=2, handlelength=2.6, columnspacing=1.2)


def spread_apart(values: Sequence[float], gap: float) -> list[float]:
    """Return label heights that are at least `gap` apart and as close to the values as possible."""
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


def colours(name: str) -> Any:
    import matplotlib

    return matplotlib.colormaps[name]


def _plain(value: Any) -> Any:
    """Round numbers for the data file; unknown numbers become empty text."""
    if isinstance(value, float):
        return round(value, 6) if math.isfinite(value) else ""
    return value


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence warnings about missing glyphs. Matplotlib draws such glyphs as boxes."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*Glyph.*missing.*")
        yield
