"""Coverage of rates, and what copies and openers do to them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np

from arena.stats import simulate
from arena.stats.counts import Counts
from arena.stats.errors import Rates
from arena.stats.intervals import intervals
from arena.stats.leaderboard import enough_data
from arena.stats.ranks import ranks

Figures = dict[str, Any]


def coverage(times: int) -> Iterator[Figures]:
    """A bot with 4 or 8 speakers who induce rates of their own, 30% up and down."""
    for bots, dialogues, asked, rate, correlation in product(
        (4, 8), (10, 50, 200), (1.0, 4.0, 10.0), (0.005, 0.02, 0.1, 0.3, 0.9), (0.0, 0.2, 0.5)
    ):
        rng = np.random.default_rng(
            [bots, dialogues, int(asked), round(rate * 1000), round(correlation * 10)]
        )
        each = np.clip(rate * np.exp(np.linspace(-0.3, 0.3, bots)), 0, 0.97)
        truth = float(each.mean())
        m, c = simulate.play(
            each[:, None], np.full((bots, 1), asked), dialogues, correlation, rng, rounds=times
        )
        counts = many_bots(m[:, :, 0], c[:, :, 0])
        interval = intervals(counts)
        covers = (interval.low[:times] <= truth) & (truth <= interval.high[:times])
        enough = enough_data(Rates(counts), counts.cells())[:times]
        five = (c > 0).sum((1, 2, 3)) >= 5
        held, withheld, shown = covers.sum(), int((~enough).sum()), (covers & enough).sum()
        rare = (~enough & five).sum() / max(five.sum(), 1)
        yield {
            "bots": bots,
            "dialogues": dialogues,
            "asked": asked,
            "rate": rate,
            "correlation": correlation,
            "expected": truth * bots * dialogues * asked,
            "coverage": float(held / times),
            "coverage_shown": float(shown / max(times - withheld, 1)),
            "withheld": withheld / times,
            "withheld_with_5": float(rare),
        }


def many_bots(inquiries: np.ndarray, contradictions: np.ndarray) -> Counts:  # type: ignore[type-arg]
    """Repetitions × speakers × dialogues: each repetition is a bot under test of one large tournament."""
    repetitions, speakers, _ = inquiries.shape
    size = max(repetitions, speakers)
    tested, speaker, _ = (index.ravel() for index in np.indices(inquiries.shape))
    names = tuple(f"b{k}" for k in range(size))
    return Counts.of(names, speaker, tested, inquiries.ravel(), contradictions.ravel(), np.zeros(len(tested)))


def one_bot(inquiries: np.ndarray, contradictions: np.ndarray) -> Counts:  # type: ignore[type-arg]
    """Speakers × dialogues of one bot under test."""
    speakers, dialogues = inquiries.shape
    speaker = np.repeat(np.arange(speakers), dialogues)
    names = tuple(f"b{k}" for k in range(speakers))
    return Counts.of(names, speaker, np.zeros_like(speaker), inquiries.ravel(), contradictions.ravel())


def copies(times: int) -> Iterator[Figures]:
    """Deterministic bots: 4 distinct dialogues per pair, each played 10 times; coverage of the rate behind them."""
    rng = np.random.default_rng(11)
    once = as_copies = 0
    for _ in range(times):
        m, c = simulate.play(np.full((4, 1), 0.3), np.full((4, 1), 5.0), 4, 0.1, rng)
        distinct = one_bot(m[0, :, 0], c[0, :, 0])
        counts = distinct.only(np.repeat(np.arange(16), 10))
        known = Counts(
            counts.bots, counts.speaker, counts.tested, counts.inquiries, counts.contradictions,
            counts.number, np.repeat(np.arange(16), 10),
        )  # fmt: skip
        for number, data in enumerate((counts, known)):
            interval = intervals(data)
            covers = bool(interval.low[0] <= 0.3 <= interval.high[0])
            once += covers and number == 0
            as_copies += covers and number == 1
    yield {"row": "copies counted as dialogues (before)", "coverage": once / times}
    yield {"row": "copies counted once", "coverage": as_copies / times}


def with_openers(
    rates: np.ndarray,  # type: ignore[type-arg]
    openers: int,
    dialogues: int,
    rng: np.random.Generator,
    *,
    drawn: bool = False,
    spread: float = 0.6,
) -> Counts:
    """Bots with weak openers of their own: on the logit scale, opener effects of this standard deviation."""
    n = len(rates)
    effect = rng.normal(0, spread, (n, openers))
    # The mean over openers is the rate that was asked for
    nodes, weights = np.polynomial.hermite_e.hermegauss(20)
    offset = np.array([_offset(p, spread, nodes, weights) for p in rates])
    if drawn:
        opener = np.array([[rng.permutation(openers)[:dialogues] for _ in range(n)] for _ in range(n)])
    else:
        opener = np.broadcast_to(np.arange(dialogues) % openers, (n, n, dialogues))
    tested = np.broadcast_to(np.arange(n)[None, :, None], opener.shape)
    chance = 1 / (1 + np.exp(-(offset[tested] + effect[tested, opener])))
    asked = rng.binomial(15, 4 / 15, opener.shape)
    counts = simulate.from_arrays(tuple(f"b{k}" for k in range(n)), asked, rng.binomial(asked, chance))
    return Counts(
        counts.bots, counts.speaker, counts.tested, counts.inquiries, counts.contradictions,
        counts.number, np.empty(0, np.int64), opener.ravel(),
    )  # fmt: skip


def _offset(rate: float, spread: float, nodes: np.ndarray, weights: np.ndarray) -> float:  # type: ignore[type-arg]
    low, high = -12.0, 12.0
    for _ in range(60):
        middle = (low + high) / 2
        mean = float(weights @ (1 / (1 + np.exp(-(middle + spread * nodes)))) / weights.sum())
        low, high = (middle, high) if mean < rate else (low, middle)
    return (low + high) / 2


def openers(times: int) -> Iterator[Figures]:
    """Equal bots with weak openers of their own, 100 dialogues per pair; and bots that differ by 0.20."""
    for bots, number, drawn in (
        (2, 10, False),
        (4, 10, False),
        (4, 5, False),
        (4, 50, False),
        (4, 200, True),
    ):
        rng = np.random.default_rng([bots, number])
        claimed = before = held = 0
        for _ in range(times):
            counts = with_openers(np.full(bots, 0.25), number, 100, rng, drawn=drawn)
            claimed += bool(ranks(counts).below.any())
            alone = counts.only(np.arange(len(counts)))
            single = Counts.of(alone.bots, alone.speaker, alone.tested, alone.inquiries, alone.contradictions)
            old = intervals(single)
            before += bool((old.high[:, None] < old.low[None, :]).any())
            interval = intervals(counts)
            held += int(np.sum((interval.low <= 0.25) & (interval.high >= 0.25)))
        yield {
            "row": f"{bots} equal bots, {number} openers{' drawn per pair' if drawn else ''}",
            "false_separation": claimed / times,
            "without_openers": before / times,
            "coverage": held / times / bots,
        }
    for bots in (2, 4):
        rng = np.random.default_rng([7, bots])
        rates = np.array([0.2, 0.4, *([0.3] * (bots - 2))])
        found = sum(bool(ranks(with_openers(rates, 10, 100, rng)).below[0, 1]) for _ in range(times))
        yield {"row": f"{bots} bots, two of them 0.20 apart, 10 openers", "told_apart": found / times}


def equals(times: int) -> Iterator[Figures]:
    """Any false separation among equal bots, 50 dialogues per pair, 4 inquiries each, correlation 0.1."""
    for bots in (2, 4, 8, 20, 40):
        rng = np.random.default_rng(bots)
        claimed = before = 0
        for _ in range(times):
            counts = simulate.tournament(
                tuple(f"b{k}" for k in range(bots)),
                np.full((bots, bots), 0.25), np.full((bots, bots), 4.0), 50, 0.1, rng,
            )  # fmt: skip
            claimed += bool(ranks(counts).below.any())
            interval = intervals(counts)
            before += bool((interval.high[:, None] < interval.low[None, :]).any())
        yield {"row": f"{bots} equal bots", "false_separation": claimed / times, "pointwise": before / times}


def ladder(times: int) -> Iterator[Figures]:
    """Eight bots from 0.20 to 0.34 in steps of 0.02: the share of true orders that is found."""
    rng = np.random.default_rng(8)
    rates = np.broadcast_to(0.20 + 0.02 * np.arange(8), (8, 8))
    upper = np.triu(np.ones((8, 8), bool), 1)
    found = pointwise = wrong = 0.0
    for _ in range(times):
        counts = simulate.tournament(tuple("abcdefgh"), rates, np.full((8, 8), 4.0), 50, 0.1, rng)
        below = ranks(counts).below
        found += below[upper].mean()
        wrong += bool(below.T[upper].any())
        interval = intervals(counts)
        pointwise += (interval.high[:, None] < interval.low[None, :])[upper].mean()
    yield {
        "row": "ladder of 8",
        "power": found / times,
        "pointwise": pointwise / times,
        "ratio": found / pointwise,
        "wrong": wrong / times,
    }


ROWS = {
    "coverage": (coverage, 1000),
    "copies": (copies, 1000),
    "openers": (openers, 500),
    "equals": (equals, 500),
    "ladder": (ladder, 500),
}
