"""Disagreements between people, side by side, and the organiser's final decision about each."""

from __future__ import annotations

import time
from collections.abc import Mapping

import pandas as pd
import streamlit as st

from arena.core.errors import ArenaError
from arena.core.types import Label
from arena.labelling import work as labelling
from arena.labelling.schemas import DECIDER
from db.labelling import Desk
from db.labels import Labels
from db.records import StoredTournament
from db.statistics import Said
from ui import data, words
from ui.markup import Element, element, short, show, utterance

LIMIT = 200


def disagreements(desk: Desk, chosen: StoredTournament, labels: list[Said]) -> None:
    st.subheader("Disagreements")
    splits = labelling.splits(labels)
    if not splits:
        words.notice("Nobody disagrees about a contradiction yet.")
        return
    places = desk.where([split.subject for split in splits[:LIMIT]])
    shown = [split for split in splits[:LIMIT] if split.subject in places]
    open_ones = sum(split.decided is None for split in splits)
    more = f" The first {LIMIT} of {len(splits)} are shown." if len(splits) > LIMIT else ""
    st.caption(
        f"{words.plural(open_ones, 'item')} without a final decision. The majority counts until you decide; "
        f"your decision then counts instead, and never as one more rater.{more} Click a row."
    )
    event = st.dataframe(
        pd.DataFrame(
            [
                {
                    "State": state(split),
                    "Question": short(places[split.subject][3], 100),
                    "Answer": short(places[split.subject][4], 100),
                    "Contradicts": ", ".join(short(p, 24) for p in split.yes),
                    "Consistent": ", ".join(short(p, 24) for p in split.no),
                }
                for split in shown
            ]
        ),
        hide_index=True,
        on_select="rerun",
        selection_mode="single-cell",
        key="splits",
    )
    cells = event.selection.cells if event is not None else []
    if cells and int(cells[0][0]) < len(shown):
        settle(desk, chosen, shown[int(cells[0][0])], places)


def state(split: labelling.Split) -> str:
    if split.decided is not None:
        return "decided: contradicts" if split.decided else "decided: consistent"
    return "tied" if split.tied else "outvoted"


def settle(
    desk: Desk,
    chosen: StoredTournament,
    split: labelling.Split,
    places: Mapping[str, tuple[str, str, str, str, str]],
) -> None:
    """The item, what each person said of it, and two buttons."""
    item = desk.item(split.subject)
    if item is None:
        words.notice("This item is not here any more.", "warn")
        return
    source = next((m.text for m in item.messages if m.index == item.source), "")
    left, right = st.columns([3, 2], gap="large")
    with left:
        rows = (("said", item.reference or source), ("asked", item.question), ("answered", item.answer))
        lines = [element("div", element("span", name), utterance(text), class_="row") for name, text in rows]
        show(element("div", lines, class_="qa card"))
    with right:
        for label in data.pages().about([split.subject], "inquiry", desk.schema):
            if label.person != DECIDER:
                show(opinion_of(label))
        with st.container(horizontal=True):
            for value, text in ((True, "Decide: contradicts"), (False, "Decide: consistent")):
                st.button(
                    text,
                    key=f"decide_{split.subject}_{value}",
                    type="primary" if split.decided is value else "secondary",
                    on_click=decide,
                    args=(desk, split.subject, value),
                )
            if st.button("Read its dialogue"):
                st.switch_page(
                    "views/transcripts.py",
                    query_params={
                        "tournament": chosen.id,
                        "dialogue": places[split.subject][0],
                        "inquiry": split.subject,
                    },
                )
        if failed := st.session_state.pop("decision_failed", None):
            words.notice(failed, "bad")


def opinion_of(label: Label) -> Element:
    answers = ", ".join(f"{short(str(k), 40)}: {short(str(v), 40)}" for k, v in label.values.items())
    note = f" “{short(label.note, 300)}”" if label.note else ""
    return element("div", element("b", short(label.person, 60)), f" · {answers}{note}", class_="dim")


def decide(desk: Desk, subject: str, contradicts: bool) -> None:
    """Stored as a label of its own person; a later decision replaces it."""
    label = Label(subject, desk.subject_type, desk.schema, DECIDER, {labelling.AIH.main: contradicts})
    try:
        Labels(desk.engine).put([label], time.time())
    except ArenaError as error:
        st.session_state["decision_failed"] = str(error)
