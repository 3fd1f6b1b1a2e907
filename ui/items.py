"""Shows an item to label as people see it: the conversation, and the texts that the questions are about."""

from __future__ import annotations

from arena.core.types import TESTED, Message
from db.label_items import Item
from ui.markup import Element, element, short, utterance

SHOWN = 600  # characters of an utterance: an item must fit a small screen
CONTEXT = 40  # messages before the message in question
TITLES = {
    "said": "The bot said",
    "partner": "The partner said",
    "same_before": "Asked the same before, the bot answered",
    "asked": "It was asked",
    "answered": "It answered",
    "earlier": "The bot said first",
    "persona": "The bot was told about itself",
    "knowledge": "The bot was given this text",
    "later": "The bot said later",
    "previous": "The partner said",
    "reply": "The bot replied",
}
SOURCES = ("said", "partner", "same_before", "earlier", "later", "persona", "knowledge")
HEADINGS = {"dialogue": "The conversation", "inquiry": "The conversation up to the question"}


def card(item: Item, subject_type: str = "inquiry") -> Element:
    heading = HEADINGS.get(subject_type, "The conversation up to this message")
    lines = [_line(m, m.index in item.marked) for m in reversed(item.messages[-CONTEXT:])]
    return element(
        "div",
        element("div", heading, class_="label"),
        # shown from its end; once focused, it can be scrolled by keyboard
        element("div", lines, class_="history" if item.parts else "history whole", tabindex="0"),
        [_part(role, text) for role, text in item.parts],
        class_="card",
    )


def _part(role: str, text: str) -> Element:
    shown = utterance(text, SHOWN)
    return element(
        "div",
        element("div", TITLES[role], class_="label"),
        element("div", shown, class_="said-source") if role in SOURCES else shown,
        class_="part",
    )


def _line(message: Message, marked: bool) -> Element:
    who = element("b", "Bot: " if message.seat == TESTED else "Partner: ")
    text = short(message.text, 400)
    return element("div", who, element("mark", text) if marked else text, class_="line", dir="auto")


def rows(item: Item) -> Element:
    """Show the texts of an item one below the other in labelled rows, for settling a disagreement."""
    lines = [
        element("div", element("span", TITLES[role].lower()), utterance(text), class_="row")
        for role, text in item.parts or [("reply", m.text) for m in item.messages if m.seat == TESTED]
    ]
    return element("div", lines, class_="qa card")
