"""Intervals of rates, by resampling whole dialogues or by linearisation, pair by pair.

Inquiries of one dialogue are not independent, so the sampling unit is the dialogue. The pairs are fixed by
design, so each pair is a stratum.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from arena.stats.counts import Cells, Counts, Floats, mean_of_cells, ratio
from arena.stats.distributions import exact_binomial, normal_cdf, normal_quantile, student_quantile
from arena.stats.errors import Rates

ROUNDS = 2000
LEVEL = 0.95
CHUNK = 1_000_000
SLOW = 12  # drawing a multinomial category costs as much as picking this many rows


class Weighting(StrEnum):
    MACRO = "macro"  # equation 4: every speaker counts the same
    INQUIRIES = "inquiries"  # every inquiry counts the same


class Method(StrEnum):
    SCORE = "score"
    BCA = "bca"
    PERCENTILE = "percentile"
    LINEARISED = "linearised"


@dataclass(frozen=True, slots=True, eq=False)
class Interval:
    """Rates with their intervals, as vectors over bots."""

    rate: Floats
    low: Floats
    high: Floats
    error: Floats  # linearised standard error
    method: Method


def contradiction_rates(cells: Cells, weighting: Weighting = Weighting.MACRO) -> Floats:
    """The contradiction rate C_j of every bot: the mean over its speakers, or all inquiries pooled."""
    if weighting is Weighting.INQUIRIES:
        return ratio(cells.contradictions.sum(0), cells.inquiries.sum(0))
    return mean_of_cells(cells.rates())


def errors_of(cells: Cells, weighting: Weighting = Weighting.MACRO) -> Floats:
    """The linearised, cluster-robust standard error of C_j; nan if a cell of the bot has only one dialogue."""
    used = cells.inquiries > 0
    if weighting is Weighting.MACRO:
        variance = np.where(used, cells.variances(), 0.0).sum(0)
        return np.where(used.any(0), np.sqrt(variance) / np.maximum(used.sum(0), 1), np.nan)
    rate = contradiction_rates(cells, weighting)
    total = cells.contradictions - rate * cells.inquiries
    squares = cells.cc - 2 * rate * cells.cm + rate**2 * cells.mm
    spread = np.maximum(squares - ratio(total**2, cells.dialogues), 0) * ratio(
        cells.dialogues, cells.dialogues - 1
    )
    spread = np.where(used & (cells.dialogues < 2), np.nan, np.where(cells.dialogues >= 2, spread, 0.0))
    asked = cells.inquiries.sum(0)
    return np.where(asked > 0, np.sqrt(spread.sum(0)) / np.maximum(asked, 1), np.nan)


def bootstrap(
    counts: Counts,
    rng: np.random.Generator,
    rounds: int = ROUNDS,
    weighting: Weighting = Weighting.MACRO,
) -> Floats:
    """C_j in each bootstrap round (rounds × bots).

    From the n dialogues of a pair, n − 1 are drawn with replacement, which makes the bootstrap variance of a
    stratum unbiased. Dialogues with equal counts are drawn together, by a multinomial draw over the distinct
    (inquiries, contradictions).
    """
    n = len(counts.bots)
    top = np.zeros((rounds, n))
    bottom = np.zeros((rounds, n))
    for cell, values, often in distinct(counts):
        tested, size = cell % n, int(often.sum())
        m, c = drawn_sums(values, often, rng, rounds).T
        if weighting is Weighting.INQUIRIES:
            scale = size / max(size - 1, 1)
            top[:, tested] += c * scale
            bottom[:, tested] += m * scale
        else:
            top[:, tested] += np.divide(c, m, out=np.zeros(rounds), where=m > 0)
            bottom[:, tested] += m > 0
    return ratio(top, bottom)


def drawn_sums(values: Floats, often: Floats, rng: np.random.Generator, rounds: int) -> Floats:
    """Draw n − 1 of n rows with replacement and return the column sums of each round (rounds × columns). `often`
    says how many of the n rows have each value. Values are whole numbers.
    """
    size, kinds = int(often.sum()), len(often)
    if size > SLOW * kinds:  # many rows of few kinds: one multinomial draw
        result: Floats = rng.multinomial(max(size - 1, 1), often / size, rounds) @ values
        return result
    rows = np.repeat(np.arange(kinds, dtype=np.int32), often.astype(np.int64))
    sums = np.empty((rounds, values.shape[1]))
    step = max(1, CHUNK // size)
    for start in range(0, rounds, step):
        some = min(step, rounds - start)
        picked = rows[rng.integers(0, size, (some, max(size - 1, 1)), dtype=np.int32)]
        for column, value in enumerate(values.T):
            sums[start : start + some, column] = value.astype(np.float32)[picked].sum(1, dtype=np.float64)
    return sums


def distinct(counts: Counts) -> list[tuple[int, Floats, Floats]]:
    """For each pair with dialogues, return its cell, its distinct (inquiries, contradictions), and how often each
    of them occurs.
    """
    if not len(counts):
        return []
    base_m = int(counts.inquiries.max()) + 1
    base_c = int(counts.contradictions.max()) + 1
    code = (counts.cell() * base_m + counts.inquiries) * base_c + counts.contradictions
    codes, often = np.unique(code, return_counts=True)
    cells = codes // (base_m * base_c)
    values = np.stack([codes // base_c % base_m, codes % base_c], axis=1).astype(float)
    starts = np.flatnonzero(np.diff(cells, prepend=-1))
    return [
        (int(cells[a]), values[a:b], often[a:b].astype(float))
        for a, b in zip(starts, [*starts[1:], len(cells)], strict=True)
    ]


def intervals(
    counts: Counts,
    *,
    method: Method | None = None,
    level: float = LEVEL,
    rounds: int = ROUNDS,
    seed: int = 0,
    weighting: Weighting = Weighting.MACRO,
    draws: Floats | None = None,
) -> Interval:
    """C_j with its interval, by default Wilson's interval for clustered data.

    Only the default method counts copies once and clusters dialogues by opener. The other methods are meant for
    a single opener and for comparison. Pooled rates (`Weighting.INQUIRIES`) have linearised intervals.
    """
    if method is None:
        method = Method.SCORE if weighting is Weighting.MACRO else Method.LINEARISED
    if method is Method.SCORE and weighting is Weighting.MACRO:
        return score(counts, level)
    cells = counts.cells()
    rate, error = contradiction_rates(cells, weighting), errors_of(cells, weighting)
    if method in (Method.LINEARISED, Method.SCORE):
        method = Method.LINEARISED
        low, high = linearised(cells, rate, error, level)
    else:
        if draws is None:
            draws = bootstrap(counts, np.random.default_rng(seed), rounds, weighting)
        skew = _acceleration(counts, cells, rate, weighting) if method is Method.BCA else None
        low, high = _from_draws(draws, rate, _freedom(cells), level, skew)
    exact_low, exact_high = _exact(cells, rate, level)
    # Without observed spread, the exact binomial interval with dialogues as trials is safe
    blind = np.isfinite(rate) & ~(error > 0)
    low, high = np.where(blind, exact_low, low), np.where(blind, exact_high, high)
    return Interval(rate, np.minimum(low, rate), np.maximum(high, rate), error, method)


def score(counts: Counts, level: float = LEVEL) -> Interval:
    """Wilson's interval with a Student quantile. Its number of independent trials is the number that the
    clustered variance implies.
    """
    rates = Rates(counts)
    rate, spread = rates.rate, rates.spread
    error = np.where(np.isfinite(rate), spread.error, np.nan)
    low, high = wilson(rate, spread.variance, spread.freedom, level)
    clusters = np.where(rates.used, rates.clusters, np.inf).min(0)
    trials = np.where(
        rates.used.any(0), rates.used.sum(0) * np.where(np.isfinite(clusters), clusters, 1), 1.0
    )
    exact_low, exact_high = exact_binomial(np.nan_to_num(rate) * trials, trials, level)
    # Without observed spread, the exact binomial interval with clusters as trials is safe
    blind = np.isfinite(rate) & (~(spread.variance > 0) | (rate <= 0) | (rate >= 1))
    low, high = np.where(blind, exact_low, low), np.where(blind, exact_high, high)
    return Interval(rate, np.minimum(low, rate), np.maximum(high, rate), error, Method.SCORE)


def wilson(rate: Floats, variance: Floats, freedom: Floats, level: float) -> tuple[Floats, Floats]:
    """Wilson's score interval of a rate. The number of trials n is chosen so that p (1 − p) / n equals the given
    variance.
    """
    t = student_quantile((1 + level) / 2, freedom)
    with np.errstate(invalid="ignore", divide="ignore"):
        trials = rate * (1 - rate) / variance
        centre = (rate * trials + t**2 / 2) / (trials + t**2)
        half = t * np.sqrt(trials) / (trials + t**2) * np.sqrt(rate * (1 - rate) + t**2 / (4 * trials))
    return np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)


def linearised(cells: Cells, rate: Floats, error: Floats, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Student's t interval on the logit scale, with Satterthwaite's degrees of freedom over the pairs."""
    width = student_quantile((1 + level) / 2, _freedom(cells))
    inside = (rate > 0) & (rate < 1)
    p = np.where(inside, rate, 0.5)
    half = width * error / (p * (1 - p))
    centre = np.log(p / (1 - p))
    low = np.where(inside, 1 / (1 + np.exp(-(centre - half))), rate)
    high = np.where(inside, 1 / (1 + np.exp(-(centre + half))), rate)
    return low, high


