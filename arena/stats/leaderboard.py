"""The leaderboard as facts: rates, intervals, ranks, and what stands beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from arena.stats.counts import Bools, Cells, Floats, Inquiries, Ints, mean_of_cells, ratio
from arena.stats.distributions import exact_binomial, student_quantile
from arena.stats.intervals import LEVEL, ROUNDS, Interval, Method, Weighting, intervals, rates_of
from arena.stats.ranks import order, ranks

K = TypeVar("K")

EVASIVE_LIMIT = 0.30  # more evasive or irrelevant answers than this, and a low rate means little
ENOUGH_DIALOGUES = 10  # with judged inquiries, before a bot is ranked without a warning


@dataclass(frozen=True, slots=True)
class Group:
    """A rate of its own: one kind, one distance, one entity type."""

    rate: float
    inquiries: int
    contradictions: int


@dataclass(frozen=True, slots=True)
class Standing:
    """One bot's line. Rates are nan and ranks 0 where nothing was judged."""

    bot: str
    rank: int
    rank_low: int
    rank_high: int
    tied: bool
    enough: bool
    rate: float
    low: float
    high: float
    pooled_rate: float  # every inquiry weighs the same
    induced_rate: float  # mean rate of the bots it spoke with (AIH's row average)
    inquiries: int
    contradictions: int
    dialogues: int
    evasion_rate: float
    relevant_rate: float
    unjudged: Mapping[str, int]
    by_kind: Mapping[str, Group]
    by_distance: Mapping[int, Group]
    by_entity_type: Mapping[str, Group]

    @property
    def inquiries_per_dialogue(self) -> float:
        return self.inquiries / self.dialogues if self.dialogues else float("nan")

    @property
    def contradictions_per_dialogue(self) -> float:
        return self.contradictions / self.dialogues if self.dialogues else float("nan")

    @property
    def comparable(self) -> bool:
        """A bot that evades does not win: nan (unknown) passes."""
        return not (self.evasion_rate > EVASIVE_LIMIT or 1 - self.relevant_rate > EVASIVE_LIMIT)


@dataclass(frozen=True, slots=True)
class Cell:
    rate: float
    low: float
    high: float
    inquiries: int
    contradictions: int
    dialogues: int


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """Best first. `matrix[speaker][tested]` holds the pairs that were played."""

    standings: tuple[Standing, ...]
    matrix: Mapping[str, Mapping[str, Cell]]
    tau: float
    level: float
    method: Method
    weighting: Weighting
    warnings: tuple[str, ...]

    @property
    def order(self) -> tuple[str, ...]:
        return tuple(s.bot for s in self.standings)

    @property
    def enough(self) -> bool:
        return all(s.enough for s in self.standings)


