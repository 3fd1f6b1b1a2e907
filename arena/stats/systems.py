"""Scores of whole systems, simulated from responses of known consistency (Q²'s meta-evaluation)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from arena.stats.metrics import Estimate

SHARES = (
    0.05,
    0.1,
    0.15,
    0.2,
    0.25,
)  # shares of inconsistent responses, as the papers estimate them
GRID = tuple(step / 10 for step in range(11))


@dataclass(frozen=True, slots=True)
class Level:
    """The mean score of systems with this share of inconsistent responses."""

    share: float
    score: Estimate


def robustness(
    consistent: ArrayLike,
    inconsistent: ArrayLike,
    shares: Sequence[float] = GRID,
    size: int = 400,
    rounds: int = 1000,
    seed: int = 0,
) -> list[Level]:
    """The mean scores of simulated systems with intervals that contain 95% of them. Responses are drawn with
    replacement.
    """
    good, bad = np.asarray(consistent, dtype=float), np.asarray(inconsistent, dtype=float)
    rng = np.random.default_rng(seed)
    levels = []
    for share in shares:
        wrong = round(size * share)
        drawn = np.zeros(rounds)
        if wrong:
            drawn += bad[rng.integers(0, len(bad), (rounds, wrong))].sum(axis=1)
        if wrong < size:
            drawn += good[rng.integers(0, len(good), (rounds, size - wrong))].sum(axis=1)
        drawn /= size
        low, high = np.quantile(drawn, [0.025, 0.975])
        levels.append(Level(share, Estimate(float(drawn.mean()), float(low), float(high))))
    return levels


def system_correlation(
    consistent: ArrayLike,
    inconsistent: ArrayLike,
    shares: Sequence[float] = SHARES,
    contexts: int = 350,
    rounds: int = 1000,
    seed: int = 0,
) -> Estimate:
    """Spearman's correlation between a metric's system scores and the systems' consistency.

    Row i of both arrays is one context with a consistent and an inconsistent response. Each round draws
    `contexts` rows with replacement. Every simulated system answers these contexts, with its own share of
    inconsistent responses. The result is the mean over the rounds, with bounds that contain 95% of the rounds.
    """
    good, bad = np.asarray(consistent, dtype=float), np.asarray(inconsistent, dtype=float)
    if len(good) != len(bad) or not len(good):
        return Estimate(float("nan"), float("nan"), float("nan"))
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, len(good), (rounds, contexts))
    base, change = good[drawn].sum(axis=1), (bad - good)[drawn]
    scores = np.empty((rounds, len(shares)))
    for column, share in enumerate(shares):
        wrong = round(contexts * share)
        chosen = np.argsort(rng.random((rounds, contexts)), axis=1)[:, :wrong]
        scores[:, column] = base + np.take_along_axis(change, chosen, axis=1).sum(axis=1)
    return _summary(_spearman_rows(scores, 1.0 - np.asarray(shares)))


def _spearman_rows(scores: NDArray[np.float64], truth: NDArray[np.float64]) -> NDArray[np.float64]:
    """Spearman's correlation of each row with the truth; nan for a constant row."""
    ranks = stats.rankdata(scores, axis=1)
    ranks -= ranks.mean(axis=1, keepdims=True)
    target = stats.rankdata(truth)
    target -= target.mean()
    scale = np.sqrt((ranks**2).sum(axis=1) * (target**2).sum())
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(scale > 0, ranks @ target / scale, np.nan)


def _summary(values: NDArray[np.float64]) -> Estimate:
    valid = values[np.isfinite(values)]
    if not len(valid):
        return Estimate(float("nan"), float("nan"), float("nan"))
    low, high = np.quantile(valid, [0.025, 0.975])
    return Estimate(float(valid.mean()), float(low), float(high))
