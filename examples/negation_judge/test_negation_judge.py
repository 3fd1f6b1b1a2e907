import asyncio

import pytest
from negation_judge import judge

from arena import testing
from arena.core.types import Case


def test_it_keeps_the_rules_of_judges() -> None:
    testing.check_judge(judge)
    testing.check_judge(judge, {"also": ["hardly"]})


@pytest.mark.parametrize(
    ("source", "answer", "contradicts"),
    [
        ("I have a dog.", "I have no dog.", True),
        ("I like tea.", "I don't like tea.", True),
        ("I have a dog.", "Yes, a dog.", False),
        ("I have a dog.", "I do not smoke.", False),
    ],
)
def test_what_it_says(source: str, answer: str, contradicts: bool) -> None:
    negation = judge.create("negation", {})
    (judgement,) = asyncio.run(negation.judge([Case(source=source, question="Really?", answer=answer)]))
    assert (judgement.contradiction >= negation.tau) is contradicts
