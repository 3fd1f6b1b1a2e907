"""Lets people mark single utterances as consistent or inconsistent."""

from __future__ import annotations

import time
from collections.abc import Sequence

import streamlit as st

from arena.core.errors import ArenaError
from arena.core.types import TESTED, Label, Message
from arena.labelling.schemas import checked
from db.labels import Labels
from ui import data, words
from ui.markup import short

INCONSISTENT, CONSISTENT = "inconsistent", "consistent"


def marking(key: str, messages: Sequence[Message], names: tuple[str, str]) -> None:
    """Let people mark the utterances of a dialogue with named bots; the page Chat does so with hidden names."""
    if not messages:
        return
    with st.expander("Mark utterances as consistent or not", on_change="rerun", key=f"marking_{key}") as box:
        if box.open:
            person = st.text_input("Your name", st.query_params.get("rater", ""), max_chars=80, key="marker")
            marks(key, messages, names, person.strip())


def marks(key: str, messages: Sequence[Message], names: tuple[str, str], person: str) -> None:
    if not person:
        words.notice("Give your name first; several people may mark the same utterance.")
        return
    mine = said_by(key, person)
    bots = [m for m in messages if m.seat == TESTED and m.index > 1]
    if not bots:
        words.notice("Only a later reply can be inconsistent with an earlier one; there is none here.")
    for message in bots:
        mark = mine.get(message.index)
        a, b, c = st.columns([5, 3, 3], vertical_alignment="center")
        a.text(f"{message.index}  {short(names[message.seat], 24)}: {short(message.text, 220)}")
        for column, value, word in ((b, False, "Consistent"), (c, True, "Inconsistent")):
            column.button(
                word,
                key=f"mark_{key}_{message.index}_{value}_{person}",
                type="primary" if mark is value else "secondary",
                on_click=put,
                args=(f"{key}:{message.index}", person, value),
                width="stretch",
            )
    if failed := st.session_state.pop("mark_failed", None):
        words.notice(failed, "bad")


def put(subject: str, person: str, inconsistent: bool) -> None:
    label = Label(subject, "message", "reply", person, {INCONSISTENT: inconsistent})
    try:
        Labels(data.store()).put([checked(label)], time.time())
    except ArenaError as error:
        st.session_state["mark_failed"] = str(error)


def said_by(key: str, person: str) -> dict[int, bool]:
    """Return this person's marks on one dialogue."""
    by_message = {}
    for label in data.pages().marks(key):
        if label.person == person and isinstance(value := label.values.get(INCONSISTENT), bool):
            by_message[int(label.subject.rpartition(":")[2])] = value
    return by_message
