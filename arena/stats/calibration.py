"""Uses labels of some inquiries to choose a judge's τ and to correct rates for the judge's errors."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arena.stats import metrics
from arena.stats.counts import HEADLINE, Bools, Floats, Inquiries, Ints, Kinds
from arena.stats.distributions import jeffreys
from arena.stats.ensemble import Ensemble, fitted
from arena.stats.errors import Rates
from arena.stats.intervals import LEVEL, wilson

FEWEST = 20  # labelled inquiries below which no threshold is chosen and no weights are fitted
FOLDS = 5
ENOUGH_LABELS = 50  # randomly drawn labels below which no rate is corrected


@dataclass(frozen=True, slots=True)
class Threshold:
    """The τ with the best F1 on the labels, and the F1 that a τ chosen in this way has on unseen dialogues."""

    tau: float
    f1: float
    items: int


@dataclass(frozen=True, slots=True)
class Corrected:
    """One bot's rate corrected for the judge's errors; nan if the bot has too few labels."""

    bot: str
    rate: float
    low: float
    high: float
    judge_rate: float  # from the judge alone, over all inquiries
    people_rate: float  # from the labels alone
    people_low: float
    people_high: float
    labelled: int
    needed: int  # further randomly drawn labels needed; 0 if there are enough


@dataclass(frozen=True, slots=True)
class CorrectedChange:
    """The change of a bot's corrected rate from A to B over common speakers; nan if A or B has too few labels."""

    bot: str
    rate_a: float
    rate_b: float
    delta: float
    low: float
    high: float
    labelled: tuple[int, int]
    needed: tuple[int, int]  # further randomly drawn labels needed, in A and in B


def corrected_change(a: Corrected, b: Corrected) -> CorrectedChange:
    """The difference of two corrected rates. Each side is corrected by its own labels, so the errors of both
    sides add up.
    """
    below = float(np.hypot(b.rate - b.low, a.high - a.rate))
    above = float(np.hypot(b.high - b.rate, a.rate - a.low))
    delta = b.rate - a.rate
    return CorrectedChange(
        b.bot,
        a.rate,
        b.rate,
        delta,
        delta - below,
        delta + above,
        (a.labelled, b.labelled),
        (a.needed, b.needed),
    )


def threshold(
    scores: ArrayLike, labels: ArrayLike, groups: ArrayLike | None = None, seed: int = 0
) -> Threshold | None:
    """Choose the τ with the best F1. None with fewer than 20 labels or if all labels are equal.

    The reported F1 is cross-validated: each fifth of the dialogues (`groups`) is scored with the τ chosen on
    the other four fifths.
    """
    s, y = _labelled(scores, labels)
    known = np.isfinite(np.asarray(scores, float)) & np.isfinite(np.asarray(labels, float))
    of = np.arange(len(s)) if groups is None else np.asarray(groups)[known]
    if len(y) < FEWEST or y.all() or not y.any():
        return None
    tau = metrics.best_threshold(y, s, "f1")
    names, which = np.unique(of, return_inverse=True)
    fold = np.random.default_rng(seed).permutation(len(names))[which] % FOLDS
    flagged = np.zeros(len(y), bool)
    for k in range(FOLDS):
        rest = fold != k
        if y[rest].any() and not y[rest].all():
            flagged[~rest] = s[~rest] > metrics.best_threshold(y[rest], s[rest], "f1")
    return Threshold(tau, metrics.f1(y, flagged.astype(float), 0.5), len(y))


def combination(scores: ArrayLike, labels: ArrayLike) -> Ensemble | None:
    """Combine several judges' scores (judges × inquiries) into one logistic probability, fitted to the labels."""
    table, votes = np.asarray(scores, float), np.asarray(labels, float)
    known = np.isfinite(votes) & np.isfinite(table).all(0)
    y = votes[known] > 0.5
    if len(y) < FEWEST or y.all() or not y.any():
        return None
    return fitted(y, table[:, known].T)


