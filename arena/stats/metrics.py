"""Metrics of scores against labels, each with a seeded bootstrap interval. Higher scores mean label 1.

Items of one group (for example a dialogue or a context) are not independent. With `groups`, the bootstrap
therefore draws whole groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from arena.stats.distributions import ranked

Floats = NDArray[np.float64]
Metric = Callable[[Any, Any], float]

ROUNDS = 1000


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and its interval; nan if it cannot be computed."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Difference:
    """The metric of the first scores minus the metric of the second scores, over the same items."""

    value: float
    low: float
    high: float
    p_value: float


def auc(labels: ArrayLike, scores: ArrayLike) -> float:
    """The probability that a positive item scores above a negative item. Ties count half."""
    y, s = _labels(labels), np.asarray(scores, dtype=float)
    positives = int(y.sum())
    negatives = len(y) - positives
    if positives == 0 or negatives == 0:
        return float("nan")
    ranks = ranked(s)
    return float((ranks[y].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def accuracy(labels: ArrayLike, scores: ArrayLike, tau: float = 0.5) -> float:
    """The share of items on the right side of τ, where a score above τ means contradiction."""
    y, s = _labels(labels), np.asarray(scores, dtype=float)
    return float(np.mean((s > tau) == y)) if len(y) else float("nan")


def best_threshold(labels: ArrayLike, scores: ArrayLike, metric: str = "accuracy") -> float:
    """The τ, halfway between two scores, that maximises accuracy, f1 or balanced accuracy. In case of a tie, the
    lowest τ is returned.
    """
    y, s = _labels(labels), np.asarray(scores, dtype=float)
    if not len(y):
        return 0.5
    order = np.argsort(-s, kind="stable")
    ranked, hits = s[order], np.concatenate([[0], np.cumsum(y[order])])
    last = np.flatnonzero(
        np.concatenate([[True], np.diff(ranked) != 0, [True]])
    )  # cuts between distinct scores
    tp = hits[last].astype(float)
    fp = last - tp
    positives, negatives = float(y.sum()), float(len(y) - y.sum())
    if metric == "f1":
        value = 2 * tp / np.maximum(tp + fp + positives, 1)
    elif metric == "balanced":
        value = tp / max(positives, 1) + (negatives - fp) / max(negatives, 1)
    else:
        value = tp + negatives - fp
    cut = int(last[len(value) - 1 - int(np.argmax(value[::-1]))])
    above = ranked[cut - 1] if cut else ranked[0] + 1.0
    below = ranked[cut] if cut < len(ranked) else ranked[-1] - 1.0
    return float((above + below) / 2)


def best_accuracy(labels: ArrayLike, scores: ArrayLike) -> float:
    """The accuracy at the best τ for these labels. It is an upper bound, because τ is chosen on the same items."""
    return accuracy(labels, scores, best_threshold(labels, scores))


def f1(labels: ArrayLike, scores: ArrayLike, tau: float = 0.5) -> float:
    """F1 of label 1."""
    y, p = _labels(labels), np.asarray(scores, dtype=float) > tau
    both = 2 * np.sum(y & p)
    return float(both / (np.sum(y) + np.sum(p))) if np.any(y | p) else float("nan")


def macro_f1(labels: ArrayLike, predicted: ArrayLike) -> float:
    """The mean F1 over the classes that occur among the labels. Classes may be any hashable values."""
    y, p = np.asarray(labels), np.asarray(predicted)
    classes = np.unique(y)
    if not len(classes):
        return float("nan")
    return float(
        np.mean([2 * np.sum((y == c) & (p == c)) / (np.sum(y == c) + np.sum(p == c)) for c in classes])
    )


def pearson(first: ArrayLike, second: ArrayLike) -> float:
    a, b = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    if len(a) < 2:
        return float("nan")
    a, b = a - a.mean(), b - b.mean()
    scale = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b / scale) if scale > 1e-15 else float("nan")


def spearman(first: ArrayLike, second: ArrayLike) -> float:
    return pearson(ranked(first), ranked(second))


def mse(labels: ArrayLike, scores: ArrayLike) -> float:
    y, s = np.asarray(labels, dtype=float), np.asarray(scores, dtype=float)
    return float(np.mean((y - s) ** 2)) if len(y) else float("nan")


def precision_recall(labels: ArrayLike, scores: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Thresholds from high to low, each with precision and recall. Scores at or above the threshold count as
    label 1.
    """
    y, s = _labels(labels), np.asarray(scores, dtype=float)
    order = np.argsort(-s, kind="stable")
    ends = np.flatnonzero(np.diff(s[order], append=-np.inf) != 0)
    hits = np.cumsum(y[order])[ends]
    return s[order][ends], hits / (ends + 1), hits / max(int(y.sum()), 1)


