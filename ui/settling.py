"""Shows disagreements between people, for each of which the organiser makes the final decision."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

import streamlit as st

from arena.core.errors import ArenaError
from arena.core.types import Label
from arena.labelling import work as labelling
from arena.labelling.schemas import DECIDER, Question, Schema
from db.label_items import ItemPlace
from db.labelling import Desk
from db.labels import Labels
from db.records import StoredTournament
from ui import address, answers, assist, data, items, listing, thread, words
from ui.markup import Element, element, short, show

LIMIT = 200
COLUMNS = {
    "inquiry": ("Question", "Answer"),
    "finding": ("First", "Then"),
    "message": ("Before", "Reply"),
    "dialogue": ("Begins", "Ends"),
}
LINKED = ("inquiry", "finding")  # subjects that the address of a dialogue can name


def disagreements(desk: Desk, form: Schema, chosen: StoredTournament, labels: list[Label]) -> None:
    question = labelling.settled_by(form)
    if question is None:
        return
    st.subheader("Disagreements")
    splits = labelling.splits(labels, question.name)
    if not splits:
        words.notice(f"Nobody disagrees about “{question.name.replace('_', ' ')}” yet.")
        return
    places = desk.where([split.subject for split in splits[:LIMIT]])
    shown = [split for split in splits[:LIMIT] if split.subject in places]
    open_ones = sum(split.decided is None for split in splits)
    more = f" The first {LIMIT} of {len(splits)} are shown." if len(splits) > LIMIT else ""
    st.caption(
        f"{words.plural(open_ones, 'item')} without a final decision. The majority counts until you decide; "
        f"your decision then counts instead, and never as one more rater.{more} Click a row."
    )
    chosen_one = next((split for split in shown if split.subject == address.get("item")), None)
    if chosen_one is not None:
        with st.container(border=True, key="settle"):
            settle(desk, question, chosen, chosen_one, places)
        assist.scroll_to(".st-key-settle", chosen_one.subject)
    listing.rows(COLUMNS[desk.subject_type], [row(split, places[split.subject]) for split in shown])
    if "item" in (clicked := assist.clicked()):
        address.put(item=clicked["item"])
        st.rerun()


def row(split: labelling.Split, place: ItemPlace) -> listing.Row:
    return listing.Row(
        {"item": split.subject},
        (place.first or words.NOTHING, place.second or words.NOTHING),
        (state(split), f"yes: {_names(split.yes)}", f"no: {_names(split.no)}"),
        current=split.subject == address.get("item"),
    )


def _names(people: Sequence[str]) -> str:
    return ", ".join(short(person, 24) for person in people)


def state(split: labelling.Split) -> Element:
    if split.decided is not None:
        return words.tag(f"decided: {'yes' if split.decided else 'no'}", "good")
    return words.tag("tied", "warn") if split.tied else words.tag("outvoted")


def settle(
    desk: Desk,
    question: Question,
    chosen: StoredTournament,
    split: labelling.Split,
    places: Mapping[str, ItemPlace],
) -> None:
    """Show the item, each person's label, and two buttons for the decision."""
    item = desk.item(split.subject)
    if item is None:
        words.notice("This item is not here any more.", "warn")
        return
    left, right = st.columns([3, 2], gap="large")
    with left:
        show(items.rows(item))
    with right:
        for label in data.pages().about([split.subject], desk.subject_type, desk.schema):
            if label.person != DECIDER:
                show(thread.opinion_of(label))
        show(element("p", answers.wording(question, item.check), class_="question"))
        with st.container(horizontal=True):
            for value, text in ((True, "Decide: yes"), (False, "Decide: no")):
                st.button(
                    text,
                    key=f"decide_{split.subject}_{value}",
                    type="primary" if split.decided is value else "secondary",
                    on_click=decide,
                    args=(desk, question, split.subject, value),
                )
            if st.button("Read its dialogue"):
                assist.go(
                    "transcripts",
                    {
                        "tournament": chosen.id,
                        "dialogue": places[split.subject].dialogue,
                        **({desk.subject_type: split.subject} if desk.subject_type in LINKED else {}),
                    },
                )
        if failed := st.session_state.pop("decision_failed", None):
            words.notice(failed, "bad")


def decide(desk: Desk, question: Question, subject: str, yes: bool) -> None:
    """Store the decision as a label of a reserved person; it replaces an earlier decision."""
    label = Label(subject, desk.subject_type, desk.schema, DECIDER, {question.name: yes})
    try:
        Labels(desk.store).put([label], time.time())
    except ArenaError as error:
        st.session_state["decision_failed"] = str(error)
