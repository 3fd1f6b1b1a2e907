"""Estimates how far rates and their differences vary by chance, from sums over clusters of dialogues.

A cell is one pair (speaker, tested). The rate of a cell is a ratio of sums, so each dialogue has an influence
on the rate. Influences are summed within clusters, and the squares of these sums add up to a variance.

A cluster contains the copies of one dialogue, or all dialogues that begin with one opener. Clusters of openers
span several cells, so the rates of different pairs and bots are correlated. If personas are drawn, dialogues
are clustered in two ways.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from weakref import WeakKeyDictionary

import numpy as np

from arena.stats.counts import Bools, Counts, Floats, Ints, mean_of_cells, ratio
from arena.stats.distributions import normal_quantile, student_quantile, student_tail

LEAST = 2  # clusters that a pair needs to be compared over
THIN = 5  # with fewer informative clusters, a cell's own spread is unreliable
MASKS = 64  # the most sets of common speakers that are computed separately


@dataclass(frozen=True, slots=True, eq=False)
class Linear:
    """Each cluster's influence on each cell's rate, stored as sparse rows, and figures per cell."""

    cluster: Ints
    cell: Ints
    value: Floats
    rate: Floats  # per cell; nan without judged inquiries
    clusters: Floats  # per cell: clusters with a judged inquiry
    distinct: Floats  # per cell: distinct dialogues with a judged inquiry
    floor: Floats  # per cell: variance to add if the cell has few clusters
    crossed: bool  # whether some cluster spans several cells


def linearised_cells(
    cell: Ints, cluster: Ints, copy: Ints, inquiries: Ints, contradictions: Ints, cells: int
) -> Linear:
    """Compute the influences on each cell's rate. They are scaled so that the sum of their squares is unbiased
    for few clusters.
    """
    informative = inquiries > 0
    at, m, c = cell[informative], inquiries[informative], contradictions[informative]
    asked = np.bincount(at, m, cells)
    rate = ratio(np.bincount(at, c, cells), asked)
    rows, where = _combined(at, cluster[informative], cells)
    value: Floats = np.bincount(where, (c - rate[at] * m) / asked[at], len(rows[0])).astype(float)
    clusters, of_cell = rows
    number = np.bincount(of_cell, minlength=cells).astype(float)
    # A cluster pulls the rate towards itself by its share of the inquiries. With equal shares, this is n / (n - 1)
    share = np.bincount(where, m, len(clusters)) / asked[of_cell]
    value = value / np.sqrt(np.where(share < 1, 1 - share, 1.0))
    (_, distinct_cell), _ = _combined(at, copy[informative], cells)
    distinct = np.bincount(distinct_cell, minlength=cells).astype(float)
    independent = np.minimum(number, distinct)
    # A cell with few clusters gets the spread of one more contradictory and one more consistent dialogue
    shy = (np.nan_to_num(rate) * independent + 1) / (independent + 2)
    least = shy * (1 - shy) / np.maximum(independent, 1)
    seen = np.bincount(of_cell, value**2, cells)
    floor = np.where((independent > 0) & (independent < THIN), np.maximum(least - seen, 0.0), 0.0)
    crossed = len(np.unique(clusters)) < len(clusters)
    return Linear(clusters, of_cell, value, rate, independent, distinct, floor, crossed)


def _combined(cell: Ints, cluster: Ints, cells: int) -> tuple[tuple[Ints, Ints], Ints]:
    """Return the distinct (cluster, cell) pairs, and for each row the index of its pair."""
    code = cluster.astype(np.int64) * cells + cell
    codes, where = np.unique(code, return_inverse=True)
    return (codes // cells, codes % cells), where


@dataclass(frozen=True, slots=True, eq=False)
class Spread:
    """The variance of a sum over clusters, and the degrees of freedom of this variance."""

    variance: Floats
    freedom: Floats

    @classmethod
    def of(cls, variance: Floats, fourth: Floats, clusters: Floats) -> Spread:
        """Return the variance with its degrees of freedom.

        If clusters differ much in weight, or if few clusters contain contradictions, the variance is less
        certain than the number of clusters suggests. The fourth moment accounts for that: Var(V) is about the
        sum of fourth powers, and the degrees of freedom are 2 V² / Var(V).
        """
        square = variance**2
        own = ratio(2 * square, np.maximum(fourth - ratio(square, clusters), 0.0))
        most = np.maximum(clusters - 1, 1.0)
        return cls(variance, np.clip(np.where(np.isfinite(own), own, most), 1.0, most))

    @property
    def error(self) -> Floats:
        return np.sqrt(self.variance)


def joined(spreads: Sequence[Spread]) -> Spread:
    """Combine the spreads of different clusterings. With one clustering, its spread is returned. With two
    clusterings and their intersection, the two-way variance is returned.

    The two-way variance (Cameron, Gelbach and Miller 2011) is at least the variance of the first clustering.
    Its degrees of freedom are the smaller number of the two clusterings.
    """
    if len(spreads) == 1:
        return spreads[0]
    one, other, both = spreads
    variance = one.variance + np.maximum(other.variance - both.variance, 0.0)
    return Spread(variance, np.minimum(one.freedom, other.freedom))


_KNOWN: WeakKeyDictionary[Counts, tuple[Linear, ...]] = WeakKeyDictionary()


def _ways(counts: Counts) -> tuple[Linear, ...]:
    """Return the influences for each clustering of the dialogues. They are computed once for each object, because
    intervals, ranks and differences of one leaderboard all need them.
    """
    if counts not in _KNOWN:
        cell, cells = counts.cell(), len(counts.bots) ** 2
        _KNOWN[counts] = tuple(
            linearised_cells(cell, cluster, counts.copy, counts.inquiries, counts.contradictions, cells)
            for cluster in counts.ways()
        )
    return _KNOWN[counts]


class Rates:
    """The rate C_j of every bot with its spread, and the differences between bots over their common speakers."""

    def __init__(self, counts: Counts, *, least: int = 1) -> None:
        self.bots = counts.bots
        self.size = len(counts.bots)
        n = self.size
        self.ways: tuple[Linear, ...] = _ways(counts)
        self.linear = self.ways[0]
        self.cells: Floats = self.linear.rate.reshape(n, n)
        clusters = [way.clusters for way in self.ways[:2]]
        self.clusters: Floats = np.minimum.reduce(clusters).reshape(n, n)
        self.distinct: Floats = self.linear.distinct.reshape(n, n)
        self.floor: Floats = np.maximum.reduce([way.floor for way in self.ways[:2]]).reshape(n, n)
        self.used: Bools = np.isfinite(self.cells) & (self.clusters >= least)
        self.rate: Floats = mean_of_cells(np.where(self.used, self.cells, np.nan))

    @cached_property
    def spread(self) -> Spread:
        """The spread of each bot's rate over all speakers that asked about it."""
        return self.of(self.used)

    def of(self, used: Bools) -> Spread:
        """The spread of each bot's rate over the speakers that `used` selects for it."""
        return joined([Spread.of(*self._moments(way, used)) for way in self.ways])

    def _moments(self, linear: Linear, used: Bools) -> tuple[Floats, Floats, Floats]:
        """The (variance, fourth moment, clusters) of each bot's rate for one clustering of the dialogues."""
        n = self.size
        share = used / np.maximum(used.sum(0), 1)
        value = linear.value * share.ravel()[linear.cell]
        tested = linear.cell % n
        if linear.crossed:
            (_, tested), where = _combined(tested, linear.cluster, n)
            value = np.bincount(where, value, len(tested)).astype(float)
        extra = (self.floor * share**2)[used]
        of = np.nonzero(used)[1]
        present = value != 0
        clusters = np.bincount(tested, minlength=n).astype(float)
        if not linear.crossed:
            clusters = clusters - np.maximum(used.sum(0) - 1, 0)  # one degree of freedom less per cell
        second = np.bincount(tested[present], value[present] ** 2, n) + np.bincount(of, extra, n)
        fourth = np.bincount(tested[present], value[present] ** 4, n) + np.bincount(of, extra**2, n)
        return second.astype(float), fourth.astype(float), np.maximum(clusters, 1.0)

    def differences(self, used: Bools, extra: Floats) -> Spread:
        """The spread of the difference of every two bots (bots × bots); `extra` is added to its variance."""
        return joined([Spread.of(*self._between(way, used, extra)) for way in self.ways])

    def _between(self, linear: Linear, used: Bools, extra: Floats) -> tuple[Floats, Floats, Floats]:
        n = self.size
        own = self._moments(linear, used)
        variance, fourth, clusters = (moment[:, None] + moment[None, :] for moment in own)
        if linear.crossed:
            from scipy import sparse

            share = used / np.maximum(used.sum(0), 1)
            value = linear.value * share.ravel()[linear.cell]
            e = sparse.csr_matrix(
                (value, (linear.cluster, linear.cell % n)),
                shape=(int(linear.cluster.max(initial=-1)) + 1, n),
            )
            e.sum_duplicates()
            square, cube = e.multiply(e).tocsr(), e.multiply(e).multiply(e).tocsr()
            cross = np.asarray((e.T @ e).todense())
            third = np.asarray((cube.T @ e).todense())
            both = np.asarray((square.T @ square).todense())
            variance = variance - 2 * cross
            fourth = fourth - 4 * third - 4 * third.T + 6 * both
            there = (e != 0).astype(float)
            clusters = clusters - np.asarray((there.T @ there).todense())
        return np.maximum(variance, 0.0) + extra, np.maximum(fourth, 0.0), clusters