def confusion(
    labels: ArrayLike, predicted: ArrayLike, classes: Sequence[Any] | None = None
) -> dict[str, dict[str, int]]:
    """Return {label: {predicted: count}} over the given classes, or else over all classes that occur."""
    y, p = np.asarray(labels), np.asarray(predicted)
    known = list(np.unique(np.concatenate([y, p]))) if classes is None else list(classes)
    return {str(a): {str(b): int(np.sum((y == a) & (p == b))) for b in known} for a in known}


def interval(
    metric: Metric,
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    rounds: int = ROUNDS,
    level: float = 0.95,
    seed: int = 0,
) -> Estimate:
    """The metric with its percentile bootstrap interval. Rounds in which the metric is undefined are left out."""
    y, s = np.asarray(labels), np.asarray(scores)
    drawn = [metric(y[pick], s[pick]) for pick in _resamples(len(y), groups, rounds, seed)]
    return Estimate(metric(y, s), *_bounds(np.array(drawn), level))


def intervals(
    metrics: Mapping[str, Metric],
    labels: ArrayLike,
    scores: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    rounds: int = ROUNDS,
    level: float = 0.95,
    seed: int = 0,
) -> dict[str, Estimate]:
    """Compute several metrics with their intervals over the same resamples."""
    return {
        name: interval(metric, labels, scores, groups=groups, rounds=rounds, level=level, seed=seed)
        for name, metric in metrics.items()
    }


def difference(
    metric: Metric,
    labels: ArrayLike,
    first: ArrayLike,
    second: ArrayLike,
    *,
    groups: ArrayLike | None = None,
    rounds: int = ROUNDS,
    level: float = 0.95,
    seed: int = 0,
) -> Difference:
    """The difference of two metrics by a paired bootstrap, which resamples the same items for both score vectors."""
    y, a, b = np.asarray(labels), np.asarray(first), np.asarray(second)
    drawn = np.array(
        [metric(y[i], a[i]) - metric(y[i], b[i]) for i in _resamples(len(y), groups, rounds, seed)]
    )
    low, high = _bounds(drawn, level)
    valid = drawn[np.isfinite(drawn)]
    tail = min(np.sum(valid <= 0), np.sum(valid >= 0)) if len(valid) else len(valid)
    p_value = min(1.0, 2 * (1 + float(tail)) / (1 + len(valid)))
    return Difference(metric(y, a) - metric(y, b), low, high, p_value)


def at(metric: Callable[..., float], tau: float) -> Metric:
    """Return a thresholded metric at a fixed τ, for example `interval(at(f1, 0.15), …)`."""
    return partial(metric, tau=tau)


def _labels(labels: ArrayLike) -> NDArray[np.bool_]:
    return np.asarray(labels).astype(bool)


def _resamples(n: int, groups: ArrayLike | None, rounds: int, seed: int) -> list[NDArray[np.int64]]:
    rng = np.random.default_rng(seed)
    if n == 0:
        return []
    if groups is None:
        return [rng.integers(0, n, n) for _ in range(rounds)]
    _, which = np.unique(np.asarray(groups), return_inverse=True)
    order = np.argsort(which, kind="stable")
    members = np.split(order, np.cumsum(np.bincount(which))[:-1])
    return [
        np.concatenate([members[g] for g in rng.integers(0, len(members), len(members))])
        for _ in range(rounds)
    ]


def _bounds(drawn: Floats, level: float) -> tuple[float, float]:
    valid = drawn[np.isfinite(drawn)]
    if len(valid) < 2:
        return float("nan"), float("nan")
    low, high = np.quantile(valid, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
