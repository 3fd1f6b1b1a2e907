"""Agreement among people, between judges and people, and among judges.

Ratings are a matrix of raters × items. It holds nan where a rater did not rate an item.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from arena.stats import metrics
from arena.stats.counts import Floats, ratio

ROUNDS = 400  # of the bootstrap


@dataclass(frozen=True, slots=True)
class People:
    """Agreement of several people over the items that at least two of them rated."""

    n: int
    items: int
    fleiss_kappa: float
    krippendorff_alpha: float
    pearson_with_vote: dict[str, float]  # AIH's Table 8: the vote includes the person's own rating
    pearson_with_others: dict[str, float]  # with the others' vote; nan for fewer than two others
    cohen_kappa: dict[tuple[str, str], float]
    share_unanimous: float


@dataclass(frozen=True, slots=True)
class JudgeAgreement:
    """One judge compared with the people's vote."""

    items: int
    tau: float
    f1: float
    pearson: float
    kappa: float
    accuracy: float
    auc: float
    confusion: dict[str, dict[str, int]]
    intervals: dict[str, tuple[float, float]] = field(
        default_factory=dict
    )  # by metric; the bootstrap draws whole dialogues


def people(names: Sequence[str], ratings: ArrayLike) -> People:
    """Compute the agreement of people from their nominal ratings (people × items; 0 or 1 for AIH's questions)."""
    table = np.asarray(ratings, float)
    table = table.reshape(len(names), -1) if len(names) else np.empty((0, 0))
    shared = table[:, np.isfinite(table).sum(0) >= 2]
    votes = vote(table)
    cohen = {
        (names[a], names[b]): cohen_kappa(table[a], table[b])
        for a in range(len(names))
        for b in range(a + 1, len(names))
    }
    unanimous = np.nanmax(shared, axis=0) == np.nanmin(shared, axis=0) if shared.shape[1] else np.array([])
    return People(
        len(names),
        shared.shape[1],
        fleiss_kappa(shared),
        krippendorff_alpha(shared),
        {name: _pearson(row, votes) for name, row in zip(names, table, strict=True)},
        {name: _with_others(table, row) for row, name in enumerate(names)},
        cohen,
        float(unanimous.mean()) if len(unanimous) else float("nan"),
    )


def vote(ratings: ArrayLike) -> Floats:
    """The majority rating of each item; nan if nobody rated the item or if the two most frequent ratings tie."""
    table = np.asarray(ratings, float)
    table = table.reshape(len(table), -1) if table.size else table.reshape(0, 0)
    values = np.unique(table[np.isfinite(table)])
    if not len(values):
        return np.full(table.shape[1], np.nan)
    counts = np.array([(table == value).sum(0) for value in values])
    best = counts.max(0)
    open_ = (best == 0) | ((counts == best).sum(0) > 1)
    return np.where(open_, np.nan, values[counts.argmax(0)])


def fleiss_kappa(ratings: ArrayLike) -> float:
    """Fleiss' κ over the items with at least two ratings. Items may have different numbers of ratings."""
    table = np.asarray(ratings, float)
    table = table[:, np.isfinite(table).sum(0) >= 2]
    if not table.size:
        return float("nan")
    values = np.unique(table[np.isfinite(table)])
    counts = np.array([(table == value).sum(0) for value in values]).astype(float)
    raters = counts.sum(0)
    observed = float(np.mean(((counts**2).sum(0) - raters) / (raters * (raters - 1))))
    expected = float(((counts.sum(1) / counts.sum()) ** 2).sum())
    return (observed - expected) / (1 - expected) if expected < 1 else float("nan")


def krippendorff_alpha(ratings: ArrayLike, level: str = "nominal") -> float:
    """Krippendorff's α; nan if all ratings are equal."""
    import krippendorff

    table = np.asarray(ratings, float)
    known = table[np.isfinite(table)]
    if not len(known) or len(np.unique(known)) < 2:
        return float("nan")
    return float(krippendorff.alpha(reliability_data=table, level_of_measurement=level))