@dataclass(frozen=True, slots=True, eq=False)
class Gaps:
    """The difference of every two bots. `delta[a, b]` is the rate of a minus the rate of b over their common
    speakers; nan if they have no common speakers.
    """

    delta: Floats
    error: Floats
    freedom: Floats
    speakers: Ints  # number of common speakers

    @property
    def normal(self) -> Floats:
        """The normal deviate with the same two-sided p-value as |delta| / error has under Student's t."""
        with np.errstate(invalid="ignore", divide="ignore"):
            t = np.abs(self.delta) / self.error
            deviate = -normal_quantile(student_tail(t, self.freedom))
        return np.where(np.isfinite(t), np.minimum(np.maximum(deviate, 0.0), 38.0), 0.0)

    def reach(self, normal: Floats) -> Floats:
        """The half width of the interval that corresponds to this normal deviate."""
        from arena.stats.distributions import normal_cdf

        return student_quantile(np.minimum(normal_cdf(normal), 1 - 1e-12), self.freedom) * self.error


def gaps(counts: Counts) -> Gaps:
    """Compute the differences over the speakers with whom both bots have at least two informative clusters."""
    rates = Rates(counts, least=LEAST)
    n, used = rates.size, rates.used
    common = used.T.astype(np.int64) @ used.astype(np.int64)
    delta = np.full((n, n), np.nan)
    error, freedom = np.full((n, n), np.nan), np.full((n, n), np.nan)
    for mask, pairs in _masks(used):
        inside = used & mask[:, None]
        spread = rates.differences(inside, _blind(rates, inside))
        rate = mean_of_cells(np.where(inside, rates.cells, np.nan))
        delta[pairs] = (rate[:, None] - rate[None, :])[pairs]
        error[pairs], freedom[pairs] = spread.error[pairs], spread.freedom[pairs]
    # A comparison over fewer than half of a bot's speakers says little about the bot
    most = used.sum(0)
    few = 2 * common < np.maximum(most[:, None], most[None, :])
    delta[few | (common == 0)] = np.nan
    return Gaps(delta, error, freedom, common)


