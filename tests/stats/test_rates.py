"""Rates, intervals and ranks, against the paper, by hand and by simulation."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.stats import simulate
from arena.stats.counts import Counts, mean_of_cells
from arena.stats.intervals import Method, Weighting, contradiction_rates, errors_of, intervals
from arena.stats.ranks import order, ranks
from tests.measure._statistics.rates import with_openers
from tests.stats import trials

# AIH's Table 3: column averages (tested), row averages (speakers), all
PAPER = {
    "auto": (simulate.AIH_AUTO, (0.428, 0.255, 0.326, 0.359), (0.339, 0.336, 0.341, 0.351), 0.342),
    "human": (simulate.AIH_HUMAN, (0.441, 0.243, 0.378, 0.410), (0.391, 0.390, 0.338, 0.354), 0.368),
}


@pytest.mark.parametrize("half", PAPER)
def test_the_papers_own_table(half: str) -> None:
    """Whole numbers of contradictions in 1,000 inquiries per pair give the rates of Table 3."""
    table, columns, rows, whole = PAPER[half]
    contradictions = np.rint(np.array(table) * 1000).astype(int)[:, :, None]
    cells = simulate.from_arrays(
        simulate.AIH_BOTS, np.full_like(contradictions, 1000), contradictions
    ).cells()
    rates = contradiction_rates(cells)
    assert rates == pytest.approx(columns, abs=0.001)
    assert mean_of_cells(cells.rates(), axis=1) == pytest.approx(rows, abs=0.001)
    assert rates.mean() == pytest.approx(whole, abs=0.001)
    assert tuple(simulate.AIH_BOTS[j] for j in order(rates)) == ("Plato", "DialoGPT", "DialoFlow", "Blender")


def test_a_pair_without_inquiries_is_left_out_of_the_mean() -> None:
    counts = Counts.of(("a", "b"), [0, 0, 1, 1], [0, 0, 0, 1], [4, 0, 0, 2], [1, 0, 0, 1])
    cells = counts.cells()
    assert np.isnan(cells.rates()[1, 0])
    assert contradiction_rates(cells) == pytest.approx([0.25, 0.5])


def test_macro_and_pooled_means_differ_where_speakers_have_unequal_inquiries() -> None:
    counts = Counts.of(("a", "b"), [0, 1], [0, 0], [10, 2], [1, 2])
    assert contradiction_rates(counts.cells())[0] == pytest.approx((0.1 + 1.0) / 2)
    assert contradiction_rates(counts.cells(), Weighting.INQUIRIES)[0] == pytest.approx(3 / 12)
    assert np.isnan(contradiction_rates(counts.cells())[1])


def test_leaving_a_bot_out_removes_it_from_both_seats() -> None:
    counts = Counts.of(("a", "b", "c"), [0, 1, 2, 0], [1, 2, 0, 2], [1, 2, 3, 4], [0, 0, 0, 0])
    rest = counts.without(1)
    assert rest.bots == ("a", "c")
    assert (rest.speaker.tolist(), rest.tested.tolist(), rest.inquiries.tolist()) == ([1, 0], [0, 1], [3, 4])


@pytest.mark.parametrize("weighting", list(Weighting))
@pytest.mark.parametrize("method", list(Method))
def test_bootstrap_and_linearised_errors_agree(method: Method, weighting: Weighting) -> None:
    rng = np.random.default_rng(2)
    counts = simulate.tournament(trials.BOTS, trials.AUTO, trials.QUESTIONS, 60, 0.2, rng)
    interval = intervals(counts, method=method, weighting=weighting)
    error = errors_of(counts.cells(), weighting)
    assert (interval.high - interval.low) / (2 * 1.96) == pytest.approx(error, rel=0.12)


def test_intervals_depend_on_data_and_seed_only() -> None:
    counts = simulate.tournament(trials.BOTS, trials.AUTO, trials.QUESTIONS, 20, 0, np.random.default_rng(1))
    first, again, other = (intervals(counts, method=Method.BCA, seed=seed) for seed in (3, 3, 4))
    assert first.low.tolist() == again.low.tolist() != other.low.tolist()


def test_no_contradiction_in_few_dialogues_is_no_certainty() -> None:
    counts = Counts.of(("a",), [0] * 12, [0] * 12, [3] * 12, [0] * 12)
    interval = intervals(counts)
    assert interval.low[0] == 0
    assert interval.high[0] == pytest.approx(1 - 0.025 ** (1 / 12))  # a dialogue is one trial


def test_one_dialogue_a_pair_leaves_nearly_everything_open() -> None:
    counts = Counts.of(("a", "b"), [0, 1], [0, 0], [4, 4], [1, 2])
    interval = intervals(counts)
    assert interval.high[0] - interval.low[0] > 0.8


@settings(max_examples=30, deadline=None)
@given(
    rates=st.lists(st.sampled_from([0.0, 0.05, 0.3, 0.9]), min_size=2, max_size=6),
    dialogues=st.integers(2, 30),
    out=st.integers(0, 5),
    seed=st.integers(0, 100),
)
def test_ranks_count_the_claims_and_nothing_else(
    rates: list[float], dialogues: int, out: int, seed: int
) -> None:
    n = len(rates)
    table = np.broadcast_to(np.array(rates), (n, n))
    bots = tuple(f"b{k}" for k in range(n))
    rng = np.random.default_rng(seed)
    counts = simulate.tournament(bots, table, np.full((n, n), 3.0), dialogues, 0.1, rng)
    eligible = np.arange(n) != out
    ranked = ranks(counts, eligible)
    assert not (ranked.below & ranked.below.T).any()  # nobody is both below and above
    assert not ranked.below[~eligible].any() and not ranked.below[:, ~eligible].any()
    for j in np.flatnonzero(eligible):
        assert ranked.rank[j] == ranked.low[j] == 1 + ranked.below[:, j].sum()
        assert ranked.low[j] <= ranked.high[j] == eligible.sum() - ranked.below[j].sum()
    assert (ranked.rank[~eligible] == 0).all() and (ranked.high[~eligible] == 0).all()
    for result in ranked.differences:
        a, b = bots.index(result.a), bots.index(result.b)
        assert result.low <= result.delta <= result.high and 0 <= result.p_value <= 1
        assert bool(ranked.below[a, b] or ranked.below[b, a]) == (
            result.p_value <= 0.05 and result.delta != 0
        )


def test_two_clear_bots_have_two_ranks_and_equals_share_one() -> None:
    table = np.broadcast_to(np.array([0.05, 0.05, 0.6]), (3, 3))
    rng = np.random.default_rng(1)
    counts = simulate.tournament(("a", "b", "c"), table, np.full((3, 3), 4.0), 40, 0.1, rng)
    assert ranks(counts).rank.tolist() == [1, 1, 3]


def test_intervals_cover_and_forgetting_the_clusters_does_not() -> None:
    covered = trials.coverage(120, 40, 0.3, rounds=500)
    for method in Method:
        assert 0.92 <= covered[method.value] <= 0.985, covered
    assert covered["unclustered"] < 0.88, covered


def _with_personas(counts: Counts, personas: np.ndarray) -> Counts:  # type: ignore[type-arg]
    return replace(counts, personas=personas)


def test_personas_that_never_repeat_change_nothing() -> None:
    rng = np.random.default_rng(3)
    counts = simulate.tournament(("a", "b", "c"), np.full((3, 3), 0.3), np.full((3, 3), 4.0), 20, 0.1, rng)
    openers = np.tile(np.arange(20) % 10, 9)
    for known in (counts, replace(counts, openers=openers)):
        alone, unique = intervals(known), intervals(_with_personas(known, rng.permutation(len(counts))))
        assert unique.low == pytest.approx(alone.low) and unique.high == pytest.approx(alone.high)


def test_personas_that_matter_and_repeat_widen_intervals_beyond_those_of_openers() -> None:
    rng = np.random.default_rng(4)
    persona = np.tile(np.arange(60) % 6, 9)
    asked = np.full(len(persona), 4)
    contradictions = rng.binomial(asked, np.array([0.05, 0.1, 0.2, 0.5, 0.7, 0.8])[persona])
    speaker, tested, _ = (axis.ravel() for axis in np.indices((3, 3, 60)))
    counts = Counts.of(("a", "b", "c"), speaker, tested, asked, contradictions)
    counts = replace(counts, openers=np.tile(np.arange(60) // 6, 9))
    one, two = intervals(counts), intervals(_with_personas(counts, persona))
    assert np.all(two.error > 2 * one.error)
    few = _with_personas(counts, np.where(persona < 4, persona, -1))  # fewer than five are taken as they are
    assert intervals(few).error == pytest.approx(one.error)


def test_a_dialogue_with_most_of_the_inquiries_does_not_hide_its_own_error() -> None:
    inquiries, result = np.array([30, 2, 2, 2, 2, 2]), np.array([15, 0, 0, 0, 0, 0])
    equal = Counts.of(("a",), [0] * 6, [0] * 6, [4] * 6, [2, 0, 1, 2, 0, 1])
    uneven = Counts.of(("a",), [0] * 6, [0] * 6, inquiries, result)
    n, rate = 6, 0.25
    plain = np.sum((equal.contradictions - rate * 4) ** 2) / 24**2 * n / (n - 1)
    assert intervals(equal).error[0] == pytest.approx(np.sqrt(plain))
    residual = result - inquiries * 15 / 40
    assert intervals(uneven).error[0] > np.sqrt(np.sum(residual**2) / 40**2 * n / (n - 1))


def test_bots_with_weak_openers_of_their_own_are_rarely_told_apart_by_chance() -> None:
    """Four bots, five openers: covariances between bots estimated from so few would claim far more."""
    rng = np.random.default_rng(5)
    claimed = sum(bool(ranks(with_openers(np.full(4, 0.25), 5, 20, rng)).below.any()) for _ in range(150))
    assert claimed <= 15
