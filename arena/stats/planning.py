"""Plans the size of tournaments: how many dialogues a difference needs, what difference a given size detects, and
where the variance comes from.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.stats.counts import FEW, Bools, Counts, Floats, Ints, ratio
from arena.stats.distributions import bonferroni, normal_quantile
from arena.stats.errors import Rates

LEVEL, POWER = 0.95, 0.8
MOST = 100_000  # dialogues per pair that a plan considers


@dataclass(frozen=True, slots=True)
class Assumed:
    """The assumptions of a plan: one bot's rate, its inquiries per dialogue, and their correlations within
    dialogues and openers.
    """

    rate: float = 0.25
    inquiries: float = 4.0  # per dialogue
    correlation: float = 0.1  # between two inquiries of one dialogue
    opener_share: float = 0.3  # share of this correlation that dialogues with one opener share
    size_bias: float = 1.0  # size-weighted mean of inquiries per dialogue over the plain mean


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a tournament, as its file sets it."""

    bots: int
    speakers: float  # per bot under test
    dialogues: int  # per pair
    openers: int
    drawn: bool  # each pair draws its openers; else all pairs use them in turn


@dataclass(frozen=True, slots=True)
class Components:
    """The variance of one inquiry's outcome, by source, and what each source contributes to the variance of a
    bot's rate.
    """

    opener: float | None  # None if it cannot be estimated
    opponent: float
    dialogue: float
    question: float
    of_rate: dict[str, float]  # what openers, dialogues and questions add to the variance


def error(assumed: Assumed, size: Size, dialogues: int | None = None) -> float:
    """The standard error of one bot's rate with this many dialogues per pair."""
    each = size.dialogues if dialogues is None else dialogues
    number = size.speakers * each
    spread = assumed.rate * (1 - assumed.rate)
    between = assumed.correlation * spread
    opener = assumed.opener_share * between if size.openers >= FEW else 0.0
    single = spread * (1 - assumed.correlation) / (number * max(assumed.inquiries, 1e-9))
    own = (between - opener) * assumed.size_bias / number
    shared = opener * _same_opener(size, each, assumed.size_bias)
    return float(np.sqrt(single + own + shared))


def _same_opener(size: Size, each: int, size_bias: float) -> float:
    """The probability that two of a bot's inquiries share an opener. It is the weight of opener effects in the
    variance of the rate.
    """
    number = size.speakers * each
    if size.drawn:
        within = size_bias / number + max(0.0, each / size.openers - 1) / max(each, 1)
        return min(1.0, within + (size.speakers - 1) / size.speakers / size.openers)
    return 1 / min(size.openers, max(each, 1))


