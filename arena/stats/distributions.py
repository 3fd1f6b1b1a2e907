"""Quantiles, tail probabilities, and multiple tests.

They use scipy.special, because importing scipy.stats takes a second.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

Floats = NDArray[np.float64]


def normal_cdf(x: ArrayLike) -> Floats:
    return _floats(special.ndtr(x))


def normal_tail(x: ArrayLike) -> Floats:
    """P(Z > x) for a standard normal Z. It is accurate far into the tail."""
    return _floats(special.ndtr(-np.asarray(x, float)))


def normal_quantile(p: ArrayLike) -> Floats:
    return _floats(special.ndtri(p))


def student_quantile(p: ArrayLike, freedom: ArrayLike) -> Floats:
    return _floats(special.stdtrit(freedom, p))


def student_tail(x: ArrayLike, freedom: ArrayLike) -> Floats:
    """P(T > x) for Student's t distribution."""
    return _floats(special.stdtr(freedom, -np.asarray(x, float)))


def exact_binomial(hits: ArrayLike, trials: ArrayLike, level: float) -> tuple[Floats, Floats]:
    """Clopper and Pearson's exact interval of a proportion. Hits and trials need not be integers."""
    h, n = np.asarray(hits, float), np.asarray(trials, float)
    tail = (1 - level) / 2
    low = np.where(h > 0, special.betaincinv(np.maximum(h, 1e-9), n - h + 1, tail), 0.0)
    high = np.where(h < n, special.betaincinv(h + 1, np.maximum(n - h, 1e-9), 1 - tail), 1.0)
    return _floats(low), _floats(high)


def jeffreys(hits: ArrayLike, trials: ArrayLike, level: float) -> tuple[Floats, Floats]:
    """Jeffreys' interval of a proportion, extended to 0 if there are no hits and to 1 if there are only hits.
    Hits and trials need not be integers.
    """
    h, n = np.asarray(hits, float), np.asarray(trials, float)
    tail = (1 - level) / 2
    low = np.where(h > 1e-9, special.betaincinv(h + 0.5, n - h + 0.5, tail), 0.0)
    high = np.where(h < n - 1e-9, special.betaincinv(h + 0.5, n - h + 0.5, 1 - tail), 1.0)
    return _floats(low), _floats(high)


def holm(p: Floats) -> Floats:
    """Return Holm's adjusted p-values."""
    ascending = np.argsort(p, kind="stable")
    scaled = p[ascending] * np.arange(len(p), 0, -1)
    adjusted = np.empty(len(p))
    adjusted[ascending] = np.minimum(1.0, np.maximum.accumulate(scaled))
    return adjusted


def bonferroni(comparisons: int, level: float) -> float:
    """The critical normal deviate for this many simultaneous two-sided intervals, by Bonferroni's correction."""
    return float(normal_quantile(1 - (1 - level) / (2 * max(comparisons, 1))))


def ranked(values: ArrayLike) -> Floats:
    """Rank the values from 1. Tied values share their mean rank."""
    _, at, often = np.unique(np.asarray(values, float), return_inverse=True, return_counts=True)
    return _floats((np.cumsum(often) - (often - 1) / 2)[at])


def _floats(values: Any) -> Floats:
    return np.asarray(values, float)
