"""Which sentences of a message can be contradicted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judges.assertions import assertions, near_copies, of_persona, sentences, states


@pytest.mark.parametrize(
    "sentence",
    [
        "I have two dogs.",
        "My name is Elena",
        "we live near the sea",
        "Oh, I'm a nurse from Boston!",
        "As an AI language model, I don't have personal experiences.",
        "I think cats are my favorite animals.",
    ],
)
def test_statements_about_the_speaker(sentence: str) -> None:
    assert states(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Do I have two dogs?",
        "That sounds lovely.",
        "You must love the sea.",
        "I'm sorry to hear that.",
        "I think that's great.",
        "Oh, I see what you mean.",
        "I do.",
        "However, I can provide some general information about hobbies.",
        "I can definitely assist you with that.",
        "I'm sorry, but I can't help you with that.",
        "Thanks, my friend!",
        "",
    ],
)
def test_what_states_nothing_of_the_speaker(sentence: str) -> None:
    assert not states(sentence)


def test_clauses_of_the_speaker_stand_alone_and_questions_do_not_count() -> None:
    spoken = "**Hi!** I have two dogs, but I don't like cats. Do you have pets? My wife is a nurse; I cook."
    assert assertions(spoken) == ["I have two dogs", "I don't like cats.", "My wife is a nurse"]
    assert assertions("I have a dog. I have a dog.") == ["I have a dog."]


def test_what_only_introduces_a_statement_is_left_out() -> None:
    spoken = "As an AI, I have no hobbies. However, I can tell you that I'm a translator."
    assert assertions(spoken) == ["As an AI, I have no hobbies.", "I'm a translator."]
    assert not assertions("However, I can tell you that some people keep their favorite books.")
    assert states("I can play the piano.") and states("I can't give up coffee.")


def test_a_persona_speaks_of_whoever_plays_it() -> None:
    answers = of_persona("You are Sam, a nurse from Boston. You have two dogs. Never mention being an AI.")
    assert answers == ["I am Sam, a nurse from Boston.", "I have two dogs."]
    assert of_persona("I am Sam. My dog is old.") == ["I am Sam.", "My dog is old."]
    assert of_persona("I am Sam.\nMy dog is old\n\nI cook daily.") == [
        "I am Sam.",
        "My dog is old.",
        "I cook daily.",
    ]


def test_copies_are_told_from_changes() -> None:
    assert near_copies("I have two dogs.", "Yes, I have two dogs!")
    assert not near_copies("I have two dogs.", "I have three dogs.")
    assert not near_copies("I have a dog.", "I don't have a dog.")


@given(st.text(max_size=300))
def test_any_text_is_borne(text: str) -> None:
    assert all(sentence.strip() for sentence in sentences(text))
    assert all(near_copies(one, one) for one in assertions(text))
