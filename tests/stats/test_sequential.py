"""Playing until the ranking is sure: honest under repeated looks, thrifty, and the same after every crash."""

from __future__ import annotations

import numpy as np
import pytest

from arena.stats import simulate
from arena.stats.counts import Bools, Counts
from arena.stats.distributions import holm
from arena.stats.sequential import SLOPE, Decision, StoppingPlan, crossing, decide
from tests.stats import trials
from tests.stats.plain_stopping import plain_decision

ALL = np.ones((4, 4), bool)


def tournament(seed: int = 3) -> Counts:
    return simulate.tournament(
        trials.BOTS, trials.AUTO, trials.QUESTIONS, 200, 0, np.random.default_rng(seed)
    )


# ── the same, dialogue by dialogue ────────────────────────────────────────────────────────────────


def awkward(seed: int) -> tuple[Counts, Bools, StoppingPlan]:
    """Two to four bots; missing, silent, spare and unnumbered dialogues; pairs that nobody plays."""
    rng = np.random.default_rng(seed)
    n, most = int(rng.integers(2, 5)), int(rng.integers(8, 40))
    pairs = rng.random((n, n)) < 0.8
    if seed % 3 == 0:
        pairs = ~np.eye(n, dtype=bool)
    rates = np.repeat(np.round(rng.random((1, n)), 1), n, 0)  # steps of a tenth: equals and certainties
    asked = rng.integers(0, 4, (n, n)) * (rng.random((n, n)) < 0.9)
    rows = []
    for i, j in zip(*np.nonzero(pairs), strict=True):
        for number in range(-1, most + 2):
            m = int(rng.integers(0, asked[i, j] + 1))
            if rng.random() < (0.995 if seed % 2 else 1.1):
                rows.append((i, j, m, rng.binomial(m, rates[i, j]), number))
    counts = Counts.of("abcd"[:n], *np.array(rows).T)
    return (
        counts.only(rng.permutation(len(counts))),
        pairs,
        StoppingPlan(most, 0.8, int(rng.integers(2, 9)), 3),
    )


def test_decisions_are_those_of_the_plain_way() -> None:
    ended = set()
    for seed in range(60):
        counts, pairs, plan = awkward(seed)
        result = decide(counts, pairs, plan)
        claims = {(int(a), int(b)) for a, b in np.argwhere(result.claims)}
        ours = (
            result.targets.tolist(), result.stop, result.settled, result.probability, result.order, claims, result.looks
        )  # fmt: skip
        assert ours == plain_decision(counts, pairs, plan), seed
        ended.add((result.stop, result.settled, bool(claims), result.looks > 1))
    assert len(ended) >= 5, "every way to end is among them"


def test_a_decision_says_why() -> None:
    ends = {}
    for seed in range(60):
        result = decide(*awkward(seed))
        ends[result.stop, result.settled] = result.reason
    assert ends == {
        (False, False): "some orders are open",
        (True, False): "the planned dialogues are played",
        (True, True): "every order in the ranking is sure",
    }


def test_without_self_pairs_a_clear_ranking_is_found_as_soon() -> None:
    everything = tournament()
    clear = Counts.of(
        everything.bots,
        everything.speaker,
        everything.tested,
        np.full(len(everything), 4),
        np.where(np.arange(len(everything)) % 7, everything.tested, 2),
        everything.number,
    )
    looks = []
    for pairs in (ALL, ~np.eye(4, dtype=bool)):
        result = decide(clear.only(pairs.ravel()[clear.cell()]), pairs, StoppingPlan(200))
        assert result.settled and result.order == trials.BOTS
        looks.append(result.looks)
    assert looks == [1, 1]


def test_the_crossing_probability_is_that_of_brownian_paths() -> None:
    """Against 20,000 random walks, which look less often and so cross a little less."""
    rng = np.random.default_rng(1)
    steps = 1000
    paths = np.cumsum(rng.standard_normal((20_000, steps)) / np.sqrt(steps), axis=1)
    time = np.arange(1, steps + 1) / steps
    for scale in (0.8, 1.1):
        seen = np.mean(np.any(np.abs(paths) > scale * (1 + SLOPE * time), axis=1))
        exact = float(crossing(np.array(scale)))
        assert exact * 0.8 < seen < exact * 1.03


