"""People's scores of chats, their marks on utterances, and how far labelling is."""

from __future__ import annotations

import math

import pytest

from arena.stats.sessions import marks, progress, scores


def test_a_bots_score_is_the_mean_over_people_not_over_chats():
    score = scores([("ann", "a", 1.0), ("ann", "a", 3.0), ("bob", "a", 5.0), ("bob", "b", 4.0)])
    assert score.by_person == {"ann": {"a": 2.0}, "bob": {"a": 5.0, "b": 4.0}}
    assert score.mean == {"a": 3.5, "b": 4.0}
    assert score.chats == {"a": 3, "b": 1}
    assert (score.bots, score.people) == (("b", "a"), ("ann", "bob"))


def test_equal_scores_stand_by_name():
    assert scores([("ann", "z", 2.0), ("ann", "c", 2.0), ("ann", "m", 3.0)]).bots == ("m", "c", "z")


def test_marks_are_by_majority_and_ties_stay_open():
    given = [
        *(("ann", "a", "1", index, index == 0) for index in range(4)),
        *(("bob", "a", "1", index, index <= 1) for index in range(4)),
        ("ann", "a", "2", 0, True),
    ]
    (score,) = marks(given)
    assert (score.utterances, score.inconsistent, score.open) == (5, 2, 1)
    assert (score.chats, score.people) == (2, 2)
    assert score.per_chat == 1.0
    assert score.rate == 2 / 4


def test_two_of_three_decide():
    (score,) = marks([(who, "a", "1", 0, who != "cat") for who in ("ann", "bob", "cat")])
    assert (score.inconsistent, score.open) == (1, 0)


def test_the_most_consistent_bot_stands_first():
    given = [
        ("ann", "bad", "1", 0, True),
        ("ann", "good", "1", 1, False),
        ("ann", "also good", "2", 0, False),
    ]
    assert [one.bot for one in marks(given)] == ["also good", "good", "bad"]


def test_a_bot_with_ties_alone_has_no_rate():
    (score,) = marks([("ann", "a", "1", 0, True), ("bob", "a", "1", 0, False)])
    assert math.isnan(score.rate)
    assert score.per_chat == 0.0


def test_progress_counts_items_people_and_their_seconds():
    score = progress([("x", "bob", 4.0), ("x", "ann", 2.0), ("y", "ann", None), ("z", "ann", 6.0)], 2)
    assert (score.begun, score.complete) == (3, 1)
    assert score.by_person == (("ann", 3, 4.0), ("bob", 1, 4.0))


def test_seconds_that_nobody_measured_stay_unknown():
    (person,) = progress([("x", "ann", None)], 1).by_person
    assert person[:2] == ("ann", 1)
    assert math.isnan(person[2])


@pytest.mark.parametrize("nothing", [scores, marks])
def test_without_labels_there_is_nothing(nothing):
    result = nothing([])
    assert (result.bots if nothing is scores else result) == ()
    assert progress([], 1).by_person == ()
