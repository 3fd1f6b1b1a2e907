"""Computes the leaderboard: rates, intervals, ranks, and the figures shown with them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from arena.stats.counts import (
    FEW,
    HEADLINE,
    Bools,
    Cells,
    Counts,
    Floats,
    Inquiries,
    Ints,
    Kinds,
    mean_of_cells,
    ratio,
)
from arena.stats.distributions import exact_binomial, student_quantile
from arena.stats.errors import LEAST, Rates
from arena.stats.intervals import (
    LEVEL,
    ROUNDS,
    Method,
    Weighting,
    contradiction_rates,
    intervals,
    wilson,
)
from arena.stats.notes import notes
from arena.stats.ranks import order, ranks
from arena.stats.standings import Cell, Group, Leaderboard, Standing

K = TypeVar("K")

EVASIVE_LIMIT = 0.30  # above this share of evasive or irrelevant answers, a low rate means little
MORE_EVASIVE = 0.05  # a bot that evades this much more must be better among its other answers
ENOUGH_DIALOGUES = 10  # distinct dialogues with judged inquiries that a bot needs for a rank
ENOUGH_LABELS = 20  # randomly drawn labels needed before irrelevance counts against a bot


def leaderboard(
    data: Inquiries,
    tau: float,
    *,
    kind: Kinds = HEADLINE,
    distance: int | None = 0,
    level: float = LEVEL,
    method: Method | None = None,
    weighting: Weighting = Weighting.MACRO,
    rounds: int = ROUNDS,
    seed: int = 0,
) -> Leaderboard:
    """Compute the leaderboard from the inquiries, as judged by one judge at one τ."""
    mask = data.where(kind, distance)
    counts = data.counts(tau, mask)
    cells = counts.cells()
    interval = intervals(counts, method=method, level=level, rounds=rounds, seed=seed, weighting=weighting)
    rates = Rates(counts)
    evasion, relevant = _means(data, data.evasive, mask), _means(data, data.relevant, mask)
    among, bounds = _beyond_evasion(data, tau, mask, cells)
    enough = enough_data(rates, cells)
    comparable = ~(evasion > EVASIVE_LIMIT) & ~_irrelevant(data, mask, level)
    eligible = enough & comparable & np.isfinite(interval.rate)
    barred = _by_evasion(data, tau, mask, evasion, eligible, level)
    ranked = ranks(counts, eligible, barred=barred, level=level)
    pooled, induced = contradiction_rates(cells, Weighting.INQUIRIES), mean_of_cells(cells.rates(), axis=1)
    unjudged = _unjudged(data, mask)
    groups = _all_groups(data, tau, kind, distance, mask)
    asked = np.bincount(data.tested[mask], minlength=len(data.bots))
    distinct = _distinct(counts)
    standings = []
    for j in _order(interval.rate, ranked.rank):
        tied = ranked.rank[j] > 0 and int(np.sum(ranked.rank == ranked.rank[j])) > 1
        standings.append(
            Standing(
                bot=data.bots[j],
                rank=int(ranked.rank[j]),
                rank_low=int(ranked.low[j]),
                rank_high=int(ranked.high[j]),
                tied=bool(tied),
                enough=bool(enough[j]),
                comparable=bool(comparable[j]),
                rate=float(interval.rate[j]),
                low=float(interval.low[j]),
                high=float(interval.high[j]),
                pooled_rate=float(pooled[j]),
                induced_rate=float(induced[j]),
                inquiries=int(cells.inquiries[:, j].sum()),
                contradictions=int(cells.contradictions[:, j].sum()),
                dialogues=int(cells.dialogues[:, j].sum()),
                distinct_dialogues=int(distinct[j]),
                failed_dialogues=data.failed[j] if data.failed else 0,
                replies=int(cells.dialogues[:, j].sum()) * data.turns
                - (data.unsaid[j] if data.unsaid else 0),
                asked=int(asked[j]),
                evasion_rate=float(evasion[j]),
                non_evasive_rate=float(among[j]),
                bounds=(float(bounds[0][j]), float(bounds[1][j])),
                relevant_rate=float(relevant[j]),
                unjudged=unjudged[j],
                by_kind=groups[0][j],
                by_distance=groups[1][j],
                by_entity_type=groups[2][j],
                not_asked_with=_lacking(rates, cells, int(j)),
            )
        )
    openers, personas = counts.opener_number, counts.persona_number
    return Leaderboard(
        tuple(standings),
        matrix(cells, level),
        tau,
        level,
        interval.method,
        weighting,
        notes(data, cells, interval, standings, kind, distance),
        ranked.differences,
        openers,
        personas,
        scope(openers, personas),
    )


def scope(openers: int, personas: int = 0) -> str:
    """Say what the intervals generalise to. Opponents count as fixed; so do openers or drawn personas if there
    are few.
    """
    known = [(name, n) for name, n in (("opener", openers), ("persona", personas)) if n]
    if not known:
        return "Against these opponents."
    parts = [f"{name}s like these" if n >= FEW else _these(name, n) for name, n in known]
    sentence = f"For {' and '.join(parts)}, against these opponents"
    fixed = any(n < FEW for _, n in known)
    return f"{sentence}; others may give other rates." if fixed else f"{sentence}."


def _these(name: str, number: int) -> str:
    return f"this {name}" if number == 1 else f"these {number} {name}s"


def matrix(cells: Cells, level: float = LEVEL) -> dict[str, dict[str, Cell]]:
    """The pairs that were played, each with the linearised interval of its rate."""
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


def enough_data(rates: Rates, cells: Cells) -> Bools:
    """Whether each bot has enough data: at least 10 distinct informative dialogues, two per informative pair, and
    most pairs informative.
    """
    distinct = np.where(rates.used, rates.distinct, 0.0).sum(0)
    played = (cells.dialogues > 0).sum(0)
    measured = (rates.clusters >= LEAST).sum(0)
    lone = (rates.used & (rates.clusters < LEAST)).any(0)
    return np.asarray((distinct >= ENOUGH_DIALOGUES) & (2 * measured >= played) & ~lone & rates.used.any(0))


def _lacking(rates: Rates, cells: Cells, bot: int) -> tuple[str, ...]:
    """The speakers whose dialogues with the bot contain too few inquiries for a comparison."""
    missing = (cells.dialogues[:, bot] > 0) & (rates.clusters[:, bot] < LEAST)
    return tuple(rates.bots[i] for i in np.flatnonzero(missing))


def _order(rates: Floats, rank: Ints) -> Ints:
    """The order in which every view shows the bots: by rank, then by rate, with bots without a rank last."""
    by_rate = order(rates)
    place = np.where(rank[by_rate] > 0, rank[by_rate], np.iinfo(rank.dtype).max)
    return np.asarray(by_rate[np.argsort(place, kind="stable")])


def _distinct(counts: Counts) -> Ints:
    """The number of dialogues of each bot under test. Copies within a pair count once."""
    n = len(counts.bots)
    if not len(counts.copies):
        return np.bincount(counts.tested, minlength=n)
    _, first = np.unique(counts.copies, return_index=True)
    return np.bincount(counts.tested[first], minlength=n)


def _beyond_evasion(
    data: Inquiries, tau: float, mask: Bools, cells: Cells
) -> tuple[Floats, tuple[Floats, Floats]]:
    """The rate among non-evasive answers, and two bounds. The lower bound counts no evasion as a contradiction,
    the upper bound counts every evasion.
    """
    nothing = np.full(len(data.bots), np.nan)
    known = mask & np.isfinite(data.evasive) & np.isfinite(data.score)
    if not known.any():
        return nothing, (nothing, nothing)
    evading = known & (data.evasive > 0)
    open_ = data.counts(tau, mask & ~evading).cells()
    evaded = cells.inquiries - open_.inquiries
    # These rates are missing if the judge does not recognise evasions
    has = np.bincount(data.tested[known], minlength=len(data.bots)) > 0
    low = mean_of_cells(ratio(open_.contradictions, cells.inquiries))
    high = mean_of_cells(ratio(open_.contradictions + evaded, cells.inquiries))
    among = contradiction_rates(open_)
    return np.where(has, among, np.nan), (np.where(has, low, np.nan), np.where(has, high, np.nan))


def _by_evasion(
    data: Inquiries, tau: float, mask: Bools, evasion: Floats, eligible: Bools, level: float
) -> Bools | None:
    """Return a matrix that is true at [a, b] if a evades more than b and is not surely better among non-evasive
    answers.
    """
    with np.errstate(invalid="ignore"):
        more = evasion[:, None] - evasion[None, :] > MORE_EVASIVE
    if not more[np.ix_(eligible, eligible)].any():
        return None
    open_ = data.counts(tau, mask & ~(data.evasive > 0))
    return np.asarray(more & ~ranks(open_, eligible, level=level).below)


def _irrelevant(data: Inquiries, mask: Bools, level: float) -> Bools:
    """The bots whose share of irrelevant answers is surely above the limit, judged by labels that were drawn at
    random.
    """
    relevant = data.relevant if data.relevant_drawn is None else data.relevant_drawn
    n = len(data.bots)
    known = np.isfinite(relevant) & mask
    labels = np.bincount(data.tested[known], minlength=n).astype(float)
    share = ratio(np.bincount(data.tested[known], 1 - relevant[known], n), labels)
    variance = share * (1 - share) / np.maximum(labels, 1)
    with np.errstate(invalid="ignore"):
        low, _ = wilson(share, variance, np.maximum(labels - 1, 1), level)
    low = np.where(share == 1, (1 - level) ** (1 / np.maximum(labels, 1)), low)
    return np.asarray((labels >= ENOUGH_LABELS) & (np.nan_to_num(low) > EVASIVE_LIMIT))


def _all_groups(
    data: Inquiries, tau: float, kind: Kinds, distance: int | None, mask: Bools
) -> tuple[list[dict[str, Group]], list[dict[int, Group]], list[dict[str, Group]]]:
    """Rates by kind, by distance and by entity type."""
    kinds = _groups(data, tau, data.kind, data.kinds, data.where(None, distance))
    at = data.where(kind, None)
    distances = sorted({int(d) for d in np.unique(data.distance[at])})
    codes = np.searchsorted(distances, data.distance) if distances else data.distance
    by_distance = _groups(data, tau, codes, distances, at & np.isin(data.distance, distances))
    return kinds, by_distance, _groups(data, tau, data.entity_type, data.entity_types, mask)


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
    """For each bot, the rate C_j within each group that occurs."""
    n = len(data.bots)
    result: list[dict[K, Group]] = [{} for _ in range(n)]
    for code, name in enumerate(names):
        chosen = mask & (codes == code)
        if not chosen.any():
            continue
        cells = data.counts(tau, chosen).cells()
        rate = contradiction_rates(cells)
        asked, contradictions = cells.inquiries.sum(0), cells.contradictions.sum(0)
        for j in range(n):
            if asked[j]:
                result[j][name] = Group(float(rate[j]), int(asked[j]), int(contradictions[j]))
    return result
