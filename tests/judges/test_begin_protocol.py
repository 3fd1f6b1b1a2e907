"""BEGIN's appendices: which ratings give which label."""

from __future__ import annotations

import pytest

from arena.core.errors import InputError
from judges.begin.protocol import (
    FORM,
    Aside,
    Rating,
    due,
    field,
    label_of,
    labelled,
    rating,
    response_label,
    sentence_count,
)
from judges.begin.taxonomy import FIVE, Label, collapsed, collapsed_classes

SUPPORTED = Rating(5, personal=1, informative=5, contradicts=1, supported=5)

CASES = [
    (Rating(1, Aside.GENERIC), Label.GENERIC),
    (Rating(3, Aside.OFF_TOPIC), Label.OFF_TOPIC),
    (Rating(2, Aside.BOTH), Label.GENERIC),
    (Rating(2, Aside.NEITHER, personal=1, informative=5, contradicts=1, supported=5), Label.ENTAILMENT),
    (Rating(4, Aside.GENERIC, personal=1, informative=5, contradicts=1, supported=5), Label.ENTAILMENT),
    (Rating(1, Aside.GENERIC, personal=5), Label.GENERIC),
    (Rating(5, personal=3), Label.HALLUCINATION),
    (Rating(5, personal=2, informative=5, contradicts=1, supported=3), Label.HALLUCINATION),
    (Rating(5, personal=2, informative=5, contradicts=5, supported=3), Label.HALLUCINATION),
    (Rating(5, personal=2, informative=5, contradicts=3, supported=4), Label.CONTRADICTION),
    (Rating(5, personal=2, informative=5, contradicts=2, supported=4), Label.ENTAILMENT),
    (SUPPORTED, Label.ENTAILMENT),
    (Rating(5, personal=1, informative=1), None),
    (Rating(2), None),
]


@pytest.mark.parametrize(("given", "label"), CASES)
def test_cut_offs(given: Rating, label: Label | None) -> None:
    assert labelled(given) is label


def test_both_is_the_users_to_decide() -> None:
    assert labelled(Rating(1, Aside.BOTH), both=Label.OFF_TOPIC) is Label.OFF_TOPIC


def test_several_sentences() -> None:
    polite = Rating(2, Aside.GENERIC)
    wrong = Rating(5, personal=1, informative=5, contradicts=4, supported=4)
    opinion = Rating(5, personal=5)
    assert response_label([polite, SUPPORTED]) is Label.ENTAILMENT
    assert response_label([polite, polite]) is Label.GENERIC
    assert response_label([SUPPORTED, opinion]) is Label.HALLUCINATION
    assert response_label([SUPPORTED, opinion, wrong]) is Label.CONTRADICTION
    assert response_label([SUPPORTED, Rating(1, Aside.OFF_TOPIC)]) is Label.OFF_TOPIC
    assert response_label([]) is None


def test_a_stored_label_becomes_a_rating() -> None:
    assert rating({"topic": "2", "aside": "both", "personal": ""}) == Rating(2, Aside.BOTH)
    assert rating({"topic": 5, "supported": 4}) == Rating(5, supported=4)


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"topic": 6}, "'topic' is 6"),
        ({"topic": 1, "aside": "maybe"}, "'aside'"),
        ({"personal": 1}, "question 1"),
    ],
)
def test_wrong_values_are_named(values: dict[str, object], text: str) -> None:
    with pytest.raises(InputError, match=text):
        rating(values)


def test_the_form_asks_each_question_once_and_only_after_what_opens_it() -> None:
    names = [question.name for question in FORM]
    assert len(set(names)) == len(names) == 7
    assert set(names) == set(Rating.__dataclass_fields__)
    for place, question in enumerate(FORM):
        assert question.asked_if is None or question.asked_if[0] in names[:place]


def test_collapse() -> None:
    assert [collapsed(label) for label in FIVE] == [
        "entailment", "neutral", "neutral", "neutral", "contradiction"
    ]  # fmt: skip
    classes = dict.fromkeys(map(str, FIVE), 0.2)
    assert collapsed_classes(classes) == pytest.approx(
        {"entailment": 0.2, "neutral": 0.6, "contradiction": 0.2}
    )


def walked(answers: dict[str, str], **given: object) -> tuple[list[str], dict[str, object]]:
    """What the form asks of somebody who answers each question the same in every sentence."""
    values: dict[str, object] = dict(given)
    asked = []
    while (at := due(values)) is not None:
        sentence, question = at
        asked.append(field(question.name, sentence))
        values[asked[-1]] = answers[question.name]
    return asked, values


SURE = {
    "topic": "5",
    "cooperative": "5",
    "personal": "1",
    "informative": "5",
    "contradicts": "1",
    "supported": "5",
}


def test_the_form_asks_only_what_earlier_answers_open() -> None:
    asked, values = walked(SURE)
    assert asked == ["topic", "cooperative", "personal", "informative", "contradicts", "supported"]
    assert label_of(values) is Label.ENTAILMENT
    asked, values = walked(SURE | {"topic": "2", "aside": "off-topic", "personal": "4"})
    assert asked == ["topic", "aside", "cooperative", "personal"] and label_of(values) is Label.OFF_TOPIC
    asked, values = walked(SURE | {"informative": "2"})
    assert asked == ["topic", "cooperative", "personal", "informative"] and label_of(values) is None


def test_each_sentence_has_its_own_answers() -> None:
    asked, values = walked(SURE, sentences=2)
    assert len(asked) == 12 and asked[6] == "topic_2" and sentence_count(values) == 2
    assert label_of(values) is Label.ENTAILMENT
    assert label_of(values | {"supported_2": "1"}) is Label.HALLUCINATION
    assert label_of(values | {"contradicts": "5"}) is Label.CONTRADICTION
    unfinished = {name: value for name, value in values.items() if name != "supported_2"}
    assert label_of(unfinished) is None
    assert label_of({"topic": "2", "aside": "generic"}) is Label.GENERIC  # no other answer could change it
    assert label_of({"topic": "4", "personal": "3"}) is Label.HALLUCINATION
    assert label_of({"topic": "2", "personal": "3"}) is None  # 1a might
    assert label_of({"aside": "generic"}) is None
    without = {name: value for name, value in values.items() if name != "sentences"}
    assert sentence_count(without) == 2 and label_of(without) is Label.ENTAILMENT
