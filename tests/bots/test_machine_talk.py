"""Which speakers say that they are a machine."""

from __future__ import annotations

import pytest

from bots.machine_talk import claims, sounds


@pytest.mark.parametrize(
    "text",
    [
        "As an AI language model, I don't have hobbies.",
        "I'm just a computer program.",
        "As a virtual assistant I have no home.",
        "I do not have personal experiences.",
    ],
)
def test_machines_say_so(text: str) -> None:
    assert claims(text) and sounds(text)


@pytest.mark.parametrize(
    "text",
    ["I'm an assistant manager.", "My son studies AI.", "I am a chatty person.", "As an artist I paint."],
)
def test_people_do_not(text: str) -> None:
    assert not claims(text) and not sounds(text)


def test_an_offer_of_help_sounds_like_a_machine_and_claims_nothing() -> None:
    assert sounds("How can I help you today?") and not claims("How can I help you today?")
