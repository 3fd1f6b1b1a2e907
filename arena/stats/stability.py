"""How many dialogues per pair a ranking needs (AIH, section 5.3 and Figure 2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from arena.core.errors import InputError
from arena.stats.counts import Bools, Counts, Floats, Ints
from arena.stats.distributions import normal_quantile
from arena.stats.intervals import contradiction_rates, errors_of
from arena.stats.ranks import order, ranks

ROUNDS = 1000
SIZES = 400  # more sizes than this are thinned out
BLOCK = 8_000_000  # dialogues × rounds held at a time
WORK = 2_000_000_000  # beyond this many draws, there are fewer rounds
TIE = 1e-12  # sums of the same rates may differ by rounding


@dataclass(frozen=True, slots=True)
class Curve:
    """For each number of dialogues per pair: the share of draws with the reference ranking, and the mean Kendall
    τ between the draws and the reference.

    `same_clusters` is the share of draws that reverse no certain order of the full data. Bots that the data
    cannot distinguish may change places.
    """

    dialogues: tuple[int, ...]
    agreement: tuple[float, ...]
    kendall: tuple[float, ...]
    same_clusters: tuple[float, ...]

    def stable_at(self, share: float = 0.95) -> int | None:
        """The smallest number of dialogues from which on the share never falls below this level; None if there is
        no such number.
        """
        below = [i for i, value in enumerate(self.agreement) if value < share]
        first = below[-1] + 1 if below else 0
        return self.dialogues[first] if first < len(self.dialogues) else None


@dataclass(frozen=True, slots=True)
class Stability:
    reference: tuple[str, ...]
    given: bool  # whether the user gave the reference; else the full data's ranking
    clusters: tuple[tuple[str, ...], ...]  # neighbours that the full data cannot distinguish
    curve: Curve
    leave_one_out: dict[str, Curve]
    rounds: int
    notes: tuple[str, ...]


def stability(
    counts: Counts,
    reference: Sequence[str] | None = None,
    *,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> Stability:
    """Draw tournaments with replacement, up to half the size of the original. If a bot is left out, it is removed
    as a speaker too.

    Samples drawn without replacement, or of the full size, would share too many dialogues with the original
    data. They would then agree with the original ranking even if all bots were equal.
    """
    notes: list[str] = []
    cells = counts.cells()
    rates = contradiction_rates(cells)
    played = cells.dialogues > 0
    if not played.any() or np.isfinite(rates).sum() < 2:
        raise InputError(
            "A ranking needs two bots with judged inquiries; play or judge more dialogues first."
        )
    places = _reference(counts.bots, rates, reference)
    if reference is None:
        notes.append("The reference is the ranking of all the data, which is itself uncertain.")
        ranked = np.sort(rates[places])
        if np.any(np.diff(ranked) == 0):
            notes.append("Some bots have equal rates: the reference's order of them is arbitrary.")
    absent = [name for i, name in enumerate(counts.bots) if i not in places]
    if absent:
        notes.append(f"Left out of the ranking: {', '.join(absent)}.")
    least, most = int(cells.dialogues[played].min()), int(cells.dialogues.max())
    half = max(1, least // 2)
    notes.append(f"Draws go up to {half} dialogues per pair, half of the {least} that every pair has.")
    if least < most:
        notes.append(f"The pairs have {least} to {most} dialogues.")
    sizes = np.unique(np.linspace(1, half, min(half, SIZES)).round().astype(np.int64))
    width = int(played.sum()) * half
    if width * rounds > WORK:
        rounds = max(100, WORK // width)
        notes.append(f"{rounds} rounds, as the tournament is large.")
    leave = list(places) if len(places) > 2 else []
    sure = ranks(counts).below
    totals = np.zeros((1 + len(leave), 3, len(sizes)))
    rng = np.random.default_rng(seed)
    step = max(1, BLOCK // width)
    for start in range(0, rounds, step):
        some = min(step, rounds - start)
        sampled = _sampled_rates(counts, sizes, some, rng)
        totals += _agreements(sampled, places, leave, sure)
    curves = [Curve(tuple(sizes.tolist()), *(tuple((row / rounds).tolist()) for row in t)) for t in totals]
    return Stability(
        tuple(counts.bots[i] for i in places),
        reference is not None,
        _clusters(counts.bots, places, sure),
        curves[0],
        {counts.bots[bot]: curve for bot, curve in zip(leave, curves[1:], strict=True)},
        rounds,
        tuple(notes),
    )


def _clusters(bots: tuple[str, ...], places: Ints, sure: Bools) -> tuple[tuple[str, ...], ...]:
    """Cut the reference ranking at each place where all bots before are surely below all bots after."""
    parts: list[list[str]] = [[]]
    for k, bot in enumerate(places):
        if k and sure[np.ix_(places[:k], places[k:])].all():
            parts.append([])
        parts[-1].append(bots[bot])
    return tuple(tuple(part) for part in parts)


def _reference(bots: tuple[str, ...], rates: Floats, given: Sequence[str] | None) -> Ints:
    if given is None:
        return order(rates)[: int(np.isfinite(rates).sum())]
    names = [name for name in given if name.strip()]
    unknown = [name for name in names if name not in bots]
    if unknown:
        raise InputError(
            f"The reference ranking names {', '.join(unknown)}; the bots are {', '.join(bots)} (one per line)."
        )
    if len(set(names)) < len(names):
        raise InputError("The reference ranking names a bot twice; give each bot one line, best first.")
    if len(names) < 2:
        raise InputError("The reference ranking needs at least two bots, one per line, best first.")
    silent = [name for name in names if not np.isfinite(rates[bots.index(name)])]
    if silent:
        raise InputError(
            f"No judged inquiry of {', '.join(silent)}; take it out of the reference or judge more."
        )
    return np.array([bots.index(name) for name in names])


def _sampled_rates(counts: Counts, sizes: Ints, rounds: int, rng: np.random.Generator) -> Floats:
    """C_ij of each draw: rounds × sizes × speakers × tested.

    A draw of the largest size is made once; smaller sizes use its first dialogues.
    """
    n = len(counts.bots)
    cell = counts.cell()
    grouped = np.argsort(cell, kind="stable")
    starts = np.flatnonzero(np.diff(cell[grouped], prepend=-1))
    rates = np.full((rounds, len(sizes), n * n), np.nan)
    for members in np.split(grouped, starts[1:]):
        m, c = counts.inquiries[members], counts.contradictions[members]
        # both counts in one number, so that one draw and one sum serve both
        joint = ((m << 32) + c)[rng.integers(0, len(members), (rounds, sizes[-1]))]
        sums = np.cumsum(joint, axis=1)[:, sizes - 1]
        with np.errstate(invalid="ignore"):  # without inquiries, 0 / 0 is nan
            rates[:, :, cell[members[0]]] = (sums & 0xFFFFFFFF) / (sums >> 32)
    return rates.reshape(rounds, len(sizes), n, n)


def _agreements(rates: Floats, places: Ints, leave: Sequence[int], sure: Bools) -> Floats:
    """The agreements, summed over the rounds: (1 + bots left out) × (exact, Kendall, same clusters) × sizes."""
    known = np.isfinite(rates)
    rates = np.where(known, rates, 0.0)
    top, cells = rates.sum(2), known.sum(2)
    return np.array(
        [_agreement(top, cells, places, sure)]
        + [
            _agreement(top - rates[:, :, bot], cells - known[:, :, bot], places[places != bot], sure)
            for bot in leave
        ]
    )


def _agreement(top: Floats, cells: Ints, places: Ints, sure: Bools) -> tuple[Floats, Floats, Floats]:
    with np.errstate(invalid="ignore", divide="ignore"):
        means = (top[:, :, places] / cells[:, :, places]).transpose(2, 0, 1).copy()
    exact = np.all(means[1:] > means[:-1] + TIE, axis=0)
    size = len(places)
    score = np.zeros(means.shape[1:])
    agreeing = np.ones(means.shape[1:], bool)
    for a in range(size - 1):  # nan is neither above nor below
        above, under = means[a + 1 :] > means[a] + TIE, means[a + 1 :] < means[a] - TIE
        score += np.sum(above, axis=0, dtype=np.int16)
        score -= np.sum(under, axis=0, dtype=np.int16)
        behind = places[a + 1 :]
        agreeing &= ~(~above & sure[places[a], behind][:, None, None]).any(0)
        agreeing &= ~(~under & sure[behind, places[a]][:, None, None]).any(0)
    return exact.sum(0).astype(float), (score / (size * (size - 1) / 2)).sum(0), agreeing.sum(0).astype(float)


@dataclass(frozen=True, slots=True)
class Separation:
    """The number of dialogues per pair at which the intervals of two bots would separate, if their estimated
    rates were true.

    `low` and `high` reflect the uncertainty of the difference. `high` is infinite if the difference may be
    zero.
    """

    better: str
    worse: str
    difference: float
    have: float
    need: float
    low: float
    high: float

    @property
    def more(self) -> float:
        return max(0.0, self.need - self.have)


def separation(counts: Counts, first: int, second: int, *, level: float = 0.95) -> Separation:
    """Extrapolate the errors, which shrink with the square root of the number of dialogues."""
    cells = counts.cells()
    rates, errors = contradiction_rates(cells), errors_of(cells)
    a, b = (first, second) if rates[first] <= rates[second] else (second, first)
    gap = float(rates[b] - rates[a])
    played = cells.dialogues[:, [a, b]]
    have = float(played[played > 0].mean()) if (played > 0).any() else 0.0
    z = float(normal_quantile((1 + level) / 2))
    # The intervals separate when gap·√n exceeds this
    reach = z * float(errors[a] + errors[b]) * np.sqrt(have)
    noise = z * float(np.hypot(errors[a], errors[b]))

    def needed(difference: float) -> float:
        return (
            float(np.ceil((reach / difference) ** 2))
            if difference > 0 and np.isfinite(reach)
            else float("inf")
        )

    return Separation(
        counts.bots[a], counts.bots[b], gap, have, needed(gap), needed(gap + noise), needed(gap - noise)
    )


def neighbours(counts: Counts) -> tuple[Separation, ...]:
    """The separation of each bot from the next bot in the ranking."""
    rates = contradiction_rates(counts.cells())
    ranked = order(rates)[: int(np.isfinite(rates).sum())]
    return tuple(separation(counts, int(a), int(b)) for a, b in pairwise(ranked))
