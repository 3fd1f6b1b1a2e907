"""Is a bot of one release really better than its namesake of another?

Only pairs whose speaker is the very same bot in both releases count: a bot also changes its rate when its
partners change. Dialogues with the same opener and seed are compared with each other, the others as
independent samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from arena.stats.counts import Counts, Floats, Ints, ratio
from arena.stats.distributions import exact_binomial
from arena.stats.intervals import drawn_sums, rates_of
from arena.stats.ranks import places
from arena.stats.sequential import holm

MARGIN = 0.03
LEVEL = 0.95
ROUNDS = 4000


class Verdict(StrEnum):
    """Of B against A: contradicts itself less, more, as often within the margin, or nobody can tell."""

    BETTER = "better"
    WORSE = "worse"
    SAME = "same"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Setting:
    """What must be equal before two releases may be compared."""

    judge: str
    revision: str
    inquirer: str
    turns: frozenset[int]
    openers: frozenset[str]
    tau: float = 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Release:
    """One side: its counts, its bots' identities, and a code a dialogue that equal openers and seeds share."""

    name: str
    counts: Counts
    identities: tuple[str, ...]
    unit: Ints
    setting: Setting


@dataclass(frozen=True, slots=True)
class Change:
    """One bot's change from A to B over the pairs that count."""

    bot: str
    rate_a: float
    rate_b: float
    delta: float
    low: float
    high: float
    p_value: float  # permutation test, Holm over the bots
    verdict: Verdict
    rank_a: int
    rank_b: int
    speakers: tuple[str, ...]
    paired: int  # dialogues compared with their twin
    unpaired: int
    self_pair: SelfPair | None = None


@dataclass(frozen=True, slots=True)
class SelfPair:
    """The bot talking with itself: both seats changed, so it is shown and not judged."""

    rate_a: float
    rate_b: float
    delta: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Comparison:
    a: str
    b: str
    comparable: bool
    reasons: tuple[str, ...]
    changes: tuple[Change, ...]
    only_a: tuple[str, ...] = ()
    only_b: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default_factory=tuple)

    @property
    def regressed(self) -> tuple[str, ...]:
        return tuple(c.bot for c in self.changes if c.verdict is Verdict.WORSE)


def compare(
    a: Release,
    b: Release,
    *,
    margin: float = MARGIN,
    level: float = LEVEL,
    rounds: int = ROUNDS,
    seed: int = 0,
    force: bool = False,
) -> Comparison:
    """Every bot that both releases have; nothing but the reasons where they cannot be compared and `force` is off."""
    reasons = list(obstacles(a.setting, b.setting))
    shared = [name for name in a.counts.bots if name in b.counts.bots]
    speakers = {name: _speakers(a, b, name) for name in shared}
    if not shared:
        reasons.append("no bot name occurs in both")
    elif not any(speakers.values()):
        reasons.append("no pair is left whose speaker is the same bot (by identity) in both")
    only_a = tuple(name for name in a.counts.bots if name not in shared)
    only_b = tuple(name for name in b.counts.bots if name not in shared)
    if reasons and not force:
        return Comparison(a.name, b.name, False, tuple(reasons), (), only_a, only_b)
    rng = np.random.default_rng(seed)
    measured = [_measure(a, b, name, speakers[name], rng, rounds, level) for name in shared]
    tested = [k for k, m in enumerate(measured) if np.isfinite(m.p_value)]
    adjusted = np.full(len(measured), np.nan)
    if tested:
        adjusted[tested] = holm(np.array([measured[k].p_value for k in tested]))
    ranks_a, ranks_b = _places(a, shared), _places(b, shared)
    changes = tuple(
        Change(
            name,
            m.rate_a,
            m.rate_b,
            m.delta,
            m.low,
            m.high,
            float(p),
            verdict(m.delta, m.low, m.high, float(p), margin, 1 - level),
            ranks_a[name],
            ranks_b[name],
            tuple(speakers[name]),
            m.paired,
            m.unpaired,
            _self_pair(a, b, name, rng, rounds, level),
        )
        for name, m, p in zip(shared, measured, adjusted, strict=True)
    )
    notes = tuple(
        f"{name}: no speaker is the same bot in both releases." for name in shared if not speakers[name]
    )
    return Comparison(a.name, b.name, not reasons, tuple(reasons), changes, only_a, only_b, notes)


def obstacles(a: Setting, b: Setting) -> list[str]:
    """Why two settings do not compare, in words."""
    found = []
    if a.judge != b.judge:
        found.append(f"the judges differ ({a.judge}, {b.judge})")
    elif a.revision != b.revision:
        found.append(f"the revisions of judge {a.judge} differ ({a.revision[:12]}, {b.revision[:12]})")
    if a.tau != b.tau:
        found.append(f"the thresholds differ ({a.tau:g}, {b.tau:g}): give one with --tau")
    if a.inquirer != b.inquirer:
        found.append("the inquirers differ")
    if a.turns != b.turns:
        found.append(f"the numbers of turns differ ({_list(a.turns)}; {_list(b.turns)})")
    if a.openers != b.openers:
        found.append("the openers differ")
    return found


