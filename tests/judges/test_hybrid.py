"""ConsisTest's pipeline as the paper means it."""

from __future__ import annotations

import pytest

from arena.core.types import Case, Kind
from judges import registry

YES, NO, WH = Kind.YES_NO_TRUE, Kind.YES_NO_FALSE, Kind.WH
# question, fact, answer, kind, expected, consistency; the guard is a judge of rules, which tells these apart.
CASES = [
    ("Are you single?", "I am married.", "Yes, I'm married.", NO, "no", 0.0),
    ("Do you smoke?", "I do not smoke.", "I do not.", NO, "no", 1.0),
    ("Do you smoke?", "I do not smoke.", "I do.", NO, "no", 0.0),
    ("Are you afraid of heights?", "I am not afraid of heights.", "i am not.", NO, "no", 1.0),
    ("Are you afraid of heights?", "I am not afraid of heights.", "No", NO, "no", 1.0),
    ("Can you swim?", "I can swim.", "I can't.", YES, "yes", 0.0),
    ("Is your neighbour loud?", "My neighbour is loud.", "Yes", YES, "yes", 1.0),
    ("Do you drive a mercedes?", "I drive a bmw.", "I do. I drive a bmw.", NO, "no", 0.0),
    ("Do you like goats?", "I like goats.", "I do. I do not like goats.", YES, "yes", 0.0),
    ("Do you like goats?", "I like goats.", "I like goats a lot.", YES, "yes", 1.0),
    ("How many goats do you keep?", "I keep twenty one goats.", "21, and you?", WH, "twenty one", 1.0),
    ("How many goats do you keep?", "I keep two or three goats.", "two three", WH, "two | three", 1.0),
    ("How many goats do you keep?", "I keep two goats.", "I keep three goats.", WH, "two", 0.0),
    (
        "What are your cats called?",
        "My cats are called snow and winter.",
        "They are called winter.",
        WH,
        "snow and winter",
        0.5,
    ),
    ("Where do you live?", "I live in Paris.", "I don't know.", WH, "Paris", 0.0),
    ("Where do you live?", "I live in Paris.", "Do you like it?", WH, "Paris", 0.0),
    ("Where do you live?", "I live in Paris.", "I do not live in Paris.", WH, "Paris", 0.0),
    ("What do you say?", "I say it is it.", "it is", WH, "it is", 1.0),
]


@pytest.mark.parametrize(("question", "fact", "answer", "kind", "expected", "score"), CASES)
async def test_scores(question: str, fact: str, answer: str, kind: Kind, expected: str, score: float) -> None:
    judge = registry.create("hybrid", "hybrid", {"nli": "lexical"})
    [judgement] = await judge.judge([Case(fact, question, answer, kind, expected)])
    assert judgement.contradiction == pytest.approx(1 - score)
    assert judgement.evidence["score"] == pytest.approx(score)


async def test_it_is_right_where_the_released_evaluation_is_not() -> None:
    ours = registry.create("ours", "hybrid", {"nli": "lexical"})
    theirs = registry.create("theirs", "hybrid:compat", {"nli": "lexical"})
    cases = [
        Case(fact, question, answer, kind, expected) for question, fact, answer, kind, expected, _ in CASES
    ]
    right = [1 - case[-1] for case in CASES]
    off = [
        sum(
            abs((one.contradiction if one.contradiction is not None else 1 - truth) - truth)
            for one, truth in zip(judgement, right, strict=True)
        )
        for judgement in (await ours.judge(cases), await theirs.judge(cases))
    ]
    assert off[0] == pytest.approx(0.0)
    assert off[1] >= 5.0


async def test_without_a_truth_nothing_is_judged() -> None:
    for mode in ("corrected", "compat"):
        judge = registry.create("x", "hybrid", {"mode": mode, "nli": "lexical"})
        [judgement] = await judge.judge([Case("I live in Paris.", "Where do you live?", "Paris")])
        assert (judgement.contradiction, judgement.reason) == (None, "no_truth")


async def test_the_kind_stands_for_a_truth_that_is_not_given() -> None:
    judge = registry.create("x", "hybrid", {"nli": "lexical"})
    judgements = await judge.judge([Case("I smoke.", "Do you smoke?", "Nope.", kind) for kind in (YES, NO)])
    assert [one.contradiction for one in judgements] == [1.0, 0.0]


def test_the_guard_and_the_mode_are_part_of_the_revision() -> None:
    built = [
        registry.create("x", "hybrid", {"mode": mode, "nli": nli}).revision
        for mode in ("corrected", "compat")
        for nli in ("lexical", "truth")
    ]
    assert len(set(built)) == 4