def _freedom(cells: Cells) -> Floats:
    """Satterthwaite's degrees of freedom of C_j's error, over the pairs."""
    variance = np.where(cells.inquiries > 0, cells.variances(), 0.0)
    freedom = ratio(variance.sum(0) ** 2, np.nan_to_num(ratio(variance**2, cells.dialogues - 1)).sum(0))
    return np.where(np.isfinite(freedom), np.maximum(freedom, 1.0), 1.0)


def _from_draws(
    draws: Floats, rate: Floats, freedom: Floats, level: float, skew: Floats | None
) -> tuple[Floats, Floats]:
    """Bootstrap percentile intervals. The percentiles are taken at Student's levels instead of the normal levels
    (Hesterberg 2015).
    """
    low, high = np.full(len(rate), np.nan), np.full(len(rate), np.nan)
    for j in np.flatnonzero(np.isfinite(rate)):
        valid = draws[np.isfinite(draws[:, j]), j]
        if not len(valid):
            continue
        tails = student_quantile([(1 - level) / 2, (1 + level) / 2], freedom[j])
        at = normal_cdf(tails)
        if skew is not None:
            below = (np.sum(valid < rate[j]) + np.sum(valid == rate[j]) / 2) / len(valid)
            z0 = normal_quantile(np.clip(below, 1 / (len(valid) + 1), len(valid) / (len(valid) + 1)))
            at = normal_cdf(z0 + (z0 + tails) / (1 - skew[j] * (z0 + tails)))
        low[j], high[j] = np.quantile(valid, at)
    return low, high


