"""Ranks bots only as far as the intervals support it. Low rates are better."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.stats.counts import Bools, Counts, Floats, Ints
from arena.stats.distributions import bonferroni, holm, normal_tail
from arena.stats.errors import Gaps, gaps


@dataclass(frozen=True, slots=True)
class Difference:
    """The rate of a minus the rate of b over common speakers. Interval and p-value are adjusted for all differences."""

    a: str
    b: str
    delta: float
    low: float
    high: float
    p_value: float


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """Ranks as vectors over bots; 0 for a bot without a rank. `below[a, b]` means that a surely contradicts
    itself less than b.
    """

    rank: Ints
    low: Ints
    high: Ints
    below: Bools
    differences: tuple[Difference, ...]


def ranks(
    counts: Counts,
    eligible: Bools | None = None,
    *,
    barred: Bools | None = None,
    level: float = 0.95,
) -> Ranks:
    """Rank each bot as 1 + the number of bots that surely contradict themselves less.

    All differences are tested together, so the probability that any claimed order is wrong stays below 1 −
    level. Bots that are not `eligible` get no rank and do not lower the rank of others. `barred[a, b]` means
    that a must not be ranked above b.
    """
    pairwise = gaps(counts)
    n = len(counts.bots)
    chosen: Bools = np.ones(n, bool) if eligible is None else np.asarray(eligible, bool)
    both = chosen[:, None] & chosen[None, :] & ~np.eye(n, dtype=bool)
    known: Bools = np.asarray(both & np.isfinite(pairwise.delta) & np.isfinite(pairwise.error))
    p, reach = _simultaneous(pairwise, known, level)
    below: Bools = np.asarray(known & (p <= 1 - level) & (pairwise.delta < 0))
    if barred is not None:
        below = np.asarray(below & ~barred)
    rank = np.where(chosen, 1 + below.sum(0), 0)
    high = np.where(chosen, chosen.sum() - below.sum(1), 0)
    half = pairwise.reach(np.full((n, n), reach))
    differences = tuple(
        Difference(
            counts.bots[a],
            counts.bots[b],
            float(pairwise.delta[a, b]),
            float(max(pairwise.delta[a, b] - half[a, b], -1.0)),
            float(min(pairwise.delta[a, b] + half[a, b], 1.0)),
            float(p[a, b]),
        )
        for a, b in zip(*np.nonzero(np.triu(known, 1)), strict=True)
    )
    return Ranks(rank, rank, high, below, differences)


def _simultaneous(differences: Gaps, known: Bools, level: float) -> tuple[Floats, float]:
    """Return Holm's adjusted p-value of every difference, and the normal deviate for simultaneous intervals.

    Holm's procedure only needs valid p-values. The alternative, a maximum over normal errors with estimated
    covariances, is not more powerful. With few clusters it claims too much, because the covariances are then
    poorly known.
    """
    n = len(known)
    a, b = np.nonzero(np.triu(known, 1))
    p = np.full((n, n), np.nan)
    p[a, b] = p[b, a] = holm(2 * normal_tail(differences.normal[a, b]))
    return p, bonferroni(len(a), level)


def order(rates: Floats) -> Ints:
    """The bots by increasing rate, with bots without a rate last. Bots with equal rates keep their order."""
    return np.argsort(np.where(np.isfinite(rates), rates, np.inf), kind="stable")


def places(rates: Floats) -> Ints:
    """The place of each bot by its estimated rate. Tied bots share the better place; a bot without a rate has
    place 0.
    """
    known = np.sort(rates[np.isfinite(rates)])
    return np.where(np.isfinite(rates), 1 + np.searchsorted(known, rates, "left"), 0)
