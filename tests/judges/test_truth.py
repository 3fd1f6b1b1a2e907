"""The judge that reads what a scripted bot recorded of itself."""

from __future__ import annotations

import pytest

from arena.core.types import Case
from judges import registry


def case(**facts: object) -> Case:
    return Case("I have two kids.", "How many kids do you have?", "Three.", facts=facts)


async def test_it_says_what_was_recorded() -> None:
    judge = registry.create("truth", "truth")
    fickle, true, evasive = await judge.judge(
        [case(fickle=True), case(fickle=False), case(fickle=False, evasive=True)]
    )
    assert (fickle.contradiction, true.contradiction) == (1.0, 0.0)
    assert fickle.classes["contradiction"] == true.classes["entailment"] == evasive.classes["neutral"] == 1.0


@pytest.mark.parametrize("facts", [{}, {"fickle": None}, {"fickle": "yes"}])
async def test_without_a_record_nothing_is_judged(facts: dict[str, object]) -> None:
    [judgement] = await registry.create("truth", "truth").judge([case(**facts)])
    assert judgement.contradiction is None
    assert judgement.reason == "no_truth"


async def test_equal_texts_with_other_records_have_other_keys() -> None:
    judge = registry.create("truth", "truth")
    assert judge.key(case(fickle=True)) != judge.key(case(fickle=False))
