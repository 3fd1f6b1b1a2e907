"""When to stop and what to play next, in plain loops: what `arena.stats.sequential` computes with arrays."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import NamedTuple

import pytest
from scipy import stats

from arena.stats.counts import Bools, Counts
from arena.stats.errors import THIN
from arena.stats.sequential import SHARE, SLOPE, StoppingPlan

Pairing = tuple[int, int]
Played = dict[tuple[int, int, int], tuple[int, int]]  # speaker, tested, number: inquiries, contradictions


class Cell(NamedTuple):
    """What the dialogues of one pair tell so far."""

    complete: bool
    rate: float
    spread: float
    full: float  # the spread when everything is played
    below: float  # the term of the degrees of freedom
    gain: float


class Estimate(NamedTuple):
    """A bot's rate, its variance now and when everything is played, and the degrees of freedom."""

    rate: float
    variance: float
    full: float
    freedom: float


def plain_decision(counts: Counts, pairs: Bools, plan: StoppingPlan) -> tuple[object, ...]:
    """The decision by the words of its module, one dialogue, pair and comparison at a time."""
    bots, played = range(len(counts.bots)), by_number(counts)
    targets = [[min(plan.opening, plan.dialogues) * int(pairs[i, j]) for j in bots] for i in bots]
    best = dict.fromkeys(itertools.permutations(bots, 2), 1.0)
    ends, looks = False, 0
    while True:
        cells = all_cells(played, targets, plan)
        ends |= not all(one.complete for one in cells.values())
        estimates = [estimate([cells[i, j] for i in bots if (i, j) in cells]) for j in bots]
        if not ends:
            looks += 1
            for a, b in best:
                best[a, b] = min(best[a, b], p_value(estimates[a], estimates[b]))
        adjusted = holm_adjusted(best)
        claims = {ab for ab, p in adjusted.items() if p <= 1 - plan.probability}
        order = sorted(bots, key=lambda j: rank_key(estimates[j]))
        neighbours = list(itertools.pairwise(order))
        chance = 1 - max(adjusted.get(ab, 1.0) for ab in neighbours)
        unsure = [pair for pair in neighbours if pair not in claims]
        wanted = next_cells(unsure, cells, targets, plan)
        if ends or not wanted:
            names = tuple(counts.bots[j] for j in order)
            settled = not ends and not unsure
            return targets, not ends, settled, pytest.approx(chance), names, claims, looks
        for i, j in wanted:
            targets[i][j] = min(targets[i][j] + plan.step, plan.dialogues)


def by_number(counts: Counts) -> Played:
    columns = (counts.speaker, counts.tested, counts.inquiries, counts.contradictions, counts.number)
    return {(int(i), int(j), int(k)): (int(m), int(c)) for i, j, m, c, k in zip(*columns, strict=True)}


def all_cells(played: Played, targets: list[list[int]], plan: StoppingPlan) -> dict[Pairing, Cell]:
    """Every pair that is to be played."""
    wanted = [(i, j, target) for i, row in enumerate(targets) for j, target in enumerate(row) if target]
    return {(i, j): cell(played, i, j, target, plan) for i, j, target in wanted}


def cell(played: Played, speaker: int, tested: int, target: int, plan: StoppingPlan) -> Cell:
    numbers = itertools.takewhile(lambda k: (speaker, tested, k) in played, range(target))
    dialogues = [played[speaker, tested, k] for k in numbers]
    inquiries, contradictions = (
        (sum(column) for column in zip(*dialogues, strict=True)) if dialogues else (0, 0)
    )
    size, asked = len(dialogues), sum(1 for m, _ in dialogues if m)
    spread = math.inf
    if asked >= THIN:
        residual = sum((c - contradictions / inquiries * m) ** 2 for m, c in dialogues)
        shy = (contradictions + 1) / (inquiries + 2)
        spread = max(asked / (asked - 1) * residual / inquiries**2, shy * (1 - shy) / inquiries)
    return Cell(
        complete=size == target,
        rate=contradictions / inquiries if inquiries else math.nan,
        spread=spread,
        full=spread * size / plan.dialogues,
        below=spread**2 / (asked - 1) if asked > 1 else math.inf,
        gain=(spread if math.isfinite(spread) else 1.0) / max(size, 1),
    )


def estimate(cells: Sequence[Cell]) -> Estimate:
    rates = [one.rate for one in cells if not math.isnan(one.rate)]
    if not rates:
        return Estimate(math.nan, 0.0, 0.0, 1.0)
    k, spread, below = len(rates), sum(one.spread for one in cells), sum(one.below for one in cells)
    freedom = spread**2 / below if math.isfinite(spread) else 1.0
    return Estimate(sum(rates) / k, spread / k**2, sum(one.full for one in cells) / k**2, freedom)


def p_value(below: Estimate, above: Estimate) -> float:
    """Chance that Brownian motion leaves the lines through the point where this comparison stands."""
    gap, variance = above.rate - below.rate, above.variance + below.variance
    if not gap > 0 or not 0 < variance < math.inf:
        return 1.0
    freedom = variance**2 / (above.variance**2 / above.freedom + below.variance**2 / below.freedom)
    time = min(1.0, (above.full + below.full) / variance)
    z = min(38.0, stats.norm.isf(stats.t.sf(gap / math.sqrt(variance), freedom)))
    scale = z * math.sqrt(time) / (1 + SLOPE * time)
    tail = stats.norm.sf(scale * (1 + SLOPE))
    return min(1.0, 2 * (tail + math.exp(-2 * SLOPE * scale**2) * stats.norm.cdf(scale * (SLOPE - 1))))


def rank_key(bot: Estimate) -> tuple[bool, float]:
    """Bots without a rate come last."""
    return (True, 0.0) if math.isnan(bot.rate) else (False, bot.rate)


def holm_adjusted(best: dict[Pairing, float]) -> dict[Pairing, float]:
    """The adjusted p-value of each order of two bots that the data do not speak against."""
    pairings = [(a, b) for a, b in best if a < b]
    ascending = sorted(pairings, key=lambda ab: min(best[ab], best[ab[::-1]]))
    adjusted, highest = {}, 0.0
    for place, (a, b) in enumerate(ascending):
        highest = min(1.0, max(highest, min(best[a, b], best[b, a]) * (len(pairings) - place)))
        adjusted.update({ab: highest for ab in ((a, b), (b, a)) if best[ab] <= best[ab[::-1]]})
    return adjusted


def next_cells(
    unsure: Sequence[Pairing], cells: dict[Pairing, Cell], targets: list[list[int]], plan: StoppingPlan
) -> set[Pairing]:
    """For every uncertain order, the pairs of its two bots that another dialogue helps most."""
    wanted = set()
    for pairing in unsure:
        room = [(i, j) for i, j in cells if j in pairing and targets[i][j] < plan.dialogues]
        worth = max((cells[ij].gain for ij in room), default=0.0)
        wanted |= {ij for ij in room if cells[ij].gain >= SHARE * worth}
    return wanted
