"""Stability curves: the paper's figure, speed of thought, and what references may say."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from arena.errors import InputError
from arena.stats import simulate
from arena.stats.counts import Counts
from arena.stats.intervals import rates_of
from arena.stats.stability import neighbours, separation, stability
from tests.stats import trials


@pytest.fixture(scope="module")
def played() -> Counts:
    rng = np.random.default_rng(4)
    return simulate.tournament(trials.BOTS, trials.AUTO, trials.QUESTIONS, 60, 0.1, rng)


@pytest.mark.parametrize("correlation", [0.0, 0.2])
def test_the_papers_figure_2(correlation: float) -> None:
    """Averaged over tournaments, the experts' ranking comes out in 95% at 75 to 200 dialogues a pair."""
    reached = trials.reaches(trials.reproduced(400, correlation))
    assert reached is not None and 75 <= reached <= 200


@pytest.mark.parametrize("bot", ["DialoGPT", "DialoFlow"])
def test_the_papers_figure_2_with_one_of_the_close_pair_left_out(bot: str) -> None:
    reached = trials.reaches(trials.reproduced(400, 0.1, bot))
    assert reached is not None and reached <= 50


def test_the_curve_is_what_sub_samples_say(played: Counts) -> None:
    """Against the plainest way to do it: draw, rank, compare."""
    result = stability(played, simulate.AIH_EXPERTS, rounds=400, seed=1)
    rng = np.random.default_rng(2)
    size = 20
    wanted = [trials.BOTS.index(name) for name in simulate.AIH_EXPERTS]
    same = 0
    for _ in range(400):
        picked = [
            rng.choice(np.flatnonzero(played.cell() == cell), size, replace=False) for cell in range(16)
        ]
        rates = rates_of(played.only(np.concatenate(picked)).cells())[wanted]
        same += all(a < b for a, b in itertools.pairwise(rates))
    at = result.curve.dialogues.index(size)
    assert result.curve.agreement[at] == pytest.approx(same / 400, abs=0.1)


def test_leaving_a_bot_out_equals_a_tournament_without_it(played: Counts) -> None:
    whole = stability(played, rounds=300, seed=1)
    rest = stability(played.without(3), rounds=300, seed=1)
    ours = whole.leave_one_out["DialoFlow"]
    assert rest.reference == tuple(name for name in whole.reference if name != "DialoFlow")
    assert ours.agreement == pytest.approx(rest.curve.agreement, abs=0.11)


def test_without_a_reference_the_curve_ends_at_one_and_says_so(played: Counts) -> None:
    result = stability(played, rounds=50)
    assert (result.curve.agreement[-1], result.curve.kendall[-1]) == (1.0, 1.0)
    assert not result.given and "by construction" in result.notes[0]
    assert result.curve.stable_at() is not None
    assert result == stability(played, rounds=50)


def test_a_reversed_reference_is_never_reached(played: Counts) -> None:
    result = stability(played, simulate.AIH_EXPERTS[::-1], rounds=50)
    assert result.curve.stable_at() is None
    assert result.curve.kendall[-1] == -1


@pytest.mark.parametrize(
    ("reference", "says"),
    [
        (["Plato", "Nobody"], "names Nobody"),
        (["Plato", "Plato"], "twice"),
        (["Plato"], "at least two"),
    ],
)
def test_a_wrong_reference_is_one_clear_sentence(played: Counts, reference: list[str], says: str) -> None:
    with pytest.raises(InputError, match=says):
        stability(played, reference)


def test_a_partial_reference_ranks_only_its_bots(played: Counts) -> None:
    result = stability(played, ["Plato", "Blender"], rounds=20)
    assert result.reference == ("Plato", "Blender")
    assert any("Left out" in note for note in result.notes)


def test_unequal_pairs_are_sampled_up_to_the_smallest(played: Counts) -> None:
    fewer = played.only((played.cell() != 5) | (played.number < 10))
    result = stability(fewer, rounds=20)
    assert max(result.curve.dialogues) == 10
    assert any("10 to 60" in note for note in result.notes)


def test_nothing_judged_is_said() -> None:
    with pytest.raises(InputError, match="judged"):
        stability(Counts.of(("a", "b"), [0], [1], [0], [0]))


def test_the_extrapolated_number_does_separate() -> None:
    """At the number of dialogues it names, the intervals part about as often as not."""
    rng = np.random.default_rng(3)
    played = simulate.tournament(trials.BOTS, trials.AUTO, trials.QUESTIONS, 2000, 0, rng)
    found = separation(played, 2, 3)
    assert (found.better, found.worse) == ("DialoGPT", "DialoFlow")
    assert found.low <= found.need <= found.high
    assert 0.3 * 400 < found.need < 3 * 400  # (1.96 (0.0114 + 0.0081) √200 / 0.033)² is about 270 to 400
    small = separation(played.only(played.number < 10), 2, 3)
    assert small.high == float("inf")


def test_neighbours_come_in_the_order_of_the_ranking(played: Counts) -> None:
    ranking = stability(played, rounds=1).reference
    assert [(s.better, s.worse) for s in neighbours(played)] == list(itertools.pairwise(ranking))
