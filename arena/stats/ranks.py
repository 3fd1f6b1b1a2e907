"""Ranks that claim no more than the intervals do: low rates win."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.stats.counts import Bools, Counts, Floats, Ints
from arena.stats.distributions import normal_quantile, normal_tail
from arena.stats.errors import Gaps, gaps

ROUNDS = 4_000
FEW = 2_000  # rounds where there are more than 30 bots


@dataclass(frozen=True, slots=True)
class Difference:
    """Rate of a minus rate of b over their common speakers; interval and p hold for all differences at once."""

    a: str
    b: str
    delta: float
    low: float
    high: float
    p_value: float


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """Vectors over bots; 0 for a bot without a rank. `below[a, b]`: a surely contradicts itself less than b."""

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
    seed: int = 0,
) -> Ranks:
    """rank = 1 + the number of bots that surely contradict themselves less.

    All differences are tested together, so the chance that any claimed order is wrong stays below 1 − level.
    Bots that are not `eligible` take no rank and push nobody down. `barred[a, b]`: a is not to be ranked above b.
    """
    found = gaps(counts)
    n = len(counts.bots)
    chosen: Bools = np.ones(n, bool) if eligible is None else np.asarray(eligible, bool)
    both = chosen[:, None] & chosen[None, :] & ~np.eye(n, dtype=bool)
    known: Bools = np.asarray(both & np.isfinite(found.delta) & np.isfinite(found.error))
    p, reach = _simultaneous(found, known, level, seed)
    below: Bools = np.asarray(known & (p <= 1 - level) & (found.delta < 0))
    if barred is not None:
        below = np.asarray(below & ~barred)
    rank = np.where(chosen, 1 + below.sum(0), 0)
    high = np.where(chosen, chosen.sum() - below.sum(1), 0)
    half = found.reach(np.full((n, n), reach))
    differences = tuple(
        Difference(
            counts.bots[a],
            counts.bots[b],
            float(found.delta[a, b]),
            float(max(found.delta[a, b] - half[a, b], -1.0)),
            float(min(found.delta[a, b] + half[a, b], 1.0)),
            float(p[a, b]),
        )
        for a, b in zip(*np.nonzero(np.triu(known, 1)), strict=True)
    )
    return Ranks(rank, rank, high, below, differences)


def _simultaneous(found: Gaps, known: Bools, level: float, seed: int) -> tuple[Floats, float]:
    """(p of every difference, by Westfall and Young's step-down maximum; normal deviate of simultaneous intervals).

    The bots' errors are drawn as normal variables with the variances and covariances that were estimated,
    and each difference is held against the greatest of those that are still in question.
    """
    n = len(known)
    a, b = np.nonzero(np.triu(known, 1))
    p = np.full((n, n), np.nan)
    if not len(a):
        return p, float(normal_quantile((1 + level) / 2))
    observed = found.normal[a, b]
    if len(a) == 1:
        p[a, b] = p[b, a] = 2 * normal_tail(observed)
        return p, float(normal_quantile((1 + level) / 2))
    order_ = np.argsort(observed, kind="stable")  # the greatest last
    root, scale = _errors(found, known)
    rounds = ROUNDS if n <= 30 else FEW
    rng = np.random.default_rng(seed)
    above = np.zeros(len(a))
    largest: list[Floats] = []
    step = max(1, 500_000 // len(a))
    for start in range(0, rounds, step):
        drawn = rng.standard_normal((min(step, rounds - start), root.shape[1])) @ root.T
        t = np.abs(drawn[:, a] - drawn[:, b]) / scale[a, b]
        t = np.maximum.accumulate(t[:, order_], axis=1)
        above += (t >= observed[order_]).sum(0)
        largest.append(t[:, -1])
    adjusted = np.empty(len(a))
    stepped = (1 + above) / (1 + rounds)
    adjusted[order_] = np.maximum.accumulate(stepped[::-1])[::-1]
    # Never below what the difference alone would get
    p[a, b] = p[b, a] = np.maximum(adjusted, 2 * normal_tail(observed))
    return p, float(np.quantile(np.concatenate(largest), level))


def _errors(found: Gaps, known: Bools) -> tuple[Floats, Floats]:
    """A root of the bots' covariance matrix up to what cancels in differences, and the differences' errors."""
    n = len(known)
    square = np.where(known, found.error**2, 0.0)
    square = np.nan_to_num(square)
    inside: Bools = np.asarray(known.any(1))
    size = max(int(inside.sum()), 1)
    # Double centring turns squared distances into inner products (classical scaling)
    centring = np.where(inside[:, None] & inside[None, :], np.eye(n) - 1 / size, 0.0)
    middle = square[np.ix_(inside, inside)]
    square = np.where(known, square, float(middle.mean()) if middle.size else 0.0)
    np.fill_diagonal(square, 0.0)
    values, vectors = np.linalg.eigh(-0.5 * centring @ square @ centring)
    root: Floats = vectors * np.sqrt(np.maximum(values, 0.0))
    drawn = ((root[:, None, :] - root[None, :, :]) ** 2).sum(2) if n <= 200 else found.error**2
    return root, np.sqrt(np.where(drawn > 0, drawn, 1.0))


def order(rates: Floats) -> Ints:
    """Bots from the lowest rate up, those without a rate last; equals keep their places."""
    return np.argsort(np.where(np.isfinite(rates), rates, np.inf), kind="stable")


def places(rates: Floats) -> Ints:
    """Place of each bot by its point estimate, equals sharing the better place; 0 without a rate."""
    known = np.sort(rates[np.isfinite(rates)])
    return np.where(np.isfinite(rates), 1 + np.searchsorted(known, rates, "left"), 0)
