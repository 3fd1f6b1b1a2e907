"""The parts of every validation report."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.stats import metrics

Cell = str | float | int | None


@dataclass(frozen=True, slots=True)
class Table:
    """A table for people. Figures are rounded only when the table is shown."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


@dataclass(frozen=True, slots=True)
class Curve:
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Plot:
    """One plot, with a curve per judge."""

    name: str
    title: str
    x: str
    y: str
    curves: Mapping[str, Curve]


@dataclass
class Report:
    dataset: str
    n: int
    judges: dict[str, dict[str, Any]] = field(default_factory=dict)
    paper: dict[str, Any] = field(default_factory=dict)
    more: dict[str, Any] = field(default_factory=dict)
    tables: list[Table] = field(default_factory=list)
    plots: list[Plot] = field(default_factory=list)

    def document(self) -> dict[str, Any]:
        """The report as one JSON document; unknown values are null."""
        document = plain(
            {"dataset": self.dataset, "n": self.n, "judges": self.judges, "paper": self.paper, **self.more}
        )
        assert isinstance(document, dict)
        return document


def plain(value: Any) -> Any:
    """Convert values to plain JSON without nan, arrays or estimates."""
    if isinstance(value, metrics.Estimate):
        return plain([value.low, value.high])
    if isinstance(value, Mapping):
        return {str(key): plain(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, np.ndarray)):
        return [plain(each) for each in value]
    if isinstance(value, (np.floating, float)):
        return round(float(value), 6) if math.isfinite(value) else None
    if isinstance(value, np.integer):
        return int(value)
    return value


@dataclass(frozen=True, slots=True)
class Judged:
    """Labels and scores of the items that a judge could judge."""

    labels: NDArray[Any]
    scores: NDArray[np.float64]
    groups: NDArray[Any]
    places: NDArray[np.int64]
    coverage: float


def kept(
    labels: Sequence[Any], scores: Sequence[float | None], groups: Sequence[Any] | None = None
) -> Judged:
    """Return the items that have a score. Their coverage is the share of items that remain."""
    indices = np.array([index for index, score in enumerate(scores) if score is not None], dtype=np.int64)
    return Judged(
        labels=np.asarray(labels)[indices],
        scores=np.array([scores[index] for index in indices], dtype=float),
        groups=np.asarray(groups if groups is not None else range(len(scores)))[indices],
        places=indices,
        coverage=len(indices) / len(scores) if scores else 0.0,
    )


def binary(
    labels: Sequence[bool],
    scores: Sequence[float | None],
    tau: float,
    groups: Sequence[Any] | None = None,
    rounds: int = 1000,
    seed: int = 0,
) -> dict[str, Any]:
    """AUC, F1 and accuracies of scores, where higher scores mean label 1. Intervals resample whole groups."""
    known = kept(labels, scores, groups)
    wanted: dict[str, Callable[[Any, Any], float]] = {
        "auc": metrics.auc,
        "f1": metrics.at(metrics.f1, tau),
        "accuracy": metrics.at(metrics.accuracy, tau),
        "best_accuracy": metrics.best_accuracy,
    }
    intervals = metrics.intervals(
        wanted, known.labels, known.scores, groups=known.groups, rounds=rounds, seed=seed
    )
    return {
        **{name: estimate.value for name, estimate in intervals.items()},
        "tau": tau,
        "coverage": known.coverage,
        "n": len(known.scores),
        "intervals": dict(intervals),
        "confusion": metrics.confusion(known.labels.astype(int), (known.scores > tau).astype(int), [0, 1]),
    }


def correlations(
    truth: Sequence[float], scores: Sequence[float | None], rounds: int = 1000, seed: int = 0
) -> dict[str, Any]:
    known = kept(truth, scores)
    wanted: dict[str, Callable[[Any, Any], float]] = {
        "spearman": metrics.spearman,
        "pearson": metrics.pearson,
    }
    intervals = metrics.intervals(wanted, known.labels.astype(float), known.scores, rounds=rounds, seed=seed)
    return {
        **{name: estimate.value for name, estimate in intervals.items()},
        "coverage": known.coverage,
        "n": len(known.scores),
        "intervals": dict(intervals),
    }


def classes(
    gold: Sequence[str],
    predicted: Sequence[str | None],
    names: Sequence[str],
    rounds: int = 1000,
    seed: int = 0,
) -> dict[str, Any]:
    """Accuracy, macro F1 and confusion of predicted classes."""
    indices = [index for index, label in enumerate(predicted) if label is not None]
    y, p = np.array([gold[index] for index in indices]), np.array([predicted[index] for index in indices])
    wanted: dict[str, Callable[[Any, Any], float]] = {
        "accuracy": lambda a, b: float(np.mean(a == b)) if len(a) else float("nan"),
        "macro_f1": metrics.macro_f1,
    }
    intervals = metrics.intervals(wanted, y, p, rounds=rounds, seed=seed)
    return {
        **{name: estimate.value for name, estimate in intervals.items()},
        "coverage": len(indices) / len(predicted) if predicted else 0.0,
        "n": len(indices),
        "intervals": dict(intervals),
        "confusion": metrics.confusion(y, p, names),
    }


def standing(
    title: str,
    rows: Mapping[str, Mapping[str, Any]],
    names: Sequence[str],
    paper: Mapping[str, Mapping[str, float]],
) -> Table:
    """Return a table with judges as rows and the papers' systems below them."""

    def line(label: str, row: Mapping[str, Any]) -> tuple[Cell, ...]:
        return (label, *(row.get(name) for name in names))

    ours = [line(name, row) for name, row in rows.items()]
    theirs = [line(f"paper: {name}", row) for name, row in paper.items() if any(key in row for key in names)]
    return Table(title, ("judge", *names), (*ours, *theirs))