def verdict(delta: float, low: float, high: float, p_value: float, margin: float, alpha: float) -> Verdict:
    """`same` first: a difference that is sure but within the margin is no change that matters."""
    if not (np.isfinite(delta) and np.isfinite(low) and np.isfinite(high)):
        return Verdict.UNCLEAR
    if -margin < low and high < margin:
        return Verdict.SAME
    if p_value <= alpha and (low > 0 or high < 0):
        return Verdict.BETTER if delta < 0 else Verdict.WORSE
    return Verdict.UNCLEAR


def _list(turns: frozenset[int]) -> str:
    return ", ".join(str(t) for t in sorted(turns))


def _speakers(a: Release, b: Release, tested: str) -> list[str]:
    """Speakers with one identity in both releases and judged inquiries of `tested` in both, itself not among them."""
    rates_a, rates_b = a.counts.cells().inquiries, b.counts.cells().inquiries
    j, k = a.counts.bots.index(tested), b.counts.bots.index(tested)
    found = []
    for i, name in enumerate(a.counts.bots):
        if name == tested or name not in b.counts.bots:
            continue
        o = b.counts.bots.index(name)
        if a.identities[i] == b.identities[o] and rates_a[i, j] > 0 and rates_b[o, k] > 0:
            found.append(name)
    return found


def _places(release: Release, shared: Sequence[str]) -> dict[str, int]:
    """Ranks among the shared bots by point estimate over the whole release."""
    rates = rates_of(release.counts.cells())
    ranked = places(np.array([rates[release.counts.bots.index(name)] for name in shared]))
    return {name: int(rank) for name, rank in zip(shared, ranked, strict=True)}


@dataclass(frozen=True, slots=True)
class _Measured:
    rate_a: float
    rate_b: float
    delta: float
    low: float
    high: float
    p_value: float
    paired: int
    unpaired: int


_NOTHING = _Measured(*(float("nan"),) * 6, 0, 0)


@dataclass(frozen=True, slots=True, eq=False)
class _Cell:
    """One pair in both releases: twins (n × 4: m_a, c_a, m_b, c_b), and what has no twin (n × 2: m, c)."""

    twins: Floats
    lone_a: Floats
    lone_b: Floats

    def sums(self) -> Floats:
        side_a = self.twins[:, :2].sum(0) + self.lone_a.sum(0)
        return np.concatenate([side_a, self.twins[:, 2:].sum(0) + self.lone_b.sum(0)])


def _cell(a: Release, b: Release, speaker: str, tested: str) -> _Cell:
    sides = []
    for side in (a, b):
        i, j = side.counts.bots.index(speaker), side.counts.bots.index(tested)
        at = np.flatnonzero((side.counts.speaker == i) & (side.counts.tested == j))
        values = np.stack([side.counts.inquiries[at], side.counts.contradictions[at]], axis=1).astype(float)
        sides.append((side.unit[at], values))
    (unit_a, values_a), (unit_b, values_b) = sides
    _, first, second = np.intersect1d(unit_a, unit_b, return_indices=True)
    rest_a = np.setdiff1d(np.arange(len(unit_a)), first)
    rest_b = np.setdiff1d(np.arange(len(unit_b)), second)
    return _Cell(np.hstack([values_a[first], values_b[second]]), values_a[rest_a], values_b[rest_b])


def _measure(
    a: Release,
    b: Release,
    tested: str,
    speakers: Sequence[str],
    rng: np.random.Generator,
    rounds: int,
    level: float,
) -> _Measured:
    cells = [_cell(a, b, speaker, tested) for speaker in speakers]
    if not cells:
        return _NOTHING
    rate_a, rate_b = _means(np.array([cell.sums() for cell in cells])[:, None, :])
    delta = float((rate_b - rate_a)[0])
    swapped = np.stack([_permuted(cell, rng, rounds) for cell in cells])
    low, high = _interval(cells, rng, rounds, level)
    shuffled = np.subtract(*_means(swapped)[::-1])
    valid = shuffled[np.isfinite(shuffled)]
    p_value = (1 + np.sum(np.abs(valid) >= abs(delta) - 1e-12)) / (1 + len(valid))
    return _Measured(
        float(rate_a[0]),
        float(rate_b[0]),
        delta,
        min(low, delta),
        max(high, delta),
        float(p_value),
        sum(len(cell.twins) for cell in cells),
        sum(len(cell.lone_a) + len(cell.lone_b) for cell in cells),
    )