def critical(bots: int, level: float = LEVEL) -> float:
    """The normal deviate that the largest difference must exceed when all differences between the bots are tested."""
    return bonferroni(bots * (bots - 1) // 2, level)


def detectable(assumed: Assumed, size: Size, *, power: float = POWER, level: float = LEVEL) -> float:
    """The smallest difference between two bots that the ranking detects with the probability `power`."""
    reach = critical(size.bots, level) + float(normal_quantile(power))
    return reach * float(np.hypot(*(error(assumed, size),) * 2))


def needed(
    difference: float, assumed: Assumed, size: Size, *, power: float = POWER, level: float = LEVEL
) -> int | None:
    """The number of dialogues per pair at which two bots with this difference are distinguished. None if no
    number is enough.

    The two rates lie symmetrically around the assumed rate.
    """
    reach = critical(size.bots, level) + float(normal_quantile(power))
    low, high = (
        _at(assumed, assumed.rate - difference / 2),
        _at(assumed, assumed.rate + difference / 2),
    )

    def detects(dialogues: int) -> bool:
        both = float(np.hypot(error(low, size, dialogues), error(high, size, dialogues)))
        return difference >= reach * both

    if not detects(MOST):
        return None
    least, most = 0, MOST
    while most - least > 1:
        middle = (least + most) // 2
        least, most = (least, middle) if detects(middle) else (middle, most)
    return most


def _at(assumed: Assumed, rate: float) -> Assumed:
    return Assumed(
        float(np.clip(rate, 0.001, 0.999)),
        assumed.inquiries,
        assumed.correlation,
        assumed.opener_share,
        assumed.size_bias,
    )


def observed(counts: Counts) -> tuple[Assumed, Components]:
    """Estimate the rates and correlations of a tournament by the method of moments, over all its pairs."""
    cells = counts.cells()
    rates = Rates(counts)
    rate = rates.cells.ravel()[counts.cell()]
    used = (counts.inquiries > 0) & np.isfinite(rate)
    m, c = counts.inquiries[used].astype(float), counts.contradictions[used].astype(float)
    p, cell = rate[used], counts.cell()[used]
    residual, spread = c - p * m, p * (1 - p)
    # Each cell's rate is estimated from its own dialogues, so its squared residuals are a little too small
    clusters = np.bincount(cell, minlength=cells.inquiries.size).astype(float)
    scale = ratio(clusters, clusters - 1)[cell]
    known = np.isfinite(scale)
    squares = float(np.sum((residual**2 * scale)[known]) - np.sum((spread * m)[known]))
    pairs = float(np.sum((spread * m * (m - 1))[known]))
    correlation = float(np.clip(squares / pairs, 0, 1)) if pairs > 0 else 0.0
    shared = _shared(counts, used, residual, m)
    total = float(np.average(spread, weights=m)) if len(m) else 0.0
    between = correlation * total
    opener = None if shared is None else float(np.clip(shared, 0, between))
    mean = float(np.nanmean(rates.rate)) if np.isfinite(rates.rate).any() else float("nan")
    per_dialogue = float(m.sum() / max(len(counts), 1))
    assumed = Assumed(
        mean,
        per_dialogue,
        correlation,
        (opener or 0.0) / between if between > 0 else 0.0,
        float((m**2).sum() * len(counts) / m.sum() ** 2) if m.sum() else 1.0,
    )
    components = Components(
        opener,
        _opponents(rates),
        between - (opener or 0.0),
        total * (1 - correlation),
        _parts(counts, m, counts.tested[used], used, opener or 0.0, between, total * (1 - correlation)),
    )
    return assumed, components


def _shared(counts: Counts, used: Bools, residual: Floats, m: Floats) -> float | None:
    """The covariance of two inquiries from different dialogues of one bot with the same opener. None if there are
    no such inquiries.
    """
    if counts.opener_number < 2:
        return None
    _, which = np.unique(counts.openers[used] * len(counts.bots) + counts.tested[used], return_inverse=True)
    products = np.bincount(which, residual) ** 2 - np.bincount(which, residual**2)
    weights = np.bincount(which, m) ** 2 - np.bincount(which, m**2)
    if not weights.sum() > 0:
        return None
    return float(products.sum() / weights.sum())


def _opponents(measured: Rates) -> float:
    """The variance of a bot's rates between speakers, less the variance that chance explains."""
    variance = np.bincount(measured.linear.cell, measured.linear.value**2, measured.size**2).reshape(
        measured.cells.shape
    )
    rates = np.where(measured.used, measured.cells, np.nan)
    several = measured.used.sum(0) > 1
    if not several.any():
        return 0.0
    between = np.nanvar(rates[:, several], axis=0, ddof=1)
    chance = np.nanmean(np.where(measured.used, variance, np.nan)[:, several], axis=0)
    return float(max(0.0, np.mean(between - chance)))


def _parts(
    counts: Counts,
    m: Floats,
    tested: Ints,
    used: Bools,
    opener: float,
    between: float,
    single: float,
) -> dict[str, float]:
    """The contributions of openers, dialogues and questions to the variance of a rate, averaged over the bots."""
    n = len(counts.bots)
    asked = np.bincount(tested, m, n)
    bots = asked > 0
    if not bots.any():
        return {"openers": 0.0, "dialogues": 0.0, "questions": 0.0}
    dialogues = ratio(np.bincount(tested, m**2, n), asked**2)[bots]
    by_opener = np.zeros(int(bots.sum()))
    if counts.opener_number >= 2:
        codes, which = np.unique(counts.openers[used].astype(np.int64) * n + tested, return_inverse=True)
        sums = np.bincount(which, m)
        by_opener = ratio(np.bincount(codes % n, sums**2, n), asked**2)[bots]
    return {
        "openers": float(opener * by_opener.mean()),
        "dialogues": float((between - opener) * dialogues.mean()),
        "questions": float(single * (1 / asked[bots]).mean()),
    }


def advice(assumed: Assumed, size: Size, components: Components | None = None) -> tuple[str, ...]:
    """Say what narrows the intervals most: more openers or more dialogues."""
    lines = []
    if size.openers == 1:
        lines.append("With one opener the rates speak of that opener alone: use `openers: default`.")
    elif size.openers < FEW:
        lines.append(f"{size.openers} openers are taken as they are; from {FEW} on they stand for others.")
    now = error(assumed, size)
    twice = error(assumed, size, 2 * size.dialogues)
    if size.openers >= FEW:
        more = error(assumed, Size(size.bots, size.speakers, size.dialogues, 2 * size.openers, size.drawn))
        better = "openers" if now - more > now - twice else "dialogues"
        lines.append(
            f"A standard error of {now:.3f} becomes {twice:.3f} with twice the dialogues and {more:.3f} with twice "
            f"the openers: more {better} help more."
        )
    else:
        lines.append(f"Twice the dialogues: a standard error of {twice:.3f} instead of {now:.3f}.")
    if components is not None and components.of_rate:
        largest = max(components.of_rate, key=lambda name: components.of_rate[name])
        lines.append(f"In the tournament that was played, most of the error came from {largest}.")
    return tuple(lines)
