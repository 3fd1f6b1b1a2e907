"""Shows reports to people: tables in the terminal, plots as files."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

from arena.core import extras
from arena.core.safe_text import clean, terminal
from arena.validation.base import Cell, Plot, Report, Table

if TYPE_CHECKING:
    from rich.console import Console

WIDE = 140  # columns if the output is a pipe, which has no width of its own


def show(report: Report, console: Console) -> None:
    if not console.is_terminal:
        console.width = WIDE
    for table in report.tables:
        console.print(_rich(table))
        console.print()


def _rich(table: Table) -> object:
    from rich.table import Table as Rich
    from rich.text import Text

    rich_table = Rich(title=table.title, title_justify="left")
    for index, column in enumerate(table.columns):
        rich_table.add_column(column, justify="left" if index == 0 else "right")
    for row in table.rows:
        rich_table.add_row(*(Text(terminal(_shown(cell))) for cell in row))
    return rich_table


def _shown(cell: Cell) -> str:
    if cell is None or (isinstance(cell, float) and math.isnan(cell)):
        return "–"
    if isinstance(cell, float):
        return f"{cell:.3f}"
    return str(cell)


def draw(report: Report, folder: Path) -> list[Path]:
    """Write each plot as a PNG file. Files are named after the data set and the plot."""
    folder.mkdir(parents=True, exist_ok=True)
    return [_draw(plot, folder / f"{report.dataset}-{plot.name}.png") for plot in report.plots]


def _draw(plot: Plot, path: Path) -> Path:
    extras.need("matplotlib", "Plots need")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 5), layout="constrained")
    axes = figure.add_subplot()
    for name, curve in plot.curves.items():
        (line,) = axes.plot(curve.x, curve.y, label=clean(name), linewidth=1.5)
        if curve.low:
            axes.fill_between(curve.x, curve.low, curve.high, color=line.get_color(), alpha=0.15, linewidth=0)
    axes.set(title=plot.title, xlabel=plot.x, ylabel=plot.y)
    axes.grid(alpha=0.3)
    axes.legend(fontsize="small")
    FigureCanvasAgg(figure).print_png(path)
    return path
