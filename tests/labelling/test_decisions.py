"""A final decision outweighs the vote, and is nobody's opinion."""

from __future__ import annotations

from arena.core.types import Label
from arena.labelling.schemas import DECIDER
from arena.labelling.work import splits, work
from arena.results.votes import ratings, votes_of


def label(subject: str, person: str, contradicts: object) -> Label:
    values = {"contradicts": contradicts, "relevant": True, "appropriate": True}
    return Label(subject, "inquiry", "aih", person, values, seconds=1.0)


TIED = [label("a", "Ann", True), label("a", "Bob", False)]
MAJORITY = [label("b", "Ann", True), label("b", "Bob", True), label("b", "Cid", False)]


def test_a_tie_has_no_vote_until_it_is_decided() -> None:
    assert "a" not in votes_of(TIED)["contradicts"]
    assert votes_of([*TIED, label("a", DECIDER, False)])["contradicts"]["a"] == 0.0
    assert votes_of([*TIED, label("a", DECIDER, True)])["contradicts"]["a"] == 1.0


def test_a_decision_outweighs_the_majority() -> None:
    assert votes_of(MAJORITY)["contradicts"]["b"] == 1.0
    assert votes_of([*MAJORITY, label("b", DECIDER, False)])["contradicts"]["b"] == 0.0


def test_a_decision_counts_neither_in_agreement_nor_as_work() -> None:
    decided = [*TIED, label("a", DECIDER, True)]
    people, _, table = ratings(decided)
    assert people == ("Ann", "Bob") and table.shape == (2, 1)
    done = work(decided, wanted=2)
    assert [name for name, _, _ in done.by_person] == ["Ann", "Bob"]


def test_what_is_undecided_comes_first() -> None:
    decided = [*TIED, *MAJORITY, label("a", DECIDER, True)]
    assert [(one.subject, one.decided) for one in splits(decided)] == [("b", None), ("a", True)]
    assert [one.subject for one in splits([*MAJORITY, *TIED])] == ["a", "b"]  # ties before majorities
