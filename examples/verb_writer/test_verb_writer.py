import asyncio

import pytest
from verb_writer import create

from arena import testing
from arena.core.errors import InputError
from arena.core.types import Kind
from inquirer import build


def test_it_keeps_the_rules_of_writers() -> None:
    testing.check_writer(create)
    testing.check_writer(create, {"form": "So, what do you {verb}?"})


@pytest.mark.parametrize(
    ("utterance", "questions"),
    [
        ("I have two dogs.", ["What do you have?"]),
        ("I like jazz.", ["What do you like?"]),
        ("My sister likes jazz.", []),
    ],
)
def test_what_it_asks(utterance: str, questions: list[str]) -> None:
    inquirer = build({"entities": "rules", "questions": "verb"})
    (report,) = asyncio.run(inquirer.inquire([utterance], [Kind.WH]))
    assert [question.text for question in report.questions] == questions


def test_a_form_without_a_verb_is_refused() -> None:
    with pytest.raises(InputError, match=r"\{verb\}"):
        create({"form": "Why?"})