def cohen_kappa(first: ArrayLike, second: ArrayLike) -> float:
    """Cohen's κ over the items that both raters rated."""
    a, b = np.asarray(first, float), np.asarray(second, float)
    both = np.isfinite(a) & np.isfinite(b)
    a, b = a[both], b[both]
    if not len(a):
        return float("nan")
    values = np.unique(np.concatenate([a, b]))
    expected = float(sum(np.mean(a == value) * np.mean(b == value) for value in values))
    return (float(np.mean(a == b)) - expected) / (1 - expected) if expected < 1 else float("nan")


def judge(scores: ArrayLike, votes: ArrayLike, tau: float, groups: ArrayLike | None = None) -> JudgeAgreement:
    """Compare a judge's scores with the vote (1: contradicts), over the items that have both.

    If `groups` gives the dialogue of each item, every figure has an interval.
    """
    s, v = np.asarray(scores, float), np.asarray(votes, float)
    both = np.isfinite(s) & np.isfinite(v)
    s, y = s[both], v[both] > 0.5
    opinion = s > tau
    bounds: dict[str, tuple[float, float]] = {}
    if groups is not None and len(y):
        of = np.asarray(groups)[both]
        measured = metrics.intervals(_measures(tau), y, s, groups=of, rounds=ROUNDS)
        bounds = {name: (one.low, one.high) for name, one in measured.items()}
    return JudgeAgreement(
        int(both.sum()),
        tau,
        metrics.f1(y, s, tau),
        metrics.pearson(y, opinion),
        cohen_kappa(y, opinion),
        metrics.accuracy(y, s, tau),
        metrics.auc(y, s),
        metrics.confusion(y.astype(int), opinion.astype(int), (0, 1)),
        bounds,
    )


def _measures(tau: float) -> dict[str, metrics.Metric]:
    return {
        "f1": metrics.at(metrics.f1, tau),
        "pearson": lambda y, s: metrics.pearson(y, s > tau),
        "kappa": lambda y, s: cohen_kappa(y, s > tau),
        "accuracy": metrics.at(metrics.accuracy, tau),
        "auc": metrics.auc,
    }


def judges(names: Sequence[str], scores: ArrayLike, taus: Sequence[float]) -> dict[tuple[str, str], float]:
    """Cohen's κ between the verdicts of every two judges. Scores are judges × items; nan where an item is not
    judged.
    """
    table = np.asarray(scores, float)
    opinions = np.where(np.isfinite(table), table > np.asarray(taus, float)[:, None], np.nan)
    return {
        (names[a], names[b]): cohen_kappa(opinions[a], opinions[b])
        for a in range(len(names))
        for b in range(a + 1, len(names))
    }


def appropriateness(speaker: ArrayLike, tested: ArrayLike, votes: ArrayLike, bots: int) -> Floats:
    """The share of questions that people found appropriate, speakers × tested (AIH's Table 6)."""
    v = np.asarray(votes, float)
    known = np.isfinite(v)
    cell = (np.asarray(speaker) * bots + np.asarray(tested))[known]
    share = ratio(np.bincount(cell, v[known], bots * bots), np.bincount(cell, minlength=bots * bots))
    return share.reshape(bots, bots)


def _with_others(table: Floats, row: int) -> float:
    """The correlation of one person's ratings with the vote of the others, over items that at least two others
    rated.
    """
    if len(table) < 3:
        return float("nan")
    others = np.delete(table, row, axis=0)
    votes = vote(others)
    votes = np.where(np.isfinite(others).sum(0) >= 2, votes, np.nan)
    return _pearson(table[row], votes)


def shares_with_others(names: Sequence[str], ratings: ArrayLike) -> dict[str, tuple[int, float]]:
    """For each person, return two figures: the number of rated items on which the others have a vote, and the
    share of these items that the person rated like that vote. The share is nan if there are no such items.
    """
    table = np.asarray(ratings, float).reshape(len(names), -1)
    shares = {}
    for row, name in enumerate(names):
        votes = vote(np.delete(table, row, axis=0)) if len(names) > 1 else np.full(table.shape[1], np.nan)
        both = np.isfinite(table[row]) & np.isfinite(votes)
        same = float((table[row] == votes)[both].mean()) if both.any() else float("nan")
        shares[name] = (int(both.sum()), same)
    return shares


def _pearson(row: Floats, votes: Floats) -> float:
    both = np.isfinite(row) & np.isfinite(votes)
    return metrics.pearson(row[both], votes[both])
