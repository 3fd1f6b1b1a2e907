"""The change of one bot's rate between two sets of dialogues, and its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.stats.counts import FEW, Bools, Floats, Ints, crossing, mean_of_cells
from arena.stats.distributions import exact_binomial, student_quantile, student_tail
from arena.stats.errors import LEAST, Linear, Spread, joined, linearised_cells
from arena.stats.intervals import wilson

NAN = float("nan")


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """Vectors over the dialogues of one bot: the cell (its speaker), the units that link dialogues, and the counts."""

    cell: Ints
    unit: Ints  # equal in both sides for dialogues with the same opener and seed
    copy: Ints
    opener: Ints  # empty if openers are unknown; codes are equal in both sides
    persona: Ints  # like `opener`; -1 if no persona is drawn
    inquiries: Ints
    contradictions: Ints


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """The rates of both sides over common speakers, the spread of each rate, and the standard error of their
    difference.
    """

    rate_a: float
    rate_b: float
    sides: tuple[Spread, Spread]
    trials: tuple[float, float]  # number of cells × the fewest informative clusters of a cell
    error: float
    freedom: float
    correlation: float
    paired: int
    unpaired: int
    inquiries: tuple[int, int] = (0, 0)  # behind the rate of each side

    @property
    def delta(self) -> float:
        return self.rate_b - self.rate_a

    @property
    def p_value(self) -> float:
        """The two-sided p-value of the difference, by Student's t."""
        if not (self.error > 0 and np.isfinite(self.delta)):
            return NAN
        return float(2 * student_tail(abs(self.delta) / self.error, self.freedom))

    def interval(self, level: float) -> tuple[float, float]:
        """The interval of the difference by MOVER (Zou and Donner 2008), which combines the intervals of both
        rates and allows for their correlation.
        """
        if not (self.error > 0 and np.isfinite(self.delta)):
            return NAN, NAN
        (low_a, high_a), (low_b, high_b) = (self._own(side, level) for side in (0, 1))
        a, b = self.rate_a, self.rate_b
        below = _joined(b - low_b, high_a - a, self.correlation)
        above = _joined(high_b - b, a - low_a, self.correlation)
        return max(self.delta - below, -1.0), min(self.delta + above, 1.0)

    def _own(self, side: int, level: float) -> tuple[float, float]:
        rate, spread = (self.rate_a, self.rate_b)[side], self.sides[side]
        if not (spread.variance[0] > 0 and 0 < rate < 1):
            trials = self.trials[side]
            low, high = exact_binomial(rate * trials, trials, level)
            return float(low), float(high)
        # With the degrees of freedom of the difference, so that interval and test agree
        low, high = wilson(np.array([rate]), spread.variance, np.array([self.freedom]), level)
        return float(low[0]), float(high[0])

    def detectable(self, level: float, power: float) -> float:
        """The smallest change that a comparison of this size detects with the probability `power`."""
        if not self.error > 0:
            return NAN
        reach = student_quantile((1 + level) / 2, self.freedom) + student_quantile(power, self.freedom)
        return float(reach * self.error)


def _joined(one: float, other: float, correlation: float) -> float:
    return float(np.sqrt(max(one**2 + other**2 - 2 * correlation * one * other, 0.0)))


NOTHING = Measured(NAN, NAN, (Spread(np.zeros(1), np.ones(1)),) * 2, (0.0, 0.0), NAN, 1.0, 0.0, 0, 0)


