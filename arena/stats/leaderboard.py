"""The leaderboard as facts: rates, intervals, ranks, and what stands beside them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from arena.stats.counts import (
    FEW_OPENERS,
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
    Interval,
    Method,
    Weighting,
    contradiction_rates,
    intervals,
    wilson,
)
from arena.stats.ranks import order, ranks
from arena.stats.standings import Cell, Group, Leaderboard, Standing

K = TypeVar("K")

EVASIVE_LIMIT = 0.30  # more evasive or irrelevant answers than this, and a low rate means little
MORE_EVASIVE = 0.05  # a bot that evades so much more has to be better among its other answers, too
ENOUGH_DIALOGUES = 10  # distinct, with judged inquiries, before a bot is ranked
ENOUGH_LABELS = 20  # drawn by lot, before people's word on relevance counts against a bot


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
    """Everything from the inquiries of one judge at one τ."""
    mask = data.where(kind, distance)
    counts = data.counts(tau, mask)
    cells = counts.cells()
    interval = intervals(counts, method=method, level=level, rounds=rounds, seed=seed, weighting=weighting)
    found = Rates(counts)
    evasion, relevant = _means(data, data.evasive, mask), _means(data, data.relevant, mask)
    among, bounds = _beyond_evasion(data, tau, mask, cells)
    enough = enough_data(found, cells)
    comparable = ~(evasion > EVASIVE_LIMIT) & ~_irrelevant(data, mask, level)
    eligible = enough & comparable & np.isfinite(interval.rate)
    barred = _by_evasion(data, tau, mask, evasion, eligible, level)
    ranked = ranks(counts, eligible, barred=barred, level=level, seed=seed)
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
                replies=int(cells.dialogues[:, j].sum()) * data.turns,
                asked=int(asked[j]),
                evasion_rate=float(evasion[j]),
                non_evasive_rate=float(among[j]),
                bounds=(float(bounds[0][j]), float(bounds[1][j])),
                relevant_rate=float(relevant[j]),
                unjudged=unjudged[j],
                by_kind=groups[0][j],
                by_distance=groups[1][j],
                by_entity_type=groups[2][j],
                not_asked_with=_lacking(found, cells, int(j)),
            )
        )
    openers = counts.opener_number
    return Leaderboard(
        tuple(standings),
        matrix(cells, level),
        tau,
        level,
        interval.method,
        weighting,
        _notes(data, cells, interval, standings, kind, distance),
        ranked.differences,
        openers,
        scope(openers),
    )


def scope(openers: int) -> str:
    """What the intervals speak of: opponents are fixed, and so are openers where they are few."""
    if openers == 1:
        return "For this opener and against these opponents; another opener may give another rate."
    if 1 < openers < FEW_OPENERS:
        return f"For these {openers} openers and against these opponents; others may give other rates."
    if openers:
        return "For openers like these, against these opponents."
    return "Against these opponents."


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


def enough_data(found: Rates, cells: Cells) -> Bools:
    """At least 10 distinct dialogues that say something, two in each pair that does, and most pairs do."""
    told = np.where(found.used, found.distinct, 0.0).sum(0)
    played = (cells.dialogues > 0).sum(0)
    measured = (found.clusters >= LEAST).sum(0)
    lone = (found.used & (found.clusters < LEAST)).any(0)
    return np.asarray((told >= ENOUGH_DIALOGUES) & (2 * measured >= played) & ~lone & found.used.any(0))


def _lacking(found: Rates, cells: Cells, bot: int) -> tuple[str, ...]:
    """Speakers whose dialogues with the bot hold too few inquiries to compare it over."""
    missing = (cells.dialogues[:, bot] > 0) & (found.clusters[:, bot] < LEAST)
    return tuple(found.bots[i] for i in np.flatnonzero(missing))


def _order(rates: Floats, rank: Ints) -> Ints:
    """Ranked bots by their rates, then the others by theirs."""
    by_rate = order(rates)
    return np.concatenate([by_rate[rank[by_rate] > 0], by_rate[rank[by_rate] == 0]])


def _distinct(counts: Counts) -> Ints:
    """Dialogues of each bot under test, copies within a pair counted once."""
    n = len(counts.bots)
    if not len(counts.copies):
        return np.bincount(counts.tested, minlength=n)
    _, first = np.unique(counts.copies, return_index=True)
    return np.bincount(counts.tested[first], minlength=n)


def _beyond_evasion(
    data: Inquiries, tau: float, mask: Bools, cells: Cells
) -> tuple[Floats, tuple[Floats, Floats]]:
    """The rate among answers that do not evade, and the rates were no evasion or every evasion a contradiction."""
    nothing = np.full(len(data.bots), np.nan)
    known = mask & np.isfinite(data.evasive) & np.isfinite(data.score)
    if not known.any():
        return nothing, (nothing, nothing)
    evading = known & (data.evasive > 0)
    open_ = data.counts(tau, mask & ~evading).cells()
    evaded = cells.inquiries - open_.inquiries
    # A bot whose judge knows no evasion has no such rates
    has = np.bincount(data.tested[known], minlength=len(data.bots)) > 0
    low = mean_of_cells(ratio(open_.contradictions, cells.inquiries))
    high = mean_of_cells(ratio(open_.contradictions + evaded, cells.inquiries))
    among = contradiction_rates(open_)
    return np.where(has, among, np.nan), (np.where(has, low, np.nan), np.where(has, high, np.nan))


def _by_evasion(
    data: Inquiries, tau: float, mask: Bools, evasion: Floats, eligible: Bools, level: float
) -> Bools | None:
    """[a, b]: a evades more than b, and is not surely better among the answers that do not evade."""
    with np.errstate(invalid="ignore"):
        more = evasion[:, None] - evasion[None, :] > MORE_EVASIVE
    if not more[np.ix_(eligible, eligible)].any():
        return None
    open_ = data.counts(tau, mask & ~(data.evasive > 0))
    return np.asarray(more & ~ranks(open_, eligible, level=level).below)


def _irrelevant(data: Inquiries, mask: Bools, level: float) -> Bools:
    """Bots that people surely found beside the point more often than the limit allows, by labels drawn by lot."""
    said = data.relevant if data.relevant_drawn is None else data.relevant_drawn
    n = len(data.bots)
    known = np.isfinite(said) & mask
    labels = np.bincount(data.tested[known], minlength=n).astype(float)
    share = ratio(np.bincount(data.tested[known], 1 - said[known], n), labels)
    variance = share * (1 - share) / np.maximum(labels, 1)
    with np.errstate(invalid="ignore"):
        low, _ = wilson(share, variance, np.maximum(labels - 1, 1), level)
    low = np.where(share == 1, (1 - level) ** (1 / np.maximum(labels, 1)), low)
    return np.asarray((labels >= ENOUGH_LABELS) & (np.nan_to_num(low) > EVASIVE_LIMIT))


def _all_groups(
    data: Inquiries, tau: float, kind: Kinds, distance: int | None, mask: Bools
) -> tuple[list[dict[str, Group]], list[dict[int, Group]], list[dict[str, Group]]]:
    """By kind, by distance, by entity type."""
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
    """Per bot: C_j within each group that occurs."""
    n = len(data.bots)
    result: list[dict[K, Group]] = [{} for _ in range(n)]
    for code, name in enumerate(names):
        chosen = mask & (codes == code)
        if not chosen.any():
            continue
        cells = data.counts(tau, chosen).cells()
        rate = contradiction_rates(cells)
        asked, found = cells.inquiries.sum(0), cells.contradictions.sum(0)
        for j in range(n):
            if asked[j]:
                result[j][name] = Group(float(rate[j]), int(asked[j]), int(found[j]))
    return result


def _notes(
    data: Inquiries,
    cells: Cells,
    interval: Interval,
    standings: Sequence[Standing],
    kind: Kinds,
    distance: int | None,
) -> tuple[str, ...]:
    notes = []
    copied = [s for s in standings if s.distinct_dialogues < s.dialogues]
    if copied:
        shown = ", ".join(f"{s.bot} {s.distinct_dialogues} of {s.dialogues}" for s in copied[:5])
        more = f" and {len(copied) - 5} more" if len(copied) > 5 else ""
        notes.append(
            f"Copies are no evidence: distinct dialogues are {shown}{more}. Use more openers, or decoding that samples."
        )
    notes += _gaps(data, cells, standings, kind, distance)
    thin = [s.bot for s in standings if s.tested and not s.enough]
    if thin:
        notes.append(f"Not enough data to rank: {', '.join(thin)}.")
    evasive = [s.bot for s in standings if not s.comparable]
    if evasive:
        notes.append(f"Rate not comparable, over 30% evasive or irrelevant answers: {', '.join(evasive)}.")
    failed = [s for s in standings if s.failed_dialogues]
    if failed:
        shown = ", ".join(f"{s.bot} {s.failed_dialogues}" for s in failed)
        notes.append(f"Failed dialogues, which no rate holds: {shown}.")
    if interval.method is Method.LINEARISED:
        notes.append(
            "Intervals are linearised; they count copies and dialogues of one opener as independent."
        )
    return tuple(notes)


def _gaps(
    data: Inquiries, cells: Cells, standings: Sequence[Standing], kind: Kinds, distance: int | None
) -> list[str]:
    """Pairs that say too little."""
    if len(data.dialogue) and not cells.inquiries.any():
        there = ", ".join(data.kinds[k] for k in np.unique(data.kind))
        kinds = () if kind is None else (kind,) if isinstance(kind, str) else kind
        wanted = " ".join(
            [
                f"of kind {' or '.join(kinds)}" if kinds else "",
                f"at distance {distance}" if distance is not None else "",
            ]
        ).strip()
        return [f"No judged inquiry {wanted}; asked were: {there}."]
    notes = []
    empty = [(i, j) for i, j in zip(*np.nonzero((cells.dialogues > 0) & (cells.inquiries == 0)), strict=True)]
    if empty:
        shown = ", ".join(f"{data.bots[i]} → {data.bots[j]}" for i, j in empty[:5])
        more = f" and {len(empty) - 5} more" if len(empty) > 5 else ""
        notes.append(f"Pairs without a judged inquiry are left out of the means: {shown}{more}.")
    lacking = [s for s in standings if s.not_asked_with and s.inquiries]
    if lacking:
        shown = "; ".join(f"{s.bot} with {', '.join(s.not_asked_with[:5])}" for s in lacking[:5])
        more = f"; and {len(lacking) - 5} more" if len(lacking) > 5 else ""
        notes.append(f"Too few inquiries, so bots are compared over the other opponents: {shown}{more}.")
    return notes
