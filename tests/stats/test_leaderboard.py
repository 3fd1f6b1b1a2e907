"""The leaderboard beside its rates: evasion, groups, what is unjudged, thresholds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from arena.stats.counts import Counts, Inquiries, content
from arena.stats.effort import effort
from arena.stats.leaderboard import leaderboard
from arena.stats.sweeps import by_distance, sweep


def table(
    rows: list[tuple[int, float | None, str, int]],
    speaker: list[int],
    tested: list[int],
    *,
    evasive: list[float] | None = None,
    relevant: list[float] | None = None,
) -> Inquiries:
    """Rows are (dialogue, score or None, kind, distance)."""
    zero = np.zeros(len(speaker), np.int64)
    dialogues = Counts.of(("a", "b"), speaker, tested, zero, zero)
    kinds = tuple(sorted({row[2] for row in rows}))
    nan = [float("nan")] * len(rows)
    return Inquiries(
        dialogues,
        np.array([row[0] for row in rows], np.int64),
        np.array([np.nan if row[1] is None else row[1] for row in rows]),
        np.array([kinds.index(row[2]) for row in rows], np.int64),
        kinds,
        np.array([row[3] for row in rows], np.int64),
        np.zeros(len(rows), np.int64),
        ("PERSON",),
        np.array([0 if row[1] is None else -1 for row in rows], np.int64),
        ("timeout",),
        np.array(evasive or nan),
        np.array(relevant or nan),
    )


def test_a_score_above_tau_contradicts_and_one_at_tau_does_not() -> None:
    data = table([(0, 0.5, "wh", 0), (0, 0.51, "wh", 0)], [0], [1])
    assert leaderboard(data, 0.5).standings[0].contradictions == 1


def test_the_content_of_inquiries_changes_with_whatever_a_figure_rests_on() -> None:
    rows = [(0, 0.5, "wh", 0), (0, 0.9, "wh", 0)]
    data = table(rows, [0], [1])
    assert content(data) == content(table(rows, [0], [1]))
    others = [
        table([rows[0], (0, 0.91, "wh", 0)], [0], [1]),
        table([rows[0], (0, None, "wh", 0)], [0], [1]),
        table(rows, [1], [0]),
        table(rows, [0], [1], evasive=[0.0, 1.0]),
        replace(data, failed=(0, 1)),
    ]
    assert len({content(one) for one in [data, *others]}) == len(others) + 1


def test_only_wh_at_distance_0_counts_unless_told_otherwise() -> None:
    rows = [(0, 0.9, "wh", 0), (0, 0.1, "wh", 4), (0, 0.9, "ask_twice", 0), (0, None, "wh", 0)]
    data = table(rows, [0], [1])
    first = leaderboard(data, 0.5).standings[0]
    assert (first.bot, first.inquiries, first.rate) == ("b", 1, 1.0)
    assert dict(first.unjudged) == {"timeout": 1}
    assert first.by_kind["ask_twice"].inquiries == 1
    assert first.by_distance[4].rate == 0.0
    assert leaderboard(data, 0.5, kind=None, distance=None).standings[0].inquiries == 3
    assert leaderboard(data, 0.5, distance=4).standings[0].rate == 0.0


def test_evasion_does_not_win() -> None:
    rows = [(d, 0.0, "wh", 0) for d in range(20)]
    evasive = [1.0] * 7 + [0.0] * 13
    board = leaderboard(table(rows, [0] * 20, [1] * 20, evasive=evasive), 0.5)
    assert board.standings[0].evasion_rate == 0.35
    assert not board.standings[0].comparable
    assert any("not comparable" in warning for warning in board.notes)
    fewer = table(rows, [0] * 20, [1] * 20, evasive=[1.0] * 6 + [0.0] * 14)
    assert leaderboard(fewer, 0.5).standings[0].comparable


def test_irrelevant_answers_do_not_win_either() -> None:
    rows = [(d, 0.0, "wh", 0) for d in range(40)]
    board = leaderboard(table(rows, [0] * 40, [1] * 40, relevant=[0.0] * 24 + [1.0] * 16), 0.5)
    assert board.standings[0].relevant_rate == 0.4 and not board.standings[0].comparable
    assert (board.standings[0].rank, board.standings[0].rank_high) == (0, 0)
    few = [0.0] * 3 + [np.nan] * 37  # too few labels to count against a bot
    assert leaderboard(table(rows, [0] * 40, [1] * 40, relevant=few), 0.5).standings[0].comparable


def test_little_data_and_silent_pairs_are_said() -> None:
    data = table([(0, 0.9, "wh", 0)], [0, 1], [1, 1])
    board = leaderboard(data, 0.5)
    assert not board.enough
    assert "Not enough data to rank: b." in board.notes  # a only speaks: nobody expects a rank of it
    assert [s.tested for s in board.standings] == [True, False]
    assert any("b → b" in warning for warning in board.notes)
    assert board.matrix["b"]["b"].inquiries == 0 and np.isnan(board.matrix["b"]["b"].rate)
    last = board.standings[-1]
    assert (last.bot, last.rank) == ("a", 0) and np.isnan(last.rate)


def test_an_empty_kind_names_what_was_asked() -> None:
    board = leaderboard(table([(0, 0.9, "ask_twice", 0)], [0], [1]), 0.5)
    assert any("asked were: ask_twice" in warning for warning in board.notes)


def test_ties_are_ties() -> None:
    rows = [(d, float(d % 2), "wh", 0) for d in range(40)]
    board = leaderboard(table(rows, [0] * 40, [0] * 20 + [1] * 20), 0.5)
    assert [s.rank for s in board.standings] == [1, 1]
    assert all(s.tied and (s.rank_low, s.rank_high) == (1, 2) for s in board.standings)


def test_a_lower_rate_on_little_data_stands_below_a_better_rank() -> None:
    """The third bot's rate is the highest, but on so few dialogues that nobody is surely below it."""
    contradicts = (
        [d % 10 == 0 for d in range(200)] + [d % 10 < 3 for d in range(200)] + [d < 4 for d in range(10)]
    )
    tested = [0] * 200 + [1] * 200 + [2] * 10
    zero = np.zeros(len(tested), np.int64)
    dialogues = Counts.of(("calm", "moody", "new"), zero, tested, zero, zero)
    data = Inquiries(
        dialogues,
        np.arange(len(tested)),
        np.array(contradicts, float),
        zero,
        ("wh",),
        zero,
        zero,
        ("X",),
        zero - 1,
        (),
        zero + np.nan,
        zero + np.nan,
    )
    ranked = leaderboard(data, 0.5)
    assert [(s.bot, s.rank, round(s.rate, 1)) for s in ranked.standings] == [
        ("calm", 1, 0.1),
        ("new", 1, 0.4),
        ("moody", 2, 0.3),
    ]


