"""What labels of a few inquiries say about a judge's verdicts of all: its τ, and rates freed of its errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arena.stats import metrics
from arena.stats.counts import Bools, Floats, Inquiries, Ints
from arena.stats.distributions import student_quantile
from arena.stats.ensemble import Ensemble, fitted
from arena.stats.intervals import LEVEL

FEWEST = 20  # labelled inquiries below which nothing is corrected


@dataclass(frozen=True, slots=True)
class Threshold:
    """The τ with the best F1 on the labels, and what it scores there."""

    tau: float
    f1: float
    items: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """One bot's rate by prediction-powered inference; nan where it has too few labels."""

    bot: str
    rate: float
    low: float
    high: float
    judge_rate: float  # the judge alone, over all inquiries
    people_rate: float  # the labels alone
    people_low: float
    people_high: float
    weight: float  # how much the judge is leaned on: 0 not at all, 1 fully
    labelled: int


def threshold(scores: ArrayLike, labels: ArrayLike) -> Threshold | None:
    """τ by F1; None with fewer than 20 labels or only one sort of them."""
    s, y = _labelled(scores, labels)
    if len(y) < FEWEST or y.all() or not y.any():
        return None
    tau = metrics.best_threshold(y, s, "f1")
    return Threshold(tau, metrics.f1(y, s, tau), len(y))


def combination(scores: ArrayLike, labels: ArrayLike) -> Ensemble | None:
    """Several judges' scores (judges × inquiries) as one logistic probability, fitted on the labelled ones."""
    table, said = np.asarray(scores, float), np.asarray(labels, float)
    known = np.isfinite(said) & np.isfinite(table).all(0)
    y = said[known] > 0.5
    if len(y) < FEWEST or y.all() or not y.any():
        return None
    return fitted(y, table[:, known].T)


def corrected(
    data: Inquiries,
    tau: float,
    labels: ArrayLike,
    *,
    kind: str | None = "wh",
    distance: int | None = 0,
    level: float = LEVEL,
) -> tuple[Corrected, ...]:
    """Rates as in equation 4, the judge's errors estimated from the labels; dialogues are the clusters.

    Valid where the labelled inquiries are a random choice. The weight is the one of least variance, so the
    result is never much wider than the labels alone.
    """
    said = np.asarray(labels, float)
    used = data.where(kind, distance) & np.isfinite(data.score)
    return tuple(_bot(data, tau, said, used & (data.tested == j), j, level) for j in range(len(data.bots)))


def _bot(data: Inquiries, tau: float, labels: Floats, used: Bools, bot: int, level: float) -> Corrected:
    at = np.flatnonzero(used)
    judged = (data.score[at] > tau).astype(float)
    speaker = data.dialogues.speaker[data.dialogue[at]]
    per_cell = np.bincount(speaker, minlength=len(data.bots))
    weight = 1 / per_cell[speaker] if len(at) else np.empty(0)
    weight = weight / weight.sum() if len(at) else weight
    judge_rate = float(weight @ judged) if len(at) else float("nan")
    known = np.isfinite(labels[at])
    y, f, w = labels[at][known], judged[known], weight[known]
    nan = float("nan")
    if len(y) < FEWEST:
        return Corrected(data.bots[bot], nan, nan, nan, judge_rate, nan, nan, nan, nan, len(y))
    w = w / w.sum()
    _, cluster = np.unique(data.dialogue[at], return_inverse=True)
    clusters = int(cluster.max()) + 1

    def summed(values: Floats, which: Ints) -> Floats:
        return np.bincount(which, values, clusters).astype(float)

    of_labels = summed(w * (y - w @ y), cluster[known])
    of_known = summed(w * (f - w @ f), cluster[known])
    of_all = summed(weight * (judged - judge_rate), cluster)
    change = of_all - of_known
    spread = float(change @ change)
    lean = float(np.clip(-(of_labels @ change) / spread, 0, 1)) if spread > 0 else 0.0
    people = float(w @ y)
    rate = people + lean * (judge_rate - float(w @ f))
    labelled = len(np.unique(cluster[known]))
    scale = labelled / max(labelled - 1, 1)
    z = float(student_quantile((1 + level) / 2, max(labelled - 1, 1)))
    error = z * float(np.sqrt(scale * np.sum((of_labels + lean * change) ** 2)))
    alone = z * float(np.sqrt(scale * np.sum(of_labels**2)))
    return Corrected(
        data.bots[bot],
        float(np.clip(rate, 0, 1)),
        max(0.0, rate - error),
        min(1.0, rate + error),
        judge_rate,
        people,
        max(0.0, people - alone),
        min(1.0, people + alone),
        lean,
        len(y),
    )


def _labelled(scores: ArrayLike, labels: ArrayLike) -> tuple[Floats, Bools]:
    s, said = np.asarray(scores, float), np.asarray(labels, float)
    known = np.isfinite(s) & np.isfinite(said)
    return s[known], said[known] > 0.5
