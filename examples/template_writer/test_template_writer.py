import asyncio

import pytest
from template_writer import create

from arena import testing
from arena.core.errors import InputError
from arena.core.types import Kind
from inquirer import build


def test_it_keeps_the_rules_of_writers() -> None:
    testing.check_writer(create)
    testing.check_writer(create, {"template": "Tell me more about {entity}, will you?"})


def test_what_it_asks() -> None:
    inquirer = build({"entities": "rules", "questions": "template"})
    (report,) = asyncio.run(inquirer.inquire(["I have two dogs."], [Kind.WH]))
    assert [question.text for question in report.questions] == ["What did you say about two dogs?"]


def test_a_template_without_an_entity_is_refused() -> None:
    with pytest.raises(InputError, match=r"\{entity\}"):
        create({"template": "Why?"})