def leaderboard(
    data: Inquiries,
    tau: float,
    *,
    kind: str | None = "wh",
    distance: int | None = 0,
    level: float = LEVEL,
    method: Method | None = None,
    weighting: Weighting = Weighting.MACRO,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> Leaderboard:
    """Everything from the inquiries of one judge at one τ."""
    mask = data.where(kind, distance)
    counts = data.counts(tau, mask)
    cells = counts.cells()
    interval = intervals(counts, method=method, level=level, rounds=rounds, seed=seed, weighting=weighting)
    ranked = ranks(interval.low, interval.high)
    pooled, induced = rates_of(cells, Weighting.INQUIRIES), mean_of_cells(cells.rates(), axis=1)
    enough = enough_data(cells)
    evasion, relevant = _means(data, data.evasive, mask), _means(data, data.relevant, mask)
    unjudged = _unjudged(data, mask)
    kinds = _groups(data, tau, data.kind, data.kinds, data.where(None, distance))
    at = data.where(kind, None)
    distances = sorted({int(d) for d in np.unique(data.distance[at])})
    codes = np.searchsorted(distances, data.distance) if distances else data.distance
    by_distance = _groups(data, tau, codes, distances, at & np.isin(data.distance, distances))
    by_type = _groups(data, tau, data.entity_type, data.entity_types, mask)
    standings = []
    for j in order(interval.rate):
        known = bool(np.isfinite(interval.rate[j]))
        standings.append(
            Standing(
                bot=data.bots[j],
                rank=int(ranked.rank[j]),
                rank_low=int(ranked.low[j]),
                rank_high=int(ranked.high[j]),
                tied=known and int(np.sum(ranked.rank == ranked.rank[j])) > 1,
                enough=bool(enough[j]),
                rate=float(interval.rate[j]),
                low=float(interval.low[j]),
                high=float(interval.high[j]),
                pooled_rate=float(pooled[j]),
                induced_rate=float(induced[j]),
                inquiries=int(cells.inquiries[:, j].sum()),
                contradictions=int(cells.contradictions[:, j].sum()),
                dialogues=int(cells.dialogues[:, j].sum()),
                evasion_rate=float(evasion[j]),
                relevant_rate=float(relevant[j]),
                unjudged=unjudged[j],
                by_kind=kinds[j],
                by_distance=by_distance[j],
                by_entity_type=by_type[j],
            )
        )
    return Leaderboard(
        tuple(standings),
        matrix(cells, level),
        tau,
        level,
        interval.method,
        weighting,
        _warnings(data, cells, interval, standings, kind, distance),
    )


def matrix(cells: Cells, level: float = LEVEL) -> dict[str, dict[str, Cell]]:
    """The pairs that were played, each with its linearised interval."""
    rates, variance = cells.rates(), cells.variances()
    freedom = np.maximum(cells.dialogues - 1, 1)
    inside = (rates > 0) & (rates < 1) & (variance > 0)
    p = np.where(inside, rates, 0.5)
    half = student_quantile((1 + level) / 2, freedom) * np.sqrt(np.where(inside, variance, 0)) / (p * (1 - p))
    centre = np.log(p / (1 - p))
    trials = np.maximum(cells.informative, 1)
    exact_low, exact_high = exact_binomial(np.nan_to_num(rates) * trials, trials, level)
    low = np.where(inside, 1 / (1 + np.exp(-(centre - half))), exact_low)
    high = np.where(inside, 1 / (1 + np.exp(-(centre + half))), exact_high)
    missing = ~np.isfinite(rates)
    low[missing] = high[missing] = np.nan
    return {
        speaker: {
            tested: Cell(
                float(rates[i, j]),
                float(low[i, j]),
                float(high[i, j]),
                int(cells.inquiries[i, j]),
                int(cells.contradictions[i, j]),
                int(cells.dialogues[i, j]),
            )
            for j, tested in enumerate(cells.bots)
            if cells.dialogues[i, j] > 0
        }
        for i, speaker in enumerate(cells.bots)
        if cells.dialogues[i].any()
    }


def enough_data(cells: Cells) -> Bools:
    """Bots with at least 10 dialogues that say something, two in each pair."""
    used = cells.inquiries > 0
    thin = used & (cells.informative < 2)
    return np.asarray((cells.informative.sum(0) >= ENOUGH_DIALOGUES) & ~thin.any(0) & used.any(0))


@dataclass(frozen=True, slots=True)
class Sweep:
    """Rates at each τ: `rates[bot]` beside `taus`; F1 and Pearson against labels where there are any."""

    taus: tuple[float, ...]
    rates: Mapping[str, tuple[float, ...]]
    f1: tuple[float, ...] | None = None
    pearson: tuple[float, ...] | None = None
    labelled: int = 0


TAUS = (0.05, 0.1, 0.15, *(round(0.2 + 0.1 * k, 2) for k in range(8)))


def sweep(
    data: Inquiries,
    taus: Sequence[float] = TAUS,
    *,
    kind: str | None = "wh",
    distance: int | None = 0,
    labels: ArrayLike | None = None,
) -> Sweep:
    """AIH's Table 7. `labels` are per inquiry: 1 contradicts, 0 does not, nan unlabelled or open."""
    from arena.stats import metrics

    mask = data.where(kind, distance)
    rates = np.array([rates_of(data.counts(tau, mask).cells()) for tau in taus])
    by_bot = {bot: tuple(rates[:, j].tolist()) for j, bot in enumerate(data.bots)}
    if labels is None:
        return Sweep(tuple(taus), by_bot)
    said = np.asarray(labels, float)
    both = np.isfinite(said) & np.isfinite(data.score) & mask
    if not both.any():
        return Sweep(tuple(taus), by_bot)
    y, s = said[both] > 0.5, data.score[both]
    return Sweep(
        tuple(taus),
        by_bot,
        tuple(metrics.f1(y, s, tau) for tau in taus),
        tuple(metrics.pearson(y, s > tau) for tau in taus),
        int(both.sum()),
    )


def by_distance(
    data: Inquiries, tau: float, *, kind: str | None = "wh", level: float = LEVEL
) -> dict[int, Interval]:
    """C_j with linearised intervals at each distance that was asked at."""
    found = {}
    for distance in np.unique(data.distance[data.where(kind, None)]):
        counts = data.counts(tau, data.where(kind, int(distance)))
        if counts.inquiries.any():
            found[int(distance)] = intervals(counts, method=Method.LINEARISED, level=level)
    return found


@dataclass(frozen=True, slots=True)
class Effort:
    """AIH's Table 4, a dialogue: seconds to create it, seconds to judge it, contradictions found."""

    seconds_to_create: float
    seconds_to_judge: float
    contradictions: float
    people_seconds_to_judge: float
    people_contradictions: float
    people_dialogues: int  # dialogues with a label


def effort(
    data: Inquiries,
    tau: float,
    created: ArrayLike,
    votes: ArrayLike,
    spent: ArrayLike,
    judging: float | None = None,
) -> Effort:
    """`created` are seconds a dialogue, `votes` and `spent` people's vote and seconds an inquiry (nan: none),
    `judging` the judge's seconds for all of them."""
    played, took, said = np.asarray(created, float), np.asarray(spent, float), np.asarray(votes, float)
    counts = data.counts(tau)
    labelled = np.isfinite(said) | np.isfinite(took)
    touched = np.unique(data.dialogue[labelled])
    number = len(touched)
    known = played[np.isfinite(played)]
    nan = float("nan")
    return Effort(
        float(known.mean()) if len(known) else nan,
        nan if judging is None or not len(counts) else judging / len(counts),
        float(counts.contradictions.mean()) if len(counts) else nan,
        float(np.nansum(took)) / number if number and np.isfinite(took).any() else nan,
        float(np.nansum(said)) / number if number else nan,
        number,
    )


def _means(data: Inquiries, flag: Floats, mask: Bools) -> Floats:
    known = np.isfinite(flag) & mask
    tested, n = data.dialogues.tested[data.dialogue[known]], len(data.bots)
    return ratio(np.bincount(tested, flag[known], n), np.bincount(tested, minlength=n))


def _unjudged(data: Inquiries, mask: Bools) -> list[dict[str, int]]:
    missing = (data.reason >= 0) & mask
    n, size = len(data.bots), max(len(data.reasons), 1)
    tested = data.dialogues.tested[data.dialogue[missing]]
    table = np.bincount(tested * size + data.reason[missing], minlength=n * size).reshape(n, size)
    return [{data.reasons[r]: int(row[r]) for r in np.flatnonzero(row)} for row in table]


def _groups(
    data: Inquiries, tau: float, codes: Ints, names: Sequence[K], mask: Bools
) -> list[dict[K, Group]]:
    """Per bot: C_j within each group that occurs."""
    n = len(data.bots)
    result: list[dict[K, Group]] = [{} for _ in range(n)]
    for code, name in enumerate(names):
        chosen = mask & (codes == code)
        if not chosen.any():
            continue
        cells = data.counts(tau, chosen).cells()
        rate = rates_of(cells)
        asked, found = cells.inquiries.sum(0), cells.contradictions.sum(0)
        for j in range(n):
            if asked[j]:
                result[j][name] = Group(float(rate[j]), int(asked[j]), int(found[j]))
    return result


def _warnings(
    data: Inquiries,
    cells: Cells,
    interval: Interval,
    standings: Sequence[Standing],
    kind: str | None,
    distance: int | None,
) -> tuple[str, ...]:
    said = []
    empty = [(i, j) for i, j in zip(*np.nonzero((cells.dialogues > 0) & (cells.inquiries == 0)), strict=True)]
    if len(data.dialogue) and not cells.inquiries.any():
        there = ", ".join(data.kinds[k] for k in np.unique(data.kind))
        wanted = " ".join(
            [f"of kind {kind}" if kind else "", f"at distance {distance}" if distance is not None else ""]
        ).strip()
        said.append(f"No judged inquiry {wanted}; asked were: {there}.")
    elif empty:
        shown = ", ".join(f"{data.bots[i]} → {data.bots[j]}" for i, j in empty[:5])
        more = f" and {len(empty) - 5} more" if len(empty) > 5 else ""
        said.append(f"Pairs without a judged inquiry are left out of the means: {shown}{more}.")
    thin = [s.bot for s in standings if not s.enough]
    if thin:
        said.append(f"Not enough data to rank: {', '.join(thin)}.")
    evasive = [s.bot for s in standings if not s.comparable]
    if evasive:
        said.append(f"Rate not comparable, over 30% evasive or irrelevant answers: {', '.join(evasive)}.")
    if interval.method is Method.LINEARISED:
        said.append("Intervals are linearised (cluster-robust): bootstrapping is for up to 1,000 pairs.")
    return tuple(said)
