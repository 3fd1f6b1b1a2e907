"""Sequential analysis: decides after each round which pairs get the next dialogues, and whether the ranking is certain.

If growing data are tested again and again, an order appears significant sooner or later, even among equal bots.
The p-values here allow for these interim analyses.

Over the plan's dialogues, the test statistic of two bots behaves like a Brownian motion B on [0, 1], where 1 is
the information of the full plan. The probability that B ever leaves the straight lines ±c(1 + SLOPE·t) is known
in closed form (Bachelier and Lévy). For the line through the current point of B, this probability is a p-value
that is valid at every interim analysis. The smallest p-value so far enters Holm's procedure over all
comparisons. The probability that any order claimed at any time is wrong therefore stays below 1 − P, as far as
the normal approximation holds. Every pair first plays the opening dialogues, because the approximation needs
enough data.

A decision depends only on the dialogues, because all interim analyses are repeated from the start. A stopped
tournament therefore continues as if it had never stopped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from arena.stats.counts import FEW, Bools, Counts, Floats, Ints, mean_of_cells, ratio
from arena.stats.distributions import holm, normal_cdf, normal_quantile, normal_tail, student_tail
from arena.stats.errors import THIN, Rates
from arena.stats.ranks import order

SLOPE = 1.5  # steep lines find clear orders early, flat ones close orders late
SHARE = 0.7  # pairs with this share of the largest gain get more dialogues


@dataclass(frozen=True, slots=True)
class StoppingPlan:
    """The plan: each pair plays `opening` dialogues, then further dialogues in steps of `step`, up to `dialogues`."""

    dialogues: int
    probability: float = 0.95
    opening: int = 20
    step: int = 10


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """The result of an interim analysis. `targets` (speakers × tested) says how many dialogues each pair should
    have. `claims[a, b]` means that a is surely below b.
    """

    targets: Ints
    stop: bool
    settled: bool
    probability: float
    order: tuple[str, ...]
    claims: Bools
    looks: int

    @property
    def reason(self) -> str:
        if self.settled:
            return "every order in the ranking is sure"
        return "the planned dialogues are played" if self.stop else "some orders are open"


def decide(counts: Counts, pairs: Bools, plan: StoppingPlan) -> Decision:
    """Analyse a tournament and decide how it continues. `pairs` (speakers × tested) says which pairs are played.

    Every finished dialogue counts. It has zero inquiries if it failed or if nothing in it was judged.
    """
    n = len(counts.bots)
    history = _Running(counts, plan.dialogues)
    best = np.ones((n, n))  # running minimum of the p-values, towards "row below column"
    targets = np.where(pairs, min(plan.opening, plan.dialogues), 0)
    looks = 0
    while True:
        rates, now, full, freedom = history.at(targets)
        now, full, freedom = _for_clusters(counts, targets, now, full, freedom)
        if not np.all(history.there >= targets):
            ready = _settled(best, rates, plan.probability)
            return Decision(targets, False, False, ready[2], _names(counts, rates), ready[0], looks)
        looks += 1
        best = np.minimum(best, _p_values(rates, now, full, freedom))
        claims, unsure, probability = _settled(best, rates, plan.probability)
        room = pairs & (targets < plan.dialogues)
        wanted = _deserving(unsure, room, history.gain)
        if not wanted.any():
            return Decision(targets, True, not unsure, probability, _names(counts, rates), claims, looks)
        targets = np.where(wanted, np.minimum(targets + plan.step, plan.dialogues), targets)


def _for_clusters(
    counts: Counts, targets: Ints, now: Floats, full: Floats, freedom: Floats
) -> tuple[Floats, Floats, Floats]:
    """Widen the variances if dialogues with the same opener (or persona) are correlated. They stay the same
    otherwise.
    """
    if max(counts.opener_number, counts.persona_number) < FEW:
        return now, full, freedom
    played = counts.only(counts.number < targets.ravel()[counts.cell()])
    clustered = Rates(played).spread
    alone = np.empty(0, np.int64)
    single = Rates(replace(played, openers=alone, personas=alone)).spread
    factor = np.fmax(ratio(clustered.variance, single.variance), 1.0)
    return now * factor, full * factor, np.fmin(freedom, clustered.freedom)


def _deserving(unsure: list[tuple[int, int]], room: Bools, gain: Floats) -> Bools:
    """For each undecided comparison, select the pairs whose next dialogue would reduce the variance most. The
    number of a pair's dialogues thus becomes proportional to its spread.
    """
    wanted = np.zeros_like(room)
    for comparison in unsure:
        columns = list(comparison)
        worth = np.where(room[:, columns], gain[:, columns], -1.0)
        wanted[:, columns] |= room[:, columns] & (worth >= SHARE * worth.max())
    return wanted


def crossing(scale: Floats, slope: float = SLOPE) -> Floats:
    """The probability that a Brownian motion on [0, 1] ever leaves the band ±scale·(1 + slope·t)."""
    one_side = normal_tail(scale * (1 + slope)) + np.exp(-2 * scale**2 * slope) * normal_cdf(
        scale * (slope - 1)
    )
    both: Floats = np.minimum(1.0, 2 * one_side)
    return both


def _p_values(rates: Floats, now: Floats, full: Floats, freedom: Floats) -> Floats:
    """The two-sided p-value at [a, b] against "b is not above a"; 1 if the estimates point the other way."""
    gap = rates[None, :] - rates[:, None]
    variance = now[None, :] + now[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        z = gap / np.sqrt(variance)
        common = variance**2 / (now[None, :] ** 2 / freedom[None, :] + now[:, None] ** 2 / freedom[:, None])
        time = np.minimum(1.0, (full[None, :] + full[:, None]) / variance)
        normal = -normal_quantile(student_tail(np.abs(z), common))  # Student's tails, for few dialogues
        p = crossing(np.minimum(normal, 38.0) * np.sqrt(time) / (1 + SLOPE * time))
    return np.where(np.isfinite(p) & (gap > 0), p, 1.0)


def _settled(best: Floats, rates: Floats, probability: float) -> tuple[Bools, list[tuple[int, int]], float]:
    """Return (claims, undecided comparisons, probability of the whole ranking), by Holm's procedure over all
    comparisons.
    """
    n = len(best)
    upper = np.triu_indices(n, 1)
    p = np.minimum(best, best.T)[upper]
    adjusted = np.ones((n, n))
    adjusted[upper] = holm(p)
    adjusted = np.minimum(adjusted, adjusted.T)
    claims = (adjusted <= 1 - probability) & (best <= best.T)
    ranked = order(rates)
    above, below = ranked[:-1], ranked[1:]
    unsure = [(int(a), int(b)) for a, b in zip(above, below, strict=True) if not claims[a, b]]
    reached = np.where(best[above, below] <= best[below, above], adjusted[above, below], 1.0)
    return claims, unsure, float(1 - reached.max(initial=0.0))


def _names(counts: Counts, rates: Floats) -> tuple[str, ...]:
    return tuple(counts.bots[i] for i in order(rates))


class _Running:
    """Sums over the first k dialogues of each pair, for every k."""

    def __init__(self, counts: Counts, most: int) -> None:
        n = len(counts.bots)
        self._most = most
        usable = (counts.number >= 0) & (counts.number < most)
        cell, number = counts.cell()[usable], counts.number[usable]
        m, c = counts.inquiries[usable].astype(float), counts.contradictions[usable].astype(float)
        present = np.zeros((n * n, most + 1), bool)
        present[cell, number] = True
        self.there: Ints = np.argmin(present, axis=1).reshape(n, n)  # dialogues played without a gap
        self._sums = np.zeros((6, n * n, most + 1))
        for row, values in enumerate((m, c, c * c, c * m, m * m, (m > 0).astype(float))):
            self._sums[row, cell, number + 1] = values
        np.cumsum(self._sums, axis=2, out=self._sums)

    def at(self, targets: Ints) -> tuple[Floats, Floats, Floats, Floats]:
        """Return (rates, variances, variances at the full plan, degrees of freedom) after `targets` dialogues per
        pair.
        """
        n = len(targets)
        size = np.minimum(targets, self.there).astype(float)
        m, c, cc, cm, mm, informative = (
            row[np.arange(n * n), size.astype(int).ravel()].reshape(n, n) for row in self._sums
        )
        used = m > 0
        rate = ratio(c, m)
        residual = np.maximum(cc - 2 * rate * cm + rate**2 * mm, 0)
        variance = ratio(informative, informative - 1) * residual / np.where(used, m, np.nan) ** 2
        # At least the variance of independent inquiries, with one contradiction and one consistent answer added
        shy = (c + 1) / (m + 2)
        variance = np.fmax(variance, shy * (1 - shy) / np.maximum(m, 1))
        # A planned pair with too few informative dialogues leaves its bot undecided
        variance = np.where(targets > 0, np.where(informative >= THIN, variance, np.inf), 0.0)
        cells = np.maximum(used.sum(0), 1)
        now = variance.sum(0) / cells**2
        # A pair with few dialogues has the largest gain
        worth = np.where(np.isfinite(variance), variance, 1.0)
        self.gain = worth / np.maximum(size, 1)
        with np.errstate(invalid="ignore"):
            full = (variance * size / self._most).sum(0) / cells**2
            freedom = ratio(variance.sum(0) ** 2, np.nansum(ratio(variance**2, informative - 1), axis=0))
        return mean_of_cells(rate), now, full, np.where(np.isfinite(freedom), freedom, 1.0)