def _acceleration(counts: Counts, cells: Cells, rate: Floats, weighting: Weighting) -> Floats:
    """The acceleration constant of the BCa bootstrap, from the influence of each dialogue."""
    n = len(counts.bots)
    if weighting is Weighting.INQUIRIES:
        residual = counts.contradictions - rate[counts.tested] * counts.inquiries
        asked = cells.inquiries.sum(0)[counts.tested]
    else:
        residual = counts.contradictions - cells.rates().ravel()[counts.cell()] * counts.inquiries
        asked = cells.inquiries.ravel()[counts.cell()]
    influence = np.where(asked > 0, np.nan_to_num(residual) / np.maximum(asked, 1), 0.0)
    cubes = np.bincount(counts.tested, influence**3, n)
    squares = np.bincount(counts.tested, influence**2, n)
    return np.nan_to_num(ratio(cubes, 6 * squares**1.5))


def _exact(cells: Cells, rate: Floats, level: float) -> tuple[Floats, Floats]:
    """Clopper and Pearson's exact interval, which counts each dialogue as one trial."""
    used = cells.informative > 0
    least = np.where(used, cells.informative, np.inf).min(0)
    trials = np.where(used.any(0), used.sum(0) * np.where(np.isfinite(least), least, 1), 1.0)
    return exact_binomial(np.nan_to_num(rate) * trials, trials, level)