def test_holm_is_the_textbook_one() -> None:
    assert holm(np.array([0.01, 0.04, 0.03])) == pytest.approx([0.03, 0.06, 0.06])


def test_claims_about_equal_bots_stay_rare_however_often_one_looks() -> None:
    result = trials.equals(150, 0.0)
    assert result.sequential <= 0.08  # 0.05 and two standard errors of 150 trials; make measure has 1,000
    assert result.leaderboard <= 0.09  # 0.05, likewise
    assert result.stopped <= 0.09


def test_dialogues_are_saved_and_the_ranking_is_right() -> None:
    whole = trials.savings(60)
    assert whole.used <= 0.62 and whole.right >= 0.93
    for bot in ("DialoGPT", "DialoFlow"):
        rest = trials.savings(40, left_out=bot)
        assert rest.used <= 0.40 and rest.right >= 0.95


def test_a_killed_tournament_goes_on_as_if_nothing_had_happened() -> None:
    """Playing exactly what is asked for, from nothing and in pieces, ends where the whole data end."""
    everything = tournament()
    whole = decide(everything, ALL, StoppingPlan(200))
    played = everything.only(np.zeros(len(everything), bool))
    rng = np.random.default_rng(1)
    for _ in range(500):
        decision = decide(played, ALL, StoppingPlan(200))
        if decision.stop:
            break
        wanted = everything.number < decision.targets.ravel()[everything.cell()]
        missing = np.flatnonzero(wanted & ~_there(everything, played))
        assert len(missing)
        done = rng.choice(missing, max(1, len(missing) // 2), replace=False)  # killed half way
        played = everything.only(np.union1d(np.flatnonzero(_there(everything, played)), done))
    assert decision.stop
    assert _same(decision, whole)
    assert len(played) == decision.targets.sum()


def _there(everything: Counts, played: Counts) -> np.ndarray:  # type: ignore[type-arg]
    return np.isin(everything.cell() * 1000 + everything.number, played.cell() * 1000 + played.number)


def _same(one: Decision, other: Decision) -> bool:
    return (
        np.array_equal(one.targets, other.targets)
        and np.array_equal(one.claims, other.claims)
        and (one.order, one.looks, one.probability) == (other.order, other.looks, other.probability)
    )


def test_open_ranks_get_the_dialogues() -> None:
    decision = decide(tournament(), ALL, StoppingPlan(200))
    per_bot = dict(zip(trials.BOTS, decision.targets.mean(0).tolist(), strict=True))
    assert min(per_bot["DialoGPT"], per_bot["DialoFlow"]) > 1.5 * max(per_bot["Plato"], per_bot["Blender"])


def test_failed_and_silent_dialogues_do_not_stall_the_plan() -> None:
    silent = Counts.of(("a", "b"), [0, 0, 1, 1] * 5, [0, 1, 0, 1] * 5, [0] * 20, [0] * 20)
    decision = decide(silent, np.ones((2, 2), bool), StoppingPlan(5))
    assert decision.stop and not decision.settled and not decision.claims.any()


def test_only_planned_pairs_are_asked_for() -> None:
    pairs = ~np.eye(4, dtype=bool)
    decision = decide(tournament().only(np.zeros(3200, bool)), pairs, StoppingPlan(200))
    assert not decision.stop
    assert (decision.targets[~pairs] == 0).all() and (decision.targets[pairs] == 20).all()


def test_certainty_that_shows_no_spread_needs_more_than_a_few_dialogues() -> None:
    """0 of 1 against 1 of 1 in two dialogues is no proof."""
    tiny = Counts.of(("a", "b"), [0, 0, 1, 1] * 2, [0, 1, 0, 1] * 2, [1] * 8, [0, 1, 0, 1] * 2)
    assert not decide(tiny, np.ones((2, 2), bool), StoppingPlan(2)).claims.any()
