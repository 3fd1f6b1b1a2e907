"""Results as Python objects.

Each has a data frame, a plot, a notebook view, and the JSON document that the command of the same name prints.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.api import display

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from pandas import DataFrame

    from arena.report.plots import Plot


@dataclass(frozen=True, eq=False)
class Chart:
    """A chart that displays itself in a notebook; `figure` is the matplotlib figure."""

    drawn: Plot = field(repr=False)

    @property
    def figure(self) -> Figure:
        return self.drawn.figure

    def save(self, file: str | Path) -> list[Path]:
        """Write the chart (SVG or PNG) and, next to it, its data as CSV."""
        from arena.report.plots import save

        return save(self.drawn, Path(file))

    def _repr_svg_(self) -> str:
        from arena.report.plots import svg

        return svg(self.drawn)


@dataclass(frozen=True, eq=False)
class Board(ABC):
    """The base class of the results; `document` is what the command of the same name prints with --json."""

    document: Mapping[str, Any]
    draw: Callable[[], Plot] = field(repr=False)

    @property
    def frame(self) -> DataFrame:
        """A data frame with one row per bot; nested values are in `document` only."""
        return _frame(self.document["bots"], "bot")

    def plot(self) -> Chart:
        """Return the chart; needs the extra `plots`."""
        return Chart(self.draw())

    def __repr__(self) -> str:
        return f"{self._title()}\n{self.frame.to_string()}"

    @abstractmethod
    def _title(self) -> str: ...

    @abstractmethod
    def _repr_html_(self) -> str: ...


class Leaderboard(Board):
    """A ranking of the bots by contradiction rate: `.frame`, `.matrix`, `.plot()`, `.document`."""

    @property
    def matrix(self) -> DataFrame:
        """A data frame of the pairs' rates: one row per speaker, one column per bot under test."""
        from pandas import DataFrame

        cells: Mapping[str, Mapping[str, Any]] = self.document["matrix"]
        rates = {
            speaker: {tested: cell["rate"] for tested, cell in row.items()} for speaker, row in cells.items()
        }
        return DataFrame.from_dict(rates, orient="index", dtype=float)

    @property
    def notes(self) -> list[str]:
        """Warnings that limit how far the ranks can be trusted."""
        return list(self.document["notes"])

    def _title(self) -> str:
        facts = self.document
        return f"{facts['release']} ({facts['tournament']}), judge {facts['judge']}, τ = {facts['tau']:g}"

    def _repr_html_(self) -> str:
        rows = [
            (
                display.ranks(bot["rank"], bot["rank_low"], bot["rank_high"]),
                bot["bot"],
                display.rate(bot["contradiction_rate"]),
                display.interval(bot["ci_low"], bot["ci_high"]),
                bot["contradictions"],
                bot["inquiries"],
                bot["dialogues"],
            )
            for bot in self.document["bots"]
        ]
        header = ("rank", "bot", "rate", "95% interval", "contradictions", "inquiries", "dialogues")
        return display.table(self._title(), header, rows, [self.document["caption"], *self.notes])


class Stability(Board):
    """The number of dialogues per pair that a stable ranking needs; `.frame` is the curve."""

    @property
    def frame(self) -> DataFrame:
        """A data frame with one row per number of dialogues."""
        return _frame(self.document["curve"], "dialogues")

    @property
    def stable_at(self) -> dict[float, int | None]:
        """The number of dialogues per pair at which the ranking is reproduced with the given probability."""
        return {float(probability): number for probability, number in self.document["stable_at"].items()}

    def _title(self) -> str:
        return "Ranking " + " < ".join(self.document["reference"])

    def _repr_html_(self) -> str:
        rows = [(point["dialogues"], display.rate(point["agreement"])) for point in self.document["curve"]]
        header = ("dialogues per pair", "agreement with the ranking")
        return display.table(self._title(), header, rows, self.document["notes"])


class Comparison(Board):
    """A comparison of two releases: `.frame`, `.regressions`, `.plot()`. The verdict is about B, compared with A."""

    @property
    def comparable(self) -> bool:
        return bool(self.document["comparable"])

    @property
    def reasons(self) -> list[str]:
        """The reasons why the two releases are not comparable; empty if they are."""
        return list(self.document["reasons"])

    @property
    def regressions(self) -> list[str]:
        """The bots that contradict themselves more often in B."""
        return [bot["bot"] for bot in self.document["bots"] if bot["verdict"] == "worse"]

    def _title(self) -> str:
        return f"{self.document['a']} → {self.document['b']}"

    def _repr_html_(self) -> str:
        rows = [
            (
                bot["bot"],
                display.rate(bot["rate_a"]),
                display.rate(bot["rate_b"]),
                display.rate(bot["delta"]),
                display.interval(bot["ci_low"], bot["ci_high"]),
                bot["verdict"],
            )
            for bot in self.document["bots"]
        ]
        header = ("bot", "rate A", "rate B", "difference", "95% interval", "verdict")
        reasons = [f"Not comparable: {reason}." for reason in self.reasons]
        notes = [*reasons, self.document["caption"], *self.document["notes"]]
        return display.table(self._title(), header, rows, notes)


@dataclass(frozen=True, eq=False)
class Agreement:
    """The agreement between people and judges: `.people`, `.judges` (a data frame), `.document`."""

    document: Mapping[str, Any]

    @property
    def people(self) -> dict[str, Any]:
        return dict(self.document["people"])

    @property
    def judges(self) -> DataFrame:
        """A data frame with one row per judge, compared with the people's majority vote."""
        rows = [{"judge": name, **facts} for name, facts in self.document["judges"].items()]
        return _frame(rows, "judge")

    def __repr__(self) -> str:
        people = self.people
        return f"{people['n']} people, {people['items']} items\n{self.judges.to_string()}"

    def _repr_html_(self) -> str:
        judges: Mapping[str, Mapping[str, Any]] = self.document["judges"]
        rows = [
            (name, *(display.rate(facts.get(key)) for key in ("f1", "pearson", "kappa")))
            for name, facts in judges.items()
        ]
        people = self.people
        notes = [f"Fleiss' κ of the people: {display.rate(people['fleiss_kappa'])}"]
        title = f"{people['n']} people, {people['items']} items"
        return display.table(title, ("judge", "F1", "Pearson", "κ"), rows, notes)


def _frame(rows: Any, index: str) -> DataFrame:
    """Make a data frame of the fields that have a single value; unknown numbers become NaN."""
    from pandas import DataFrame

    flat = [{k: v for k, v in row.items() if not isinstance(v, Mapping | list)} for row in rows]
    frame = DataFrame(flat)
    for name in frame:
        known = [value for value in frame[name] if value is not None]
        if len(known) < len(frame) and all(isinstance(value, int | float) for value in known):
            frame[name] = frame[name].astype(float)
    return frame.set_index(index) if index in frame else frame
