"""Simulated tournaments, many times: reduced counts in the tests, full counts by `make measure`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.stats import sequential, simulate
from arena.stats.comparison import Release, Setting, Verdict, compare
from arena.stats.counts import Counts, Floats, mean_of_cells, ratio
from arena.stats.intervals import Method, bootstrap, intervals
from arena.stats.ranks import ranks

AUTO, QUESTIONS = np.array(simulate.AIH_AUTO), np.array(simulate.AIH_QUESTIONS)
BOTS = simulate.AIH_BOTS


def without(bot: str) -> tuple[Floats, Floats, tuple[str, ...], tuple[str, ...]]:
    """The AIH tournament without a bot: rates, questions, bots, the experts' ranking."""
    keep = [k for k, name in enumerate(BOTS) if name != bot]
    at = np.ix_(keep, keep)
    names = tuple(BOTS[k] for k in keep)
    return AUTO[at], QUESTIONS[at], names, tuple(name for name in simulate.AIH_EXPERTS if name != bot)


def reproduced(tournaments: int, correlation: float, left_out: str = "", seed: int = 1) -> dict[int, float]:
    """Share of tournaments of S dialogues per pair whose ranking is the experts', by S."""
    rates, questions, names, experts = without(left_out)
    wanted = [names.index(name) for name in experts]
    rng = np.random.default_rng(seed)
    sizes = np.arange(5, 201, 5)
    right = np.zeros(len(sizes))
    for _ in range(max(1, tournaments // 50)):
        asked, contradictions = simulate.play(rates, questions, 200, correlation, rng, rounds=50)
        m, c = asked.cumsum(3)[..., sizes - 1], contradictions.cumsum(3)[..., sizes - 1]
        means = mean_of_cells(ratio(c, m), axis=1)[:, wanted]
        right += np.all(np.diff(means, axis=1) > 0, axis=1).sum(0)
    return dict(zip(sizes.tolist(), (right / (max(1, tournaments // 50) * 50)).tolist(), strict=True))


def reaches(curve: dict[int, float], share: float = 0.95) -> int | None:
    """The least S from which on the share stays reached."""
    below = [size for size, value in curve.items() if value < share]
    return next((size for size in curve if size > max(below, default=0)), None)


def coverage(
    tournaments: int, dialogues: int, correlation: float, rounds: int = 1000, seed: int = 1
) -> dict[str, float]:
    """Share of intervals that hold the truth; "unclustered" draws inquiries one by one."""
    rng = np.random.default_rng(seed)
    truth = AUTO.mean(0)
    hits = {method.value: 0 for method in Method} | {"unclustered": 0}
    for trial in range(tournaments):
        asked, contradictions = simulate.play(AUTO, QUESTIONS, dialogues, correlation, rng)
        counts = simulate.from_arrays(BOTS, asked[0], contradictions[0])
        draws = bootstrap(counts, np.random.default_rng(trial), rounds)
        built = {method.value: intervals(counts, method=method, draws=draws) for method in Method}
        built["unclustered"] = intervals(single(counts), method=Method.PERCENTILE, rounds=rounds, seed=trial)
        for name, interval in built.items():
            hits[name] += int(np.sum((interval.low <= truth) & (truth <= interval.high)))
    return {name: number / (tournaments * 4) for name, number in hits.items()}


def single(counts: Counts) -> Counts:
    """Every inquiry as a dialogue of its own: what forgetting the clusters amounts to."""
    speaker, tested = np.repeat(counts.speaker, counts.inquiries), np.repeat(counts.tested, counts.inquiries)
    within = np.arange(len(speaker)) - np.repeat(
        np.cumsum(counts.inquiries) - counts.inquiries, counts.inquiries
    )
    bad = within < np.repeat(counts.contradictions, counts.inquiries)
    return Counts.of(counts.bots, speaker, tested, np.ones(len(speaker), np.int64), bad.astype(np.int64))


@dataclass(frozen=True)
class Equals:
    """How often an order of the two equal bots was claimed."""

    leaderboard: float  # at the full plan
    sequential: float  # at any look
    stopped: float  # by the leaderboard, where the sequential plan stopped
    used: float


def equals(tournaments: int, correlation: float, bots: int = 4, seed: int = 1) -> Equals:
    """DialoFlow has DialoGPT's rates and questions (4 bots), or there are two DialoFlows (5)."""
    if bots == 4:
        rates, questions, names, (x, y) = AUTO.copy(), QUESTIONS.copy(), BOTS, (2, 3)
        rates[:, 3], questions[:, 3] = rates[:, 2], questions[:, 2]
    else:
        at = np.ix_([0, 1, 2, 3, 3], [0, 1, 2, 3, 3])
        rates, questions, names, (x, y) = AUTO[at], QUESTIONS[at], (*BOTS, "its twin"), (3, 4)
    rng = np.random.default_rng(seed)
    pairs = np.ones((bots, bots), bool)
    claimed = np.zeros(3)
    used = 0.0
    for _ in range(tournaments):
        asked, contradictions = simulate.play(rates, questions, 200, correlation, rng)
        counts = simulate.from_arrays(names, asked[0], contradictions[0])
        decision = sequential.decide(counts, pairs, sequential.StoppingPlan(200))
        played = counts.only(counts.number < decision.targets.ravel()[counts.cell()])
        used += decision.targets.sum() / (bots * bots * 200) / tournaments
        claimed += (
            _ordered(counts, x, y),
            decision.claims[x, y] or decision.claims[y, x],
            _ordered(played, x, y),
        )
    return Equals(*(claimed / tournaments).tolist(), used)


def _ordered(counts: Counts, x: int, y: int) -> bool:
    below = ranks(counts).below
    return bool(below[x, y] or below[y, x])


@dataclass(frozen=True)
class Savings:
    used: float  # of the fixed 200 dialogues per pair
    right: float  # share of runs that end with the experts' ranking
    settled: float  # share that stopped because everything was sure


def savings(tournaments: int, correlation: float = 0.0, left_out: str = "", seed: int = 1) -> Savings:
    rates, questions, names, experts = without(left_out)
    pairs = np.ones((len(names), len(names)), bool)
    rng = np.random.default_rng(seed)
    total = np.zeros(3)
    for _ in range(tournaments):
        asked, contradictions = simulate.play(rates, questions, 200, correlation, rng)
        decision = sequential.decide(
            simulate.from_arrays(names, asked[0], contradictions[0]),
            pairs,
            sequential.StoppingPlan(200, 0.95),
        )
        total += (decision.targets.sum() / (pairs.sum() * 200), decision.order == experts, decision.settled)
    return Savings(*(total / tournaments).tolist())


SETTING = Setting("judge", "1", "inquirer", frozenset([15]), frozenset(["hello"]))


def release(name: str, counts: Counts, changed: tuple[int, ...] = (), shift: int = 0) -> Release:
    """`shift` moves the seeds, so that no dialogue has its twin."""
    identities = tuple(f"{bot}-{name}" if k in changed else bot for k, bot in enumerate(counts.bots))
    return Release(name, counts, identities, counts.number + shift, SETTING)


@dataclass(frozen=True)
class Releases:
    quiet: float  # the same bots twice: nothing but same and unclear
    found: float  # a rise from 0.25 to 0.35: worse
    covered: float  # intervals of no difference that hold 0


def releases(tournaments: int, dialogues: int = 200, *, paired: bool = True, seed: int = 1) -> Releases:
    """Four speakers besides the bot itself, 4 inquiries a dialogue, correlation 0.1."""
    rng = np.random.default_rng(seed)
    names = ("a", "b", "c", "d", "e")
    flat, risen, questions = np.full((5, 5), 0.25), np.full((5, 5), 0.25), np.full((5, 5), 4.0)
    risen[:, 0] = 0.35
    shift = 0 if paired else 10_000
    total = np.zeros(3)
    for _ in range(tournaments):
        first = release("a", _played(names, flat, questions, dialogues, rng))
        again = release("b", _played(names, flat, questions, dialogues, rng), (0,), shift)
        worse = release("c", _played(names, risen, questions, dialogues, rng), (0,), shift)
        still = compare(first, again).changes
        change = compare(first, worse).changes[0]
        total += (
            all(c.verdict not in (Verdict.BETTER, Verdict.WORSE) for c in still),
            change.verdict is Verdict.WORSE,
            still[0].low <= 0 <= still[0].high,
        )
    return Releases(*(total / tournaments).tolist())


def _played(
    names: tuple[str, ...], rates: Floats, questions: Floats, dialogues: int, rng: np.random.Generator
) -> Counts:
    return simulate.tournament(names, rates, questions, dialogues, 0.1, rng)