def _blind(rates: Rates, used: Bools) -> Floats:
    """The variance to add for bots without observed variation, as if one more dialogue were contradictory and one
    consistent.
    """
    own = rates.of(used)
    clusters = np.where(used, rates.clusters, 0.0).sum(0)
    rate = np.nan_to_num(mean_of_cells(np.where(used, rates.cells, np.nan)))
    shy = (rate * clusters + 1) / (clusters + 2)
    extra = np.where(own.variance > 0, 0.0, shy * (1 - shy) / np.maximum(clusters, 1))
    result: Floats = extra[:, None] + extra[None, :]
    return result


def _masks(used: Bools) -> list[tuple[Bools, Bools]]:
    """Return pairs of masks: a set of speakers, and the pairs of bots whose common speakers are exactly this set."""
    n = used.shape[0]
    kinds, which = np.unique(used.T, axis=0, return_inverse=True)
    which = which.reshape(-1)
    masks: dict[bytes, tuple[Bools, Bools]] = {}
    for a in range(len(kinds)):
        for b in range(len(kinds)):
            mask = kinds[a] & kinds[b]
            entry = masks.setdefault(mask.tobytes(), (mask, np.zeros((n, n), bool)))
            entry[1][np.ix_(which == a, which == b)] = True
    if len(masks) > MASKS:  # too many sets: use the speakers that all bots share
        asked = used[:, used.any(0)]
        return [(np.asarray(asked.all(1)), np.ones((n, n), bool))]
    return list(masks.values())
