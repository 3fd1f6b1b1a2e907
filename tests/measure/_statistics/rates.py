"""Coverage of rates, and what copies and openers do to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
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


CHUNK = 250  # repetitions held at once
LOW = 0.94  # a cell below it is run again, ten times as often


def unranked(counts: Counts) -> float:
    """Share of the bots that have too little data for a rank."""
    return float(np.mean(~enough_data(Rates(counts), counts.cells())))


def coverage(times: int) -> Iterator[Figures]:
    """A bot with 4 or 8 speakers who induce rates of their own, 30% up and down."""
    for bots, dialogues, asked, rate, correlation in product(
        (4, 8), (10, 50, 200), (1.0, 4.0, 10.0), (0.005, 0.02, 0.1, 0.3, 0.9), (0.0, 0.2, 0.5)
    ):
        seed = [bots, dialogues, int(asked), round(rate * 1000), round(correlation * 10)]
        each = np.clip(rate * np.exp(np.linspace(-0.3, 0.3, bots)), 0, 0.97)
        cell = {
            "bots": bots, "dialogues": dialogues, "asked": asked, "rate": rate, "correlation": correlation,
            "expected": float(each.mean()) * bots * dialogues * asked,
        }  # fmt: skip
        result = _covered(each, dialogues, asked, correlation, times, seed)
        yield {**cell, "repetitions": times, **result}
        if result["coverage"] < LOW:
            again = _covered(each, dialogues, asked, correlation, 10 * times, [*seed, 1])
            yield {**cell, "again": True, "repetitions": 10 * times, **again}


def _covered(
    each: np.ndarray,  # type: ignore[type-arg]
    dialogues: int,
    asked: float,
    correlation: float,
    times: int,
    seed: list[int],
) -> Figures:
    """One bot under test whose speakers induce these rates."""
    rng = np.random.default_rng(seed)
    truth, questions = float(each.mean()), np.full((len(each), 1), asked)
    held = withheld = shown = rare = five = 0
    for start in range(0, times, CHUNK):
        some = min(CHUNK, times - start)
        m, c = simulate.play(each[:, None], questions, dialogues, correlation, rng, rounds=some)
        counts = many_bots(m[:, :, 0], c[:, :, 0])
        interval = intervals(counts)
        covers = (interval.low[:some] <= truth) & (truth <= interval.high[:some])
        enough = enough_data(Rates(counts), counts.cells())[:some]
        contradicting = (c > 0).sum((1, 2, 3)) >= 5
        held += int(covers.sum())
        withheld += int((~enough).sum())
        shown += int((covers & enough).sum())
        five += int(contradicting.sum())
        rare += int((~enough & contradicting).sum())
    return {
        "coverage": held / times,
        "coverage_shown": shown / max(times - withheld, 1),
        "withheld": withheld / times,
        "withheld_with_5": rare / max(five, 1),
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
    withheld = 0.0
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
            withheld += unranked(data) / times / 2
            once += covers and number == 0
            as_copies += covers and number == 1
    yield {"row": "copies counted as dialogues (before)", "coverage": once / times, "withheld": withheld}
    yield {"row": "copies counted once", "coverage": as_copies / times, "withheld": withheld}


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
    if drawn:
        opener = np.array([[rng.permutation(openers)[:dialogues] for _ in range(n)] for _ in range(n)])
    else:
        opener = np.broadcast_to(np.arange(dialogues) % openers, (n, n, dialogues))
    return replace(_weak_in(rates, opener, spread, rng), openers=opener.ravel())


def with_personas(
    rates: np.ndarray,  # type: ignore[type-arg]
    personas: int,
    dialogues: int,
    rng: np.random.Generator,
    *,
    spread: float = 0.6,
) -> Counts:
    """Bots that play some personas worse than others; each speaker meets all of them in an order of its own."""
    n = len(rates)
    orders = np.array([rng.permutation(personas) for _ in range(n)])
    persona = np.broadcast_to(orders[:, None, np.arange(dialogues) % personas], (n, n, dialogues))
    return replace(_weak_in(rates, persona, spread, rng), personas=persona.ravel())


def _weak_in(
    rates: np.ndarray,  # type: ignore[type-arg]
    kind: np.ndarray,  # type: ignore[type-arg]
    spread: float,
    rng: np.random.Generator,
) -> Counts:
    """Each bot is better in some kinds of dialogue than in others; the mean over kinds is its rate."""
    n = len(rates)
    effect = rng.normal(0, spread, (n, int(kind.max()) + 1))
    nodes, weights = np.polynomial.hermite_e.hermegauss(20)
    offset = np.array([_offset(p, spread, nodes, weights) for p in rates])
    tested = np.broadcast_to(np.arange(n)[None, :, None], kind.shape)
    chance = 1 / (1 + np.exp(-(offset[tested] + effect[tested, kind])))
    asked = rng.binomial(15, 4 / 15, kind.shape)
    return simulate.from_arrays(tuple(f"b{k}" for k in range(n)), asked, rng.binomial(asked, chance))


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
        (8, 10, False),
        (4, 50, False),
        (4, 200, True),
    ):
        rng = np.random.default_rng([bots, number])
        played = (with_openers(np.full(bots, 0.25), number, 100, rng, drawn=drawn) for _ in range(times))
        name = f"{bots} equal bots, {number} openers{' drawn per pair' if drawn else ''}"
        yield {"row": name, **_separated(played, times)}
    for bots in (2, 4):
        rng = np.random.default_rng([7, bots])
        rates = np.array([0.2, 0.4, *([0.3] * (bots - 2))])
        result, withheld = 0, 0.0
        for _ in range(times):
            counts = with_openers(rates, 10, 100, rng)
            result += bool(ranks(counts).below[0, 1])
            withheld += unranked(counts) / times
        name = f"{bots} bots, two of them 0.20 apart, 10 openers"
        yield {"row": name, "told_apart": result / times, "withheld": withheld}


def personas(times: int) -> Iterator[Figures]:
    """Equal bots that play some drawn personas worse than others, 100 dialogues per pair."""
    for number in (10, 20, 50):
        rng = np.random.default_rng([13, number])
        played = (with_personas(np.full(4, 0.25), number, 100, rng) for _ in range(times))
        yield {"row": f"4 equal bots, {number} personas", **_separated(played, times)}


def _separated(played: Iterable[Counts], times: int) -> Figures:
    """How often equal bots of rate 0.25 are told apart, and by intervals that know no openers or personas."""
    claimed = before = held = bots = 0
    withheld = 0.0
    for counts in played:
        bots = len(counts.bots)
        claimed += bool(ranks(counts).below.any())
        single = Counts.of(
            counts.bots, counts.speaker, counts.tested, counts.inquiries, counts.contradictions
        )
        old = intervals(single)
        before += bool((old.high[:, None] < old.low[None, :]).any())
        interval = intervals(counts)
        held += int(np.sum((interval.low <= 0.25) & (interval.high >= 0.25)))
        withheld += unranked(counts) / times
    return {
        "false_separation": claimed / times,
        "pointwise_without_clusters": before / times,
        "coverage": held / times / bots,
        "withheld": withheld,
    }


def equals(times: int) -> Iterator[Figures]:
    """Any false separation among equal bots, 50 dialogues per pair, 4 inquiries each, correlation 0.1."""
    for bots in (2, 4, 8, 20, 40):
        rng = np.random.default_rng(bots)
        names = tuple(f"b{k}" for k in range(bots))
        rates, asked = np.full((bots, bots), 0.25), np.full((bots, bots), 4.0)
        played = (simulate.tournament(names, rates, asked, 50, 0.1, rng) for _ in range(times))
        yield {"row": f"{bots} equal bots", **_separated(played, times)}


def ladder(times: int) -> Iterator[Figures]:
    """Eight bots from 0.20 to 0.34 in steps of 0.02: the share of true orders that is found."""
    rng = np.random.default_rng(8)
    rates = np.broadcast_to(0.20 + 0.02 * np.arange(8), (8, 8))
    upper = np.triu(np.ones((8, 8), bool), 1)
    count = pointwise = wrong = withheld = 0.0
    for _ in range(times):
        counts = simulate.tournament(tuple("abcdefgh"), rates, np.full((8, 8), 4.0), 50, 0.1, rng)
        below = ranks(counts).below
        count += below[upper].mean()
        wrong += bool(below.T[upper].any())
        withheld += unranked(counts) / times
        interval = intervals(counts)
        pointwise += (interval.high[:, None] < interval.low[None, :])[upper].mean()
    yield {
        "row": "ladder of 8",
        "power": count / times,
        "pointwise": pointwise / times,
        "ratio": count / pointwise,
        "wrong": wrong / times,
        "withheld": withheld,
    }


ROWS = {
    "coverage": (coverage, 1000),
    "copies": (copies, 1000),
    "openers": (openers, 1000),
    "personas": (personas, 500),
    "equals": (equals, 500),
    "ladder": (ladder, 500),
}