def test_the_sweep_is_the_leaderboard_at_every_tau_and_the_papers_f1() -> None:
    rng = np.random.default_rng(1)
    score = rng.random(200)
    data = table([(d // 4, float(score[d]), "wh", 0) for d in range(200)], [0] * 50, [0, 1] * 25)
    labels = (score + rng.normal(0, 0.2, 200) > 0.5).astype(float)
    labels[::3] = np.nan
    result = sweep(data, (0.2, 0.5), labels=labels)
    for k, tau in enumerate(result.taus):
        rates = {s.bot: s.rate for s in leaderboard(data, tau).standings}
        assert {bot: values[k] for bot, values in result.rates.items()} == pytest.approx(rates)
    assert result.f1 is not None and result.f1[1] > 0.7 and result.labelled == 133
    assert sweep(data, (0.2,), labels=np.full(200, np.nan)).f1 is None


def test_distances_have_intervals_of_their_own() -> None:
    rows = [(d, float(d % 3 == 0), "wh", d % 2 * 4) for d in range(60)]
    result = by_distance(table(rows, [0] * 60, [1] * 60), 0.5)
    assert sorted(result) == [0, 4]
    assert result[4].low[1] < result[4].rate[1] < result[4].high[1]


def test_what_a_dialogue_comes_to() -> None:
    rows = [(d // 4, float(d % 4 == 0), "wh", 0) for d in range(40)]
    standing = leaderboard(table(rows, [0] * 10, [1] * 10), 0.5).standings[0]
    assert (standing.dialogues, standing.inquiries, standing.contradictions) == (10, 40, 10)
    assert (standing.inquiries_per_dialogue, standing.contradictions_per_dialogue) == (4, 1)
    silent = leaderboard(table(rows, [0] * 10, [1] * 10), 0.5).standings[1]
    assert np.isnan(silent.inquiries_per_dialogue) and np.isnan(silent.contradictions_per_dialogue)


def test_effort_is_table_4() -> None:
    nan = np.nan
    rows = [(d // 2, float(d % 2), "wh", 0) for d in range(8)]
    data = table(rows, [0] * 4, [1] * 4)
    votes, spent = [1, 0, nan, nan, 1, nan, nan, nan], [2.0, 3.0, nan, 7.0, nan, nan, nan, nan]
    result = effort(data, 0.5, [10.0, 20.0, nan, 30.0], votes, spent, judging=6.0)
    assert (result.seconds_to_create, result.seconds_to_judge, result.contradictions) == (20, 1.5, 1)
    assert result.people_dialogues == 1  # the others are labelled in part
    assert result.people_seconds_to_judge == 5
    assert result.people_contradictions == 1


def test_effort_that_nobody_measured_is_unknown() -> None:
    data = table([(0, 0.9, "wh", 0)], [0], [1])
    result = effort(data, 0.5, [np.nan], [np.nan], [np.nan])
    assert np.isnan([result.seconds_to_create, result.seconds_to_judge]).all()
    assert np.isnan([result.people_seconds_to_judge, result.people_contradictions]).all()
    assert (result.people_dialogues, result.contradictions) == (0, 1)
    voted = effort(data, 0.5, [np.nan], [0.0], [np.nan])
    assert np.isnan(voted.people_seconds_to_judge)
    assert (voted.people_contradictions, voted.people_dialogues) == (0, 1)
    nothing = effort(table([], [], []), 0.5, [], [], [], judging=3.0)
    assert np.isnan([nothing.seconds_to_judge, nothing.contradictions]).all()


@pytest.mark.parametrize(("silent", "more"), [(5, ""), (6, " and 1 more"), (8, " and 3 more")])
def test_five_silent_pairs_are_named_and_the_others_counted(silent: int, more: str) -> None:
    bots = tuple("abcdefghij")
    speaker, zero = np.arange(silent + 1), np.zeros(1, np.int64)
    dialogues = Counts.of(bots, speaker, [0] * (silent + 1), [0] * (silent + 1), [0] * (silent + 1))
    unknown = np.array([np.nan])
    data = Inquiries(
        dialogues, zero, np.array([0.9]), zero, ("wh",), zero, zero, ("X",), zero - 1, (), unknown, unknown
    )
    warning = next(one for one in leaderboard(data, 0.5).notes if "left out" in one)
    assert warning.count("→") == 5
    assert warning.endswith(f"f → a{more}.")
