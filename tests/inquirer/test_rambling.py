"""What is not asked of a long reply, by its reason, and that a short one is left alone."""

from __future__ import annotations

import pytest

from arena.types import Kind
from inquirer import build

RULES = {"entities": "rules", "questions": "rules"}
BEFORE = "oh that is so nice of you , thank you very much for asking me about it today . "


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ("by the way i live in a house with", "cut_off"),
        ("he lives in ohio .", "not_the_speaker"),
        ("i want to help .", "pleasantry"),
        ('i live in ohio " .', "unreadable"),
    ],
)
async def test_a_long_reply_is_asked_less(said: str, reason: str) -> None:
    inquest = (await build(RULES).inquire([BEFORE + said], [Kind.WH]))[0]
    assert not inquest.questions
    assert inquest.refused[reason] >= 1


async def test_what_a_long_reply_says_of_its_speaker_is_asked() -> None:
    inquest = (await build(RULES).inquire([BEFORE + "i moved to chicago in 2010 ."], [Kind.WH]))[0]
    assert "When did you move to chicago?" in [q.text for q in inquest.questions]


async def test_a_short_one_is_left_alone() -> None:
    inquest = (await build(RULES).inquire(["he lives in ohio ."], [Kind.WH]))[0]
    assert [q.text for q in inquest.questions] == ["Where does he live?"]
