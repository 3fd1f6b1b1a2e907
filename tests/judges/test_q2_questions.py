"""Spans and questions of third-person sentences."""

from __future__ import annotations

import pytest

from judges.q2.coreference import resolved, resolver
from judges.q2.questions import questions
from judges.q2.spans import spans
from judges.q2.text import sentences, untokenised


def asked(text: str, span: str) -> list[str]:
    result = next(one for one in spans(text) if one.text == span)
    return questions(text, result)


@pytest.mark.parametrize(
    ("text", "span", "question"),
    [
        ("coffee is very acidic.", "coffee", "What is very acidic?"),
        ("the first one was released in june of 2007.", "june of 2007", "When was the first one released?"),
        ("tennis originated in england.", "england", "Where did tennis originate?"),
        ("red hair occurs naturally.", "red hair", "What occurs naturally?"),
        ("they are reliant on vulnerable species!", "vulnerable species", "What are they reliant on?"),
        ("they are an american rock band formed in 1965.", "1965", "When was the american rock band formed?"),
        ("the word was coined by george herpin.", "george herpin", "Who was the word coined by?"),
        ("i know that it takes roots from music.", "roots", "What does it take from music?"),
        ("he has sold 10 million albums.", "10 million", "How many albums has he sold?"),
        ("i'm not sure, but it was formed in 1994.", "1994", "When was it formed?"),
    ],
)  # fmt: skip
def test_questions(text: str, span: str, question: str) -> None:
    assert question in asked(text, span)


def test_a_list_is_asked_about_in_place() -> None:
    result = asked("agriculture is the cultivation of animals and plants.", "plants")
    assert result == ["Agriculture is the cultivation of animals and what?"]


def test_questions_differ_and_end_as_such() -> None:
    text = "the museum was built in paris in 1874."
    for span in spans(text):
        result = questions(text, span)
        assert len(set(result)) == len(result) and all(question.endswith("?") for question in result)


def test_spans_are_where_they_say() -> None:
    text = "yes, ross was born on October 29, 1942 in daytona beach. have you heard of him?"
    result = spans(text)
    assert all(text[span.start : span.end] == span.text for span in result)
    assert "October 29, 1942" in [span.text for span in result]
    assert not any(span.start > text.index("have you") for span in result)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("it ' s red .", "it's red."),
        ("they don ' t know ( much ) .", "they don't know (much)."),
        ("i do n't , really", "i don't, really"),
        ("about 2 - 3 %", "about 2-3%"),
        ("fine as it is.", "fine as it is."),
    ],
)
def test_untokenised(before: str, after: str) -> None:
    assert untokenised(before) == after


def test_sentences_survive_abbreviations_and_decimals() -> None:
    assert sentences("Dr. J. Smith paid 3.5 dollars. He left! Why? No.") == [
        "Dr. J. Smith paid 3.5 dollars.", "He left!", "Why?", "No."
    ]  # fmt: skip


def test_pronouns_get_the_last_fitting_name() -> None:
    history = ("do you like the beatles and coffee?",)
    assert resolved(("tell me about coffee",), "it is acidic.") == "coffee is acidic."
    assert resolved((), "it is acidic.") == "it is acidic."
    assert resolved(history, "they were formed in 1960.") == "beatles were formed in 1960."


def test_resolvers_by_name() -> None:
    assert resolver(None) is None
    rules = resolver("rules")
    assert rules is not None and rules.revision
    with pytest.raises(Exception, match="MODULE:OBJECT"):
        resolver("no_such_module:thing")
