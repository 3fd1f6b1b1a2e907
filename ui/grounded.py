"""BEGIN's form: a document, the previous turn and a response, with one question of the protocol at a time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from db.grounded import Response
from judges.begin import protocol
from judges.begin.protocol import SENTENCES, Aside, Question
from judges.q2.text import sentences
from ui.markup import Element, element, utterance

DOCUMENT = 3000  # characters of a document before it is folded
SHOWN = 600
WORDS = {"1": "No", "2": "Rather no", "3": "In part", "4": "Rather yes", "5": "Yes"}
STEPS = {
    "topic": "5 if it is about what the document is about, 1 if about something else or nothing in particular.",
    "aside": "Generic: it would fit nearly anywhere. Off-topic: it speaks of another thing.",
    "cooperative": "1 if it misleads on purpose, changes the subject or is of no use in another way.",
    "personal": "5 for “I love to walk in the park”, “I think he won in 2015”.",
    "informative": "Of the document or of anything else, right or wrong.",
    "contradicts": "5 if the document says the opposite of any part of it.",
    "supported": "5 only if everything in it can be read in the document; what you know yourself does not count.",
}


def parts(response: Response) -> list[str]:
    """Split a response into its sentences, which are rated separately."""
    return sentences(response.text) or [response.text]


def first(response: Response) -> dict[str, Any]:
    """The extra values that are stored with the first answer: the number of sentences."""
    return {SENTENCES: len(parts(response))}


def card(response: Response, values: Mapping[str, Any]) -> Element:
    at = protocol.due(values)
    rated = at[0] if at else None
    sentences = [
        element("mark" if number == rated else "span", each + " ")
        for number, each in enumerate(parts(response))
    ]
    return element(
        "div",
        element("div", "The document", class_="label"),
        element("div", utterance(response.knowledge, DOCUMENT), class_="document"),
        element("div", "What was said before", class_="label"),
        utterance(response.previous, SHOWN),
        element("div", "The response; its marked sentence is what you rate", class_="label"),
        element("div", element("div", sentences, class_="text", dir="auto"), class_="said-source"),
        class_="card",
    )


def buttons(question: Question) -> list[tuple[str, str, str]]:
    """Return the value, label and shortcut key of each answer."""
    if question.name == "aside":
        return [(str(each), str(each).capitalize(), str(n)) for n, each in enumerate(Aside, 1)]
    return [(each, WORDS[each], each) for each in question.scale]


def asked(values: Mapping[str, Any], question: Question, sentence: int) -> Element:
    """Show the current question and its position in the form."""
    whole = protocol.sentence_count(values)
    of = f"Sentence {sentence + 1} of {whole}, question {question.number}" if whole > 1 else question.number
    return element(
        "div",
        element("div", of, class_="dim"),
        element("p", question.text, class_="question"),
        element("p", STEPS[question.name], class_="dim"),
    )


def answered(values: Mapping[str, Any], sentence: int) -> Element:
    """Show the answers so far about a sentence."""
    given = protocol.of_sentence(values, sentence)
    lines = [
        element("li", f"{each.text} ", element("span", str(given[each.name]), class_="tag"))
        for each in protocol.FORM
        if each.name in given
    ]
    return element("ul", lines, class_="dim")


def outcome(values: Mapping[str, Any]) -> str:
    """Return a sentence with the result of a finished form."""
    label = protocol.label_of(values)
    return f"Your answers make it: {label}." if label else "Your answers reach none of the five labels."


def guidelines() -> Element:
    lines = [
        element("li", element("b", f"{each.number} {each.text}"), " ", STEPS[each.name])
        for each in protocol.FORM
    ]
    return element(
        "div",
        element(
            "p",
            "Rate each sentence of the response by the document, from 1 (no) to 5 (yes). Which of five "
            "labels it gets (entailment, hallucination, off-topic, generic, contradiction) follows from the "
            "answers by the paper’s cut-offs.",
        ),
        element("ul", lines),
        element(
            "p",
            "Every answer is stored at once; Z takes the last one back, S leaves the response to others.",
            class_="dim",
        ),
        class_="guide",
    )
