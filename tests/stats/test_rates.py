"""Rates, intervals and ranks, against the paper, by hand and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.stats import simulate
from arena.stats.counts import Counts, mean_of_cells
from arena.stats.intervals import Method, Weighting, errors_of, intervals, rates_of
from arena.stats.ranks import order, ranks
from tests.stats import trials

# AIH's Table 3: column averages (tested), row averages (speakers), all
PAPER = {
    "auto": (simulate.AIH_AUTO, (0.428, 0.255, 0.326, 0.359), (0.339, 0.336, 0.341, 0.351), 0.342),
    "human": (simulate.AIH_HUMAN, (0.441, 0.243, 0.378, 0.410), (0.391, 0.390, 0.338, 0.354), 0.368),
}


@pytest.mark.parametrize("half", PAPER)
def test_the_papers_own_table(half: str) -> None:
    """Whole numbers of contradictions in 1,000 inquiries a pair give the rates of Table 3."""
    table, columns, rows, whole = PAPER[half]
    found = np.rint(np.array(table) * 1000).astype(int)[:, :, None]
    cells = simulate.from_arrays(simulate.AIH_BOTS, np.full_like(found, 1000), found).cells()
    rates = rates_of(cells)
    assert rates == pytest.approx(columns, abs=0.001)
    assert mean_of_cells(cells.rates(), axis=1) == pytest.approx(rows, abs=0.001)
    assert rates.mean() == pytest.approx(whole, abs=0.001)
    assert tuple(simulate.AIH_BOTS[j] for j in order(rates)) == ("Plato", "DialoGPT", "DialoFlow", "Blender")


def test_a_pair_without_inquiries_is_left_out_of_the_mean() -> None:
    counts = Counts.of(("a", "b"), [0, 0, 1, 1], [0, 0, 0, 1], [4, 0, 0, 2], [1, 0, 0, 1])
    cells = counts.cells()
    assert np.isnan(cells.rates()[1, 0])
    assert rates_of(cells) == pytest.approx([0.25, 0.5])


def test_macro_and_pooled_means_differ_where_speakers_have_unequal_inquiries() -> None:
    counts = Counts.of(("a", "b"), [0, 1], [0, 0], [10, 2], [1, 2])
    assert rates_of(counts.cells())[0] == pytest.approx((0.1 + 1.0) / 2)
    assert rates_of(counts.cells(), Weighting.INQUIRIES)[0] == pytest.approx(3 / 12)
    assert np.isnan(rates_of(counts.cells())[1])


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
    first, again, other = (intervals(counts, seed=seed) for seed in (3, 3, 4))
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


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=12))
def test_ranks_claim_what_the_intervals_do(bounds: list[tuple[float, float]]) -> None:
    low = np.array([min(pair) for pair in bounds])
    high = np.array([max(pair) for pair in bounds])
    ranked = ranks(low, high)
    for j in range(len(bounds)):
        assert ranked.rank[j] == 1 + sum(h < low[j] for h in high)
        assert ranked.low[j] <= ranked.rank[j] <= ranked.high[j]
        assert ranked.high[j] == len(bounds) - sum(other > high[j] for other in low)


def test_equal_intervals_share_a_rank_and_unknown_bots_have_none() -> None:
    ranked = ranks(np.array([0.1, 0.1, 0.5, np.nan]), np.array([0.2, 0.2, 0.6, np.nan]))
    assert ranked.rank.tolist() == [1, 1, 3, 0]


def test_intervals_cover_and_forgetting_the_clusters_does_not() -> None:
    covered = trials.coverage(120, 40, 0.3, rounds=500)
    for method in Method:
        assert 0.92 <= covered[method.value] <= 0.985, covered
    assert covered["unclustered"] < 0.88, covered
