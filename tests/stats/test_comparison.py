"""Comparing releases: a change is found, noise is not, and what cannot be compared is refused."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest
from numpy.typing import ArrayLike
from scipy.stats import beta, ttest_ind, ttest_rel

from arena.stats import simulate
from arena.stats.comparison import Release, Setting, Verdict, compare, verdict
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
    actual = trials.releases(20, paired=paired)
    assert actual.quiet >= 0.85  # 0.95 and what 20 trials allow; make measure has 1,000
    assert actual.found >= 0.9
    assert actual.covered >= 0.88


def test_an_unchanged_bot_is_unchanged() -> None:
    counts = played()
    result = compare(trials.release("a", counts), trials.release("b", counts))
    assert result.comparable
    behind = counts.cells().inquiries
    for at, change in enumerate(result.changes):
        assert (change.delta, change.verdict) == (0, Verdict.UNCHANGED)
        others = sum(int(behind[speaker, at]) for speaker in range(3) if speaker != at)
        assert change.inquiries == (others, others) and others > 0
        assert np.isnan([change.p_value, change.low, change.detectable]).all()
        assert change.paired == 80 and change.unpaired == 0


def test_a_bot_that_is_never_under_test_is_not_compared() -> None:
    counts = played()
    kept = counts.tested != NAMES.index("a")
    asked = replace(
        counts,
        **{
            field.name: value[kept] if len(value) == len(kept) else value
            for field in fields(counts)
            if isinstance(value := getattr(counts, field.name), np.ndarray)
        },
    )
    result = compare(trials.release("a", asked), trials.release("b", asked))
    assert [change.bot for change in result.changes] == ["b", "c"]
    assert not result.notes and not result.only_a and not result.only_b


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


# --- the arithmetic, held against a second way of doing it


def one_cell(a: list[tuple[int, int]], b: list[tuple[int, int]], first: int = 100) -> tuple[Release, Release]:
    """Dialogues (inquiries, contradictions) of b with a; those of the second release are numbered from `first`."""
    sides = [
        Counts.of(NAMES, [1] * len(rows), [0] * len(rows), [m for m, _ in rows], [c for _, c in rows])
        for rows in (a, b)
    ]
    return trials.release("a", sides[0]), trials.release("b", sides[1], (0,), first)


def mover(a: tuple[float, float, float], b: tuple[float, float, float]) -> tuple[float, float]:
    """Newcombe's interval of a difference b − a from two intervals (rate, low, high)."""
    difference = b[0] - a[0]
    below = ((b[0] - b[1]) ** 2 + (a[2] - a[0]) ** 2) ** 0.5
    above = ((b[2] - b[0]) ** 2 + (a[0] - a[1]) ** 2) ** 0.5
    return difference - below, difference + above


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_two_sides_without_spread_get_their_exact_intervals_joined(level: float) -> None:
    a, b = one_cell([(2, 0)] * 6 + [(0, 0)], [(2, 2)] * 9)
    change = compare(a, b, level=level).changes[0]
    tail = (1 - level) / 2
    never = (0.0, 0.0, float(beta.ppf(1 - tail, 1, 6)))  # Clopper and Pearson, 0 of 6 and 9 of 9
    always = (1.0, float(beta.ppf(tail, 9, 1)), 1.0)
    low, high = mover(never, always)
    assert (change.delta, change.low, change.high) == pytest.approx((1.0, low, high))
    assert (change.paired, change.unpaired) == (0, 16)


def test_twins_without_spread_count_once_on_each_side() -> None:
    change = compare(*one_cell([(3, 0)] * 8, [(3, 3)] * 8, first=0)).changes[0]
    bound = float(beta.ppf(0.975, 1, 8))
    assert (change.paired, change.unpaired) == (8, 0)
    assert change.low == pytest.approx(1 - np.hypot(bound, bound))


def test_the_interval_is_nearly_the_bootstraps() -> None:
    rng = np.random.default_rng(3)
    rows_a = [(4, int(c)) for c in rng.binomial(4, 0.2, 60)]
    rows_b = [(4, int(c)) for c in rng.binomial(4, 0.4, 40)]
    for level in (0.8, 0.95):
        change = compare(*one_cell(rows_a, rows_b), level=level).changes[0]
        sides = [np.array([c / 4 for _, c in rows]) for rows in (rows_a, rows_b)]
        drawn = [side[rng.integers(0, len(side), (20_000, len(side) - 1))].mean(1) for side in sides]
        low, high = np.quantile(drawn[1] - drawn[0], [(1 - level) / 2, (1 + level) / 2])
        assert change.delta == pytest.approx(sides[1].mean() - sides[0].mean())
        assert (change.low, change.high) == pytest.approx((low, high), abs=0.01)


def test_independent_dialogues_are_tested_as_welch_does_and_twins_by_their_differences() -> None:
    rng = np.random.default_rng(6)
    a, b = rng.binomial(4, 0.2, 80), rng.binomial(4, 0.3, 80)
    rows = [[(4, int(c)) for c in side] for side in (a, b)]
    lone = compare(*one_cell(*rows)).changes[0]
    assert lone.p_value == pytest.approx(ttest_ind(a, b, equal_var=False).pvalue, rel=0.1)
    twins = compare(*one_cell(*rows, first=0)).changes[0]
    assert (twins.paired, twins.unpaired) == (80, 0)
    assert twins.p_value == pytest.approx(ttest_rel(a, b).pvalue, rel=0.1)


def test_what_can_be_detected_is_found_in_four_of_five() -> None:
    change = compare(
        trials.release("a", played()), trials.release("b", played(seed=2), (0,), 10_000)
    ).changes[0]
    count = 0
    for seed in range(60):
        risen = played(np.array([0.25 + change.detectable, 0.25, 0.25]), seed=100 + seed)
        again = compare(
            trials.release("a", played(seed=200 + seed)), trials.release("b", risen, (0,), 10_000)
        )
        count += again.changes[0].p_value <= 0.05
    assert 0.65 <= count / 60 <= 0.95


def test_near_zero_the_margin_is_a_share_of_the_rates() -> None:
    a, b = (played(rate, dialogues=150, seed=seed) for rate, seed in ((0.002, 1), (0.02, 2)))
    sides = trials.release("a", a), trials.release("b", b, (0,), 10_000)
    assert compare(*sides).changes[0].verdict is not Verdict.SAME
    assert compare(*sides, relative_margin=10).changes[0].verdict is Verdict.SAME


def test_one_dialogue_a_side_has_no_interval() -> None:
    change = compare(*one_cell([(4, 1)], [(4, 2)] * 5)).changes[0]
    assert np.isnan([change.low, change.high]).all() or change.verdict is Verdict.UNCLEAR
    assert change.delta == pytest.approx(0.25)


def test_a_speaker_that_asked_nothing_in_one_release_does_not_count() -> None:
    a = Counts.of(NAMES, [1, 1, 2, 2], [0, 0, 0, 0], [4, 4, 1, 1], [1, 2, 1, 0])
    for inquiries, speakers in ((1, ("b", "c")), (0, ("b",))):
        b = Counts.of(NAMES, [1, 1, 2, 2], [0, 0, 0, 0], [4, 4, inquiries, 0], [1, 2, 0, 0])
        change = compare(trials.release("a", a), trials.release("b", b, (0,), 50)).changes[0]
        assert change.speakers == speakers


def test_a_bot_whose_speakers_all_changed_is_named() -> None:
    a, b = trials.release("a", played()), trials.release("b", played(seed=2), (1, 2))
    notes = compare(a, b).notes
    assert len(notes) == 1 and notes[0].startswith("a: ")
