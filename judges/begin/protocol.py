"""BEGIN's annotation protocol: the questions of the paper's appendix A and the cut-offs of its appendix B.

The questions have names here, because the appendices number them differently: "question 2" of appendix B is number 3 in
appendix A (personal experiences). A stored label has one value per question. From the second sentence on, the name of a
value includes the number of the sentence (`topic_2`).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from arena.core.errors import InputError
from judges.begin.taxonomy import Label


class Aside(StrEnum):
    """Answers to question 1a."""

    GENERIC = "generic"
    OFF_TOPIC = "off-topic"
    BOTH = "both"
    NEITHER = "neither"


@dataclass(frozen=True, slots=True)
class Question:
    """One field of the form.

    `asked_if` is a field's name and a range: the question is asked only if the answer to that field is in the range.
    """

    name: str
    number: str
    text: str
    scale: tuple[str, ...]
    asked_if: tuple[str, int, int] | None = None


LIKERT = ("1", "2", "3", "4", "5")
SENTENCES = "sentences"  # the field with the number of sentences, if a label has it
_NUMBERED = re.compile(r"(?P<name>[a-z]+)_(?P<number>[2-9]|[1-9][0-9])")
FORM = (
    Question("topic", "1", "Is the response about the same topic as the document?", LIKERT),
    Question("aside", "1a", "If not, what is it?", tuple(Aside), ("topic", 1, 3)),
    Question("cooperative", "2", "Would somebody who wants to help the conversation say it?", LIKERT),
    Question("personal", "3", "Does it tell personal experiences or opinions?", LIKERT),
    Question("informative", "3a", "Is some of it meant to inform, true or not?", LIKERT, ("personal", 1, 2)),
    Question(
        "contradicts",
        "3.a.i",
        "Does that information contradict the document?",
        LIKERT,
        ("informative", 3, 5),
    ),
    Question("supported", "3.a.ii", "Does the document support all of it?", LIKERT, ("informative", 3, 5)),
)


@dataclass(frozen=True, slots=True)
class Rating:
    """One person's answers about one sentence, each from 1 (no) to 5 (yes); None for a question that was not asked."""

    topic: int
    aside: Aside | None = None
    cooperative: int | None = None
    personal: int | None = None
    informative: int | None = None
    contradicts: int | None = None
    supported: int | None = None


def field(name: str, sentence: int) -> str:
    """Return the name under which the answer about a sentence (counted from 0) is stored."""
    return name if sentence == 0 else f"{name}_{sentence + 1}"


def unnumbered(name: str) -> str:
    """The name of the question that a stored value answers, without the number of the sentence."""
    match = _NUMBERED.fullmatch(name)
    return match["name"] if match else name


def of_sentence(values: Mapping[str, Any], sentence: int) -> dict[str, Any]:
    """The answers of a label about one sentence, by the question's name."""
    names = {question.name: field(question.name, sentence) for question in FORM}
    return {name: values[key] for name, key in names.items() if values.get(key) not in (None, "")}


def sentence_count(values: Mapping[str, Any]) -> int:
    """The number of sentences that the label states or, without it, the number of the last sentence with an answer."""
    count = values.get(SENTENCES)
    if count not in (None, ""):
        return int(count)
    matches = (_NUMBERED.fullmatch(name) for name in values)
    return max([1, *(int(match["number"]) for match in matches if match)])


def due(values: Mapping[str, Any]) -> tuple[int, Question] | None:
    """The next question, with the index of its sentence; None if all questions are answered."""
    for sentence in range(sentence_count(values)):
        question = _next(of_sentence(values, sentence))
        if question is not None:
            return sentence, question
    return None


def _next(given: Mapping[str, Any]) -> Question | None:
    return next((each for each in FORM if each.name not in given and _opened(each, given)), None)


def _opened(question: Question, given: Mapping[str, Any]) -> bool:
    if question.asked_if is None:
        return True
    name, low, high = question.asked_if
    return name in given and low <= int(given[name]) <= high


def label_of(values: Mapping[str, Any]) -> Label | None:
    """The class that follows from a person's answers; None if answers are missing or match no cut-off."""
    sentences = [of_sentence(values, each) for each in range(sentence_count(values))]
    if not all("topic" in each and (_next(each) is None or _settled(rating(each))) for each in sentences):
        return None
    return response_label([rating(each) for each in sentences])


def rating(values: Mapping[str, Any]) -> Rating:
    """Make a rating from the answers about one sentence; an error names the invalid value."""
    ratings: dict[str, Any] = {}
    for question in FORM:
        value = values.get(question.name)
        if value is None or value == "":
            continue
        if str(value) not in question.scale:
            raise InputError(f"'{question.name}' is {value!r}: give one of {', '.join(question.scale)}.")
        ratings[question.name] = Aside(str(value)) if question.name == "aside" else int(value)
    if "topic" not in ratings:
        raise InputError("A BEGIN label needs an answer to question 1: give 'topic' from 1 to 5.")
    return Rating(**ratings)


def labelled(given: Rating, both: Label = Label.GENERIC) -> Label | None:
    """The class of a sentence by the paper's cut-offs, tried in the paper's order; None if none of them matches.

    The paper does not say how to treat the answer `both`. It counts as generic, which the paper names first.
    """
    if given.topic <= 3 and given.aside is not None and given.aside is not Aside.NEITHER:
        return both if given.aside is Aside.BOTH else Label(given.aside)
    if _least(given.personal, 3) or (given.supported is not None and given.supported <= 3):
        return Label.HALLUCINATION
    if _least(given.contradicts, 3):
        return Label.CONTRADICTION
    return Label.ENTAILMENT if _least(given.supported, 4) else None


def _settled(given: Rating) -> bool:
    """Whether no further answer could change the class, so that a file may leave out the remaining answers."""
    aside = given.aside is not None and given.aside is not Aside.NEITHER
    return (given.topic <= 3 and aside) or (given.topic > 3 and _least(given.personal, 3))


def _least(score: int | None, cut: int) -> bool:
    return score is not None and score >= cut


SEVERITY = (Label.CONTRADICTION, Label.HALLUCINATION, Label.OFF_TOPIC, Label.ENTAILMENT, Label.GENERIC)


def response_label(sentences: Sequence[Rating], both: Label = Label.GENERIC) -> Label | None:
    """The class of a response whose sentences were rated separately: the class of the most serious fault.

    The paper does not say how to combine sentences. A polite phrase does not change the class of an entailed sentence.
    """
    labels = {labelled(each, both) for each in sentences}
    return next((label for label in SEVERITY if label in labels), None)
