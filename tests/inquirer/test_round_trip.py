"""The round trip with the reader that is shipped: what the utterance does not answer is not asked."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from arena.core import plugins
from arena.core.types import Kind, Question
from inquirer.base import Reader, Task
from inquirer.entities.rules import Rules
from inquirer.filters import AGREEMENT, overlap
from inquirer.inquirer import Inquirer


class Unfounded:
    """Asks of everything found one question that the utterance answers and some that it does not."""

    revision = "unfounded"

    def __init__(self, questions: Sequence[str]) -> None:
        self.questions = questions

    async def write(self, tasks: Sequence[Task]) -> list[list[Question]]:
        return [
            [Question(text, e, Kind.WH, 0.5, e.text) for e in task.entities for text in self.questions]
            for task in tasks
        ]


@pytest.fixture(scope="module")
def reader() -> Reader:
    shipped: Reader = plugins.load("arena.readers", "embedded")({})
    return shipped


@pytest.mark.parametrize(
    ("utterance", "answered", "unfounded", "entity"),
    [
        (
            "i have two dogs and i live in ohio .",
            "How many dogs do you have?",
            "What is your wife's name?",
            "two",
        ),
        (
            "my name is sarah and i am a nurse .",
            "What is your name?",
            "What instrument do you play?",
            "sarah",
        ),
        ("i moved to chicago in 2010 .", "Where did you move in 2010?", "What color is your car?", "chicago"),
    ],
)
async def test_only_what_the_utterance_answers_with_the_entity_is_asked(
    reader: Reader, utterance: str, answered: str, unfounded: str, entity: str
) -> None:
    writers = [Unfounded([answered, unfounded])]
    freely = (await Inquirer(Rules(), writers, top=2).inquire([utterance], [Kind.WH]))[0]
    checked = (await Inquirer(Rules(), writers, reader, top=2).inquire([utterance], [Kind.WH]))[0]
    assert unfounded in {q.text for q in freely.questions}
    assert {q.text for q in checked.questions} == {answered}
    assert all(overlap(entity, q.entity.text) >= AGREEMENT for q in checked.questions)
    assert checked.refused["round_trip"] >= len(checked.entities)
