"""What holds for every question, whatever was said."""

from __future__ import annotations

import re

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena.core.types import Kind
from inquirer.base import Task
from inquirer.entities.rules import entities
from inquirer.filters import well_formed
from inquirer.person import swap
from inquirer.questions.rules import write

SUBJECTS = ["i", "we", "my mom", "my husband", "my two dogs", "he", "she", "my best friend"]
VERBS = [
    "have",
    "like",
    "bought",
    "live in",
    "work at",
    "am afraid of",
    "moved to",
    "want to visit",
    "love playing",
    "collect",
    "don't like",
    "spend my time with",
    "walk to",
    "have a fear of",
    "wish i could see",
    "inherited",
    "know how to find",
]
OBJECTS = [
    "two dogs",
    "a red car",
    "paris",
    "soccer",
    "the bank",
    "old coins",
    "pizza",
    "my sister",
    "a small town in ohio",
]
TAILS = [
    "",
    " in 2010",
    " every day",
    " with my wife",
    " because i love it",
    " when i was young",
    ", and i am a nurse",
    " lol",
    " to relax",
    " so i can rest",
    " named rex",
    " i adopted",
    " for fun",
]

utterances = st.builds(
    lambda s, v, o, t: f"{s} {v} {o}{t}",
    st.sampled_from(SUBJECTS), st.sampled_from(VERBS), st.sampled_from(OBJECTS), st.sampled_from(TAILS),
)  # fmt: skip
FIRST = re.compile(r"\b(i|i'm|i've|me|my|mine|myself|we|us|our)\b", re.IGNORECASE)


@given(utterances)
@settings(max_examples=300, deadline=None)
def test_questions_are_questions_to_the_speaker(utterance: str) -> None:
    for question in write(Task(utterance, tuple(entities(utterance)), tuple(Kind))):
        assert question.text.endswith("?") and question.text.count("?") == 1
        assert question.text[:1] == question.text[:1].upper()
        assert "  " not in question.text
        if question.kind not in (Kind.ABOUT_PARTNER, Kind.PARAPHRASE):
            assert not FIRST.search(question.text), question.text
        if question.kind is Kind.PARAPHRASE:
            assert not FIRST.search(question.text.removeprefix("Could you tell me")), question.text


@given(utterances)
@settings(max_examples=300, deadline=None)
def test_the_entity_keeps_its_words_and_place(utterance: str) -> None:
    for question in write(Task(utterance, tuple(entities(utterance)), (Kind.WH,))):
        entity = question.entity
        assert utterance[entity.start : entity.end] == entity.text
        assert entity.clause_start <= entity.start < entity.end <= entity.clause_end
        if well_formed(question) is None:
            asked = set(re.findall(r"\w+", question.text.lower()))
            answer = set(re.findall(r"\w+", entity.text.lower())) - {
                "a",
                "an",
                "the",
                "my",
                "of",
                "to",
                "in",
                "and",
                "i",
            }
            assert not answer or answer - asked, (question.text, entity.text)


@given(st.text(max_size=200))
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_is_borne(text: str) -> None:
    for entity in entities(text):
        assert text[entity.start : entity.end] == entity.text
    for question in write(Task(text, tuple(entities(text)), tuple(Kind))):
        assert question.text.endswith("?")
    swap(text)


@given(st.sampled_from(["my dog", "my two brothers", "our old house", "my mom's car", "a friend of mine"]))
def test_swapping_twice_gives_the_first_person_back(text: str) -> None:
    assert swap(swap(text)) == text.replace("our", "my")