def corrected(
    data: Inquiries,
    tau: float,
    labels: ArrayLike,
    *,
    kind: Kinds = HEADLINE,
    distance: int | None = 0,
    level: float = LEVEL,
    speakers: Bools | None = None,
) -> tuple[Corrected, ...]:
    """Rates as in equation 4, corrected for the judge's errors, which are estimated from the labels.

    The labels tell how many contradictions are among the inquiries that the judge calls contradictions, and how
    many are among the other inquiries. Both shares are weighted by the judge's verdicts on all inquiries. This
    is prediction-powered inference with the weight that minimises the variance for a judge who says yes or no.
    The interval is therefore never wider than an interval from the labels alone.

    Each share has a Jeffreys interval, based on the effective number of labels. That number accounts for
    unequal weights and for labels of the same dialogue. MOVER (Donner and Zou 2010) combines the intervals. All
    of this is valid only if the labelled inquiries are a random sample.
    """
    votes = np.asarray(labels, float)
    used = data.where(kind, distance) & np.isfinite(data.score)
    if speakers is not None:
        used &= speakers[data.dialogues.speaker[data.dialogue]]
    rates = Rates(data.counts(tau, used))
    spread = rates.spread
    judge_low, judge_high = wilson(rates.rate, spread.variance, spread.freedom, level)
    rows = []
    for j, bot in enumerate(data.bots):
        at = np.flatnonzero(used & (data.tested == j))
        judge = (float(rates.rate[j]), float(judge_low[j]), float(judge_high[j]))
        rows.append(_bot(data, tau, votes, at, bot, judge, level))
    return tuple(rows)


def _bot(
    data: Inquiries,
    tau: float,
    labels: Floats,
    at: Ints,
    bot: str,
    judge: tuple[float, float, float],
    level: float,
) -> Corrected:
    speaker = data.dialogues.speaker[data.dialogue[at]]
    weight = 1 / np.bincount(speaker, minlength=len(data.bots))[speaker] if len(at) else np.empty(0)
    known = np.isfinite(labels[at])
    y, w = labels[at][known], weight[known]
    f = data.score[at][known] > tau
    nan = float("nan")
    cluster = data.dialogue[at][known]
    people = _share(y, w, cluster, level) if len(y) else (nan, nan, nan)
    if len(y) < ENOUGH_LABELS:
        return Corrected(bot, nan, nan, nan, judge[0], *people, len(y), ENOUGH_LABELS - len(y))
    right, right_low, right_high = _share(y[f], w[f], cluster[f], level)
    missed, missed_low, missed_high = _share(y[~f], w[~f], cluster[~f], level)
    estimate, estimate_low, estimate_high = (value if np.isfinite(value) else judge[0] for value in judge)
    rate = estimate * right + (1 - estimate) * missed
    lean = right - missed
    down, up = (
        (estimate - estimate_low, estimate_high - estimate)
        if lean > 0
        else (estimate_high - estimate, estimate - estimate_low)
    )
    below = np.hypot(
        np.hypot(estimate * (right - right_low), (1 - estimate) * (missed - missed_low)), lean * down
    )
    above = np.hypot(
        np.hypot(estimate * (right_high - right), (1 - estimate) * (missed_high - missed)), lean * up
    )
    low, high = max(0.0, rate - float(below)), min(1.0, rate + float(above))
    return Corrected(bot, rate, low, high, judge[0], *people, len(y), 0)


def _share(y: Floats, weight: Floats, cluster: Ints, level: float) -> tuple[float, float, float]:
    """A weighted share with a Jeffreys interval, based on the effective number of independent labels."""
    if not len(y):
        return 0.5, 0.0, 1.0
    share = float(weight @ y / weight.sum())
    trials = float(weight.sum() ** 2 / (weight @ weight))
    residual = weight * (y - share)
    single = float(residual @ residual)
    if single > 0:
        _, which = np.unique(cluster, return_inverse=True)
        trials /= max(1.0, float((np.bincount(which, residual) ** 2).sum()) / single)
    low, high = jeffreys(share * trials, trials, level)
    return share, min(float(low), share), max(float(high), share)


def _labelled(scores: ArrayLike, labels: ArrayLike) -> tuple[Floats, Bools]:
    s, votes = np.asarray(scores, float), np.asarray(labels, float)
    known = np.isfinite(s) & np.isfinite(votes)
    return s[known], votes[known] > 0.5