def _interval(
    cells: Sequence[_Cell], rng: np.random.Generator, rounds: int, level: float
) -> tuple[float, float]:
    """Percentile bootstrap of the difference; dialogues are drawn whole, twins together."""
    if any(len(cell.twins) + min(len(cell.lone_a), len(cell.lone_b)) < 2 for cell in cells):
        return float("nan"), float("nan")
    rates_a, rates_b = _means(np.stack([_resampled(cell, rng, rounds) for cell in cells]))
    drawn = rates_b - rates_a
    valid = np.isfinite(drawn)
    if valid.sum() < rounds / 2:
        return float("nan"), float("nan")
    tails = [(1 - level) / 2, (1 + level) / 2]
    low, high = np.quantile(drawn[valid], tails)
    if np.ptp(rates_a[valid]) > 0 and np.ptp(rates_b[valid]) > 0:
        return float(low), float(high)
    return _blind(cells, (rates_a[valid], rates_b[valid]), level)


def _blind(cells: Sequence[_Cell], drawn: tuple[Floats, Floats], level: float) -> tuple[float, float]:
    """Where a side showed no spread: its exact interval, a dialogue as one trial, joined to the other's (MOVER)."""
    tail = (1 - level) / 2
    sides = []
    for rates, at in zip(drawn, (0, 2), strict=True):
        rate = float(rates.mean())
        low, high = (float(q) for q in np.quantile(rates, [tail, 1 - tail]))
        if np.ptp(rates) == 0:
            lone = [cell.lone_a if at == 0 else cell.lone_b for cell in cells]
            told = [
                int((c.twins[:, at] > 0).sum() + (o[:, 0] > 0).sum())
                for c, o in zip(cells, lone, strict=True)
            ]
            trials = min(told) * len(told)
            low, high = (float(bound) for bound in exact_binomial(rate * trials, trials, level))
        sides.append((rate, rate - low, high - rate))
    (a, below_a, above_a), (b, below_b, above_b) = sides
    return b - a - float(np.hypot(below_b, above_a)), b - a + float(np.hypot(above_b, below_a))


def _means(sums: Floats) -> tuple[Floats, Floats]:
    """Mean rates over the cells (cells × rounds × (m_a, c_a, m_b, c_b)); a cell without inquiries is left out."""
    rates_a, rates_b = ratio(sums[..., 1], sums[..., 0]), ratio(sums[..., 3], sums[..., 2])
    both = np.isfinite(rates_a) & np.isfinite(rates_b)
    return (
        ratio(np.where(both, rates_a, 0).sum(0), both.sum(0)),
        ratio(np.where(both, rates_b, 0).sum(0), both.sum(0)),
    )


def _permuted(cell: _Cell, rng: np.random.Generator, rounds: int) -> Floats:
    """Sums after twins swapped releases at random and lone dialogues were dealt out anew (rounds × 4)."""
    swap = rng.integers(0, 2, (rounds, len(cell.twins))).astype(float)
    first, second = cell.twins[:, :2], cell.twins[:, 2:]
    moved = swap @ (second - first)
    sums_a, sums_b = first.sum(0) + moved, second.sum(0) - moved
    lone = np.concatenate([cell.lone_a, cell.lone_b])
    if len(cell.lone_a) and len(cell.lone_b):
        kinds, often = np.unique(lone, axis=0, return_counts=True)
        dealt = rng.multivariate_hypergeometric(often, len(cell.lone_a), rounds, method="marginals") @ kinds
        sums_a, sums_b = sums_a + dealt, sums_b + lone.sum(0) - dealt
    else:
        sums_a, sums_b = sums_a + cell.lone_a.sum(0), sums_b + cell.lone_b.sum(0)
    return np.hstack([sums_a, sums_b])


def _resampled(cell: _Cell, rng: np.random.Generator, rounds: int) -> Floats:
    twins = _drawn(cell.twins, rng, rounds)
    return twins + np.hstack([_drawn(cell.lone_a, rng, rounds), _drawn(cell.lone_b, rng, rounds)])


def _drawn(values: Floats, rng: np.random.Generator, rounds: int) -> Floats:
    """Sums over n − 1 of n rows drawn with replacement, scaled to n."""
    n = len(values)
    if n < 2:
        return np.broadcast_to(values.sum(0), (rounds, values.shape[1]))
    distinct, often = np.unique(values, axis=0, return_counts=True)
    return drawn_sums(distinct, often.astype(float), rng, rounds) * (n / (n - 1))


def _self_pair(
    a: Release, b: Release, name: str, rng: np.random.Generator, rounds: int, level: float
) -> SelfPair | None:
    cell = _cell(a, b, name, name)
    rate_a, rate_b = _means(cell.sums()[None, None, :])
    if not np.isfinite(rate_a[0]):
        return None
    low, high = _interval([cell], rng, rounds, level)
    delta = float(rate_b[0] - rate_a[0])
    return SelfPair(float(rate_a[0]), float(rate_b[0]), delta, low, high)
