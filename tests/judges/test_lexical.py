"""What rules on words can tell, and what they cannot."""

from __future__ import annotations

import pytest

from arena.core.types import Case, Kind
from judges import registry

TOLD = [
    ("I have two kids.", "How many kids do you have?", "Three.", True),
    ("I have two kids.", "How many kids do you have?", "I have 2.", False),
    ("I have three kids", "How many kids do you have?", "I have no kids. I wish to have one.", True),
    ("I'm twenty-one.", "How old are you?", "I am 21 years old.", False),
    ("I work at a daycare center.", "Where do you work?", "A daycare center for young children", False),
    ("I live in Paris.", "Where do you live?", "I live in London, and you?", True),
    ("I am not married.", "Are you married?", "Yes, I am.", True),
    ("I am married.", "Are you married?", "i am. what about you?", False),
    ("I don't have any pets.", "Do you have any pets?", "no i do not", False),
    ("I love dogs.", "What do you love?", "I do not love dogs.", True),
]


@pytest.mark.parametrize(("source", "question", "answer", "contradicts"), TOLD)
async def test_plain_cases(source: str, question: str, answer: str, contradicts: bool) -> None:
    judge = registry.create("lexical", "lexical")
    [judgement] = await judge.judge([Case(source, question, answer)])
    assert judgement.contradiction is not None
    assert (judgement.contradiction > judge.tau) is contradicts
    assert sum(judgement.classes.values()) == pytest.approx(1.0)
    assert judgement.contradiction == judgement.classes["contradiction"]


@pytest.mark.parametrize("answer", ["I don't know.", "Why do you ask?", "I would rather not say."])
async def test_an_evasion_is_neutral(answer: str) -> None:
    [judgement] = await registry.create("lexical", "lexical").judge(
        [Case("I have two kids.", "How many kids do you have?", answer)]
    )
    assert max(judgement.classes, key=lambda name: judgement.classes[name]) == "neutral"
    assert judgement.evidence["rule"] == "evasion"


async def test_the_kind_of_a_yes_no_question_is_the_truth() -> None:
    judge = registry.create("lexical", "lexical")
    texts = ("I live in Paris.", "Do you live in London?", "Yes.")
    asked_false, asked_true = await judge.judge(
        [Case(*texts, kind=Kind.YES_NO_FALSE), Case(*texts, kind=Kind.YES_NO_TRUE)]
    )
    assert asked_false.contradiction == 0.9
    assert asked_true.contradiction == 0.05


async def test_nothing_said_is_not_judged() -> None:
    [judgement] = await registry.create("lexical", "lexical").judge(
        [Case("I have two kids.", "How many?", "  ")]
    )
    assert (judgement.contradiction, judgement.reason) == (None, "empty_answer")


async def test_meaning_is_beyond_it() -> None:
    """Its page says so; if this ever fails, the page is wrong."""
    [judgement] = await registry.create("lexical", "lexical").judge(
        [Case("I am a doctor.", "What is your job?", "I am a physician.")]
    )
    assert judgement.contradiction is not None and judgement.contradiction > 0.5
