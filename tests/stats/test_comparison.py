"""Comparing releases: a change is found, noise is not, and what cannot be compared is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import ArrayLike

from arena.stats import simulate
from arena.stats.comparison import Setting, Verdict, compare, verdict
from arena.stats.counts import Counts
from tests.stats import trials

NAMES = ("a", "b", "c")


def played(rates: ArrayLike = 0.25, dialogues: int = 40, seed: int = 1) -> Counts:
    table = np.broadcast_to(np.asarray(rates, float), (3, 3))
    return simulate.tournament(
        NAMES, table, np.full((3, 3), 4.0), dialogues, 0.1, np.random.default_rng(seed)
    )


@pytest.mark.parametrize("paired", [True, False])
def test_noise_is_no_change_and_a_change_is_found(paired: bool) -> None:
    found = trials.releases(20, paired=paired, rounds=400)
    assert found.quiet >= 0.85  # 0.95 and what 20 trials allow; make measure has 1,000
    assert found.found >= 0.9
    assert found.covered >= 0.88


def test_the_same_dialogues_are_the_same() -> None:
    counts = played()
    result = compare(trials.release("a", counts), trials.release("b", counts))
    assert result.comparable
    for change in result.changes:
        assert (change.delta, change.low, change.high, change.verdict) == (0, 0, 0, Verdict.SAME)
        assert change.paired == 80 and change.unpaired == 0


def test_better_and_worse_speak_of_b() -> None:
    good = np.full((3, 3), 0.25)
    good[:, 0], good[:, 1] = 0.05, 0.6
    result = compare(
        trials.release("a", played(dialogues=100)), trials.release("b", played(good, 100, 2), (0, 1))
    )
    verdicts = {change.bot: change.verdict for change in result.changes}
    assert (verdicts["a"], verdicts["b"]) == (Verdict.BETTER, Verdict.WORSE)
    assert result.regressed == ("b",)
    change = next(c for c in result.changes if c.bot == "a")
    assert change.delta == pytest.approx(change.rate_b - change.rate_a)
    assert change.rank_b == 1


def test_only_cells_with_the_same_speaker_count_and_self_pairs_stand_apart() -> None:
    table = np.full((3, 3), 0.25)
    table[1, 0] = 0.9  # changed speaker b makes a contradict itself
    table[0, 0] = 0.9
    result = compare(
        trials.release("a", played(dialogues=60)), trials.release("b", played(table, 60, 2), (0, 1))
    )
    change = result.changes[0]
    assert change.speakers == ("c",)
    assert change.verdict is not Verdict.WORSE
    assert change.self_pair is not None and change.self_pair.delta > 0.5


def test_no_cell_left_is_a_reason_and_force_shows_nothing_it_does_not_know() -> None:
    a, b = trials.release("a", played()), trials.release("b", played(seed=2), (0, 1, 2))
    result = compare(a, b)
    assert not result.comparable and result.changes == () and "no pair is left" in result.reasons[0]
    forced = compare(a, b, force=True)
    assert not forced.comparable and {c.verdict for c in forced.changes} == {Verdict.UNCLEAR}
    assert all(c.self_pair is not None for c in forced.changes)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"judge": "other"}, "judges differ"),
        ({"revision": "2"}, "revisions of judge"),
        ({"inquirer": "other"}, "inquirers differ"),
        ({"turns": frozenset([3])}, "numbers of turns differ"),
        ({"openers": frozenset(["hi"])}, "openers differ"),
        ({"tau": 0.1}, "thresholds differ"),
    ],
)
def test_each_obstacle_is_named(change: dict[str, object], says: str) -> None:
    a = trials.release("a", played())
    setting: Setting = replace(trials.SETTING, **change)  # type: ignore[arg-type]
    b = replace(trials.release("b", played(seed=2)), setting=setting)
    result = compare(a, b)
    assert not result.comparable and any(says in reason for reason in result.reasons)
    assert compare(a, b, force=True).changes


def test_three_clean_dialogues_are_no_proof_of_sameness() -> None:
    none = Counts.of(NAMES, [1, 1, 1], [0, 0, 0], [2, 2, 2], [0, 0, 0])
    change = compare(trials.release("a", none), trials.release("b", none, (0,), 100)).changes[0]
    assert change.verdict is Verdict.UNCLEAR and change.high > 0.3


def test_verdicts() -> None:
    assert verdict(0.01, -0.02, 0.025, 0.2, 0.03, 0.05) is Verdict.SAME
    assert verdict(0.02, 0.015, 0.025, 0.001, 0.03, 0.05) is Verdict.SAME  # sure, and too small to matter
    assert verdict(0.05, 0.01, 0.09, 0.01, 0.03, 0.05) is Verdict.WORSE
    assert verdict(-0.05, -0.09, -0.01, 0.01, 0.03, 0.05) is Verdict.BETTER
    assert verdict(0.05, 0.01, 0.09, 0.2, 0.03, 0.05) is Verdict.UNCLEAR  # after Holm
    assert verdict(float("nan"), 0, 0, 0, 0.03, 0.05) is Verdict.UNCLEAR


def test_bots_of_one_side_only_are_listed() -> None:
    a, b = trials.release("a", played()), trials.release("b", played(seed=2))
    b = replace(b, counts=replace(b.counts, bots=("a", "b", "new")), identities=("a", "b", "new"))
    result = compare(a, b)
    assert (result.only_a, result.only_b) == (("c",), ("new",))
    assert [c.bot for c in result.changes] == ["a", "b"]