def measure(a: Side, b: Side, cells: int) -> Measured:
    """Measure the change over the cells in which both sides have two informative clusters. If there are no such
    cells, use all cells in which both sides have inquiries.
    """
    if not cells or not len(a.cell) or not len(b.cell):
        return NOTHING
    ways = [
        tuple(
            linearised_cells(side.cell, cluster, _within(side), side.inquiries, side.contradictions, cells)
            for side, cluster in zip((a, b), clusters, strict=True)
        )
        for clusters in _ways(a, b)
    ]
    sides = ways[0]
    known = [np.isfinite(linear.rate) & (linear.clusters >= LEAST) for linear in sides]
    used = known[0] & known[1]
    if not used.any():
        used = np.isfinite(sides[0].rate) & np.isfinite(sides[1].rate)
    number = int(used.sum())
    if not number:
        return NOTHING
    rates = [float(mean_of_cells(np.where(used, linear.rate, np.nan))) for linear in sides]
    trials = [number * float(linear.clusters[used].min()) for linear in sides]
    spreads = [_spreads(way, used, rates, trials) for way in ways]
    first, second, whole = (joined([some[k] for some in spreads]) for k in range(3))
    variance = float(whole.variance[0])
    own = [float(spread.variance[0]) for spread in (first, second)]
    common = (own[0] + own[1] - variance) / 2
    scale = float(np.sqrt(own[0] * own[1]))
    twins = len(np.intersect1d(_pairs(a), _pairs(b)))
    return Measured(
        rates[0],
        rates[1],
        (first, second),
        (trials[0], trials[1]),
        float(np.sqrt(variance)),
        float(whole.freedom[0]),
        float(np.clip(common / scale, -1, 1)) if scale > 0 else 0.0,
        twins,
        len(a.cell) + len(b.cell) - 2 * twins,
        (int(a.inquiries[used[a.cell]].sum()), int(b.inquiries[used[b.cell]].sum())),
    )


def _spreads(
    sides: tuple[Linear, ...], used: Bools, rates: list[float], trials: list[float]
) -> tuple[Spread, Spread, Spread]:
    """The spreads of A, of B and of B − A, for one clustering of the dialogues."""
    number = int(used.sum())
    size = int(max(linear.cluster.max(initial=0) for linear in sides)) + 1
    sums, extra = [], []
    for linear, rate, many in zip(sides, rates, trials, strict=True):
        inside = used[linear.cell]
        sums.append(np.bincount(linear.cluster[inside], linear.value[inside] / number, size).astype(float))
        shy = (rate * many + 1) / (many + 2)
        blind = 0.0 if float(sums[-1] @ sums[-1]) > 0 else shy * (1 - shy) / many
        extra.append(np.append(linear.floor[used] / number**2, blind))
    return (
        _spread(sums[0], extra[0], number),
        _spread(sums[1], extra[1], number),
        _spread(sums[1] - sums[0], np.concatenate(extra), number),
    )


def _spread(sums: Floats, extra: Floats, cells: int) -> Spread:
    present = sums != 0
    clusters = float(max(present.sum() - cells + 1, 1))
    return Spread.of(
        np.array([sums @ sums + extra.sum()]),
        np.array([(sums**4).sum() + (extra**2).sum()]),
        np.array([clusters]),
    )


def _pairs(side: Side) -> Ints:
    """Combine unit and cell into one number. Units have 63 bits, so the two are hashed together."""
    return side.unit ^ (side.cell * np.int64(0x9E3779B97F4A7C1))


def _ways(a: Side, b: Side) -> list[tuple[Ints, Ints]]:
    """The clusterings to use. Dialogues are clustered by opener if there are enough openers, else by twin
    dialogues (copies count once). If there are enough drawn personas, they are a second clustering.
    """
    split = len(a.cell)
    twins = _twins(a, b)
    main = twins
    if len(a.opener) and len(b.opener):
        openers, which = np.unique(np.concatenate([a.opener, b.opener]), return_inverse=True)
        main = which if len(openers) >= FEW else twins
    ways: tuple[Ints, ...] = (main,)
    if len(a.persona) and len(b.persona):
        drawn = np.concatenate([a.persona, b.persona])
        names, which = np.unique(drawn, return_inverse=True)
        if (names >= 0).sum() >= FEW:
            ways = crossing(main, np.where(drawn >= 0, which, len(names) + twins))
    return [(way[:split], way[split:]) for way in ways]


def _twins(a: Side, b: Side) -> Ints:
    """Return a code for each dialogue of both sides. Twins and the copies of one dialogue have equal codes."""
    first = [_pairs(side)[_first(side.copy)] for side in (a, b)]
    _, which = np.unique(np.concatenate(first), return_inverse=True)
    codes: Ints = which
    return codes


def _first(copy: Ints) -> Ints:
    _, first, which = np.unique(copy, return_index=True, return_inverse=True)
    result: Ints = first[which]
    return result


def _within(side: Side) -> Ints:
    """Number the dialogues of one side so that copies have equal numbers."""
    _, which = np.unique(side.copy, return_inverse=True)
    return which
