"""Label: one inquiry at a time, one key an answer, every answer stored before the next item shows."""

from __future__ import annotations

import time

import streamlit as st

from arena import labelling
from arena.errors import ArenaError
from arena.types import TESTED, Label, Message
from db.labelling import Desk, Item, Task
from db.records import StoredTournament
from judges.human import UNCLEAR
from ui import data, picks, queues, words
from ui.guidelines import guidelines
from ui.markup import Element, element, short, show, utterance

LONGEST_NAME = 80
SHOWN = 600  # characters of an utterance: an item must fit a small screen
CONTEXT = 40  # messages before the source
ANSWERS = ((True, "Yes"), (False, "No"), (UNCLEAR, "Unclear"))
KEYS = {"appropriate": "123", "relevant": "456", "contradicts": "789"}


def main() -> None:
    stored = data.tournaments()
    if not stored:
        st.title("Label")
        words.notice(picks.EMPTY)
        return
    person = st.query_params.get("rater", "")
    if not person or not st.query_params.get("tournament"):
        begin(stored)
        return
    chosen = next((t for t in stored if t.id == st.query_params["tournament"]), None)
    if chosen is None:
        words.notice("There is no such tournament in this database.", "warn")
        return
    with words.told():
        work(chosen, person)


# ── the door ──────────────────────────────────────────────────────────────────────────────────────


def begin(stored: list[StoredTournament]) -> None:
    st.title("Label")
    words.lead("Do the bots contradict themselves? You decide, one question and answer at a time.")
    chosen = picks.tournament(stored)
    desk = Desk(data.store().engine)
    known = desk.people()
    a, b = st.columns([2, 1], vertical_alignment="bottom")
    name = a.selectbox(
        "Your name",
        known,
        index=None,
        accept_new_options=True,
        placeholder="Choose your name, or type a new one",
        format_func=lambda one: short(one, LONGEST_NAME),
    )
    if b.button("Start labelling", type="primary", disabled=not name, icon=":material/play_arrow:") and name:
        clean = " ".join(name.split())[:LONGEST_NAME]
        if not clean.isprintable():
            words.notice("A name needs printable characters.", "bad")
            return
        st.query_params.from_dict({"tournament": chosen.id, "rater": clean})
        st.rerun()
    show(guidelines())


# ── the work ──────────────────────────────────────────────────────────────────────────────────────


def work(chosen: StoredTournament, person: str) -> None:
    desk = Desk(data.store().engine)
    task = desk.task(chosen.id)
    if queues.length(chosen.id, task) is None:
        with st.spinner("Putting the items in order; once for everybody …"):
            queues.queue(chosen.id, task)
    items = queues.queue(chosen.id, task)
    now = time.time()
    asked = st.query_params.get("item")  # the organiser's way to one item
    subject = asked or desk.next(items, person, labelling.NEEDED, task.wanted, now)
    item = desk.item(subject) if subject else None
    top(desk, person, len(items), task)
    if failed := st.session_state.pop("failed", None):
        words.notice(f"Not stored: {failed}", "bad")
    if item is None:
        finished(len(items))
        return
    if st.session_state.get("shown", ("", 0.0))[0] != item.subject:
        st.session_state["shown"] = (item.subject, now)
    label = desk.mine(item.subject, person)
    left, right = st.columns([7, 5], gap="large")
    with left:
        show(card(item))
    with right:
        questions(desk, item, label, person, single=asked is not None)


def top(desk: Desk, person: str, items: int, task: Task) -> None:
    said = desk.done_by(person)
    a, b, c, d = st.columns([6, 1.3, 1.3, 1.3], vertical_alignment="center")
    with a:
        show(
            element(
                "div",
                element("b", "Label"),
                f"  ·  {short(person, 40)}  ·  ",
                element("b", words.count(said)),
                f" done  ·  {words.count(items)} in the queue, {words.plural(task.wanted, 'person', 'people')} each",
                class_="lead",
            )
        )
    b.button(
        "Undo",
        shortcut="z",
        on_click=undo,
        args=(desk, person),
        key="undo",
        disabled=not said,
        width="stretch",
    )
    with c.popover("Guidelines", width="stretch"):
        show(guidelines())
    if d.button("Leave", width="stretch"):
        desk_leave(desk, person)


def desk_leave(desk: Desk, person: str) -> None:
    from db.labels import Labels

    Labels(desk.engine).give_back(desk.schema, person)
    st.query_params.from_dict({"tournament": st.query_params.get("tournament", "")})
    st.rerun()


def finished(items: int) -> None:
    if not items:
        words.notice("There is nothing to label yet: no inquiry of this tournament has an answer.")
    else:
        words.notice(
            "Nothing is left for you: everything has enough labels, or is with somebody else just now. Thank you!"
        )


def card(item: Item) -> Element:
    source = next((m for m in item.messages if m.index == item.source), None)
    against = item.reference if item.reference is not None else (source.text if source else "")
    if item.reference is not None:
        title = "Asked the same before, the bot answered"
    else:
        title = "The partner said" if source is not None and source.seat != TESTED else "The bot said"
    lines = [_line(m, item.source) for m in reversed(item.messages[-CONTEXT:])]
    return element(
        "div",
        element("div", "The conversation up to the question", class_="label"),
        element("div", lines, class_="history"),  # shown from its end
        element("div", title, class_="label"),
        element("div", _shown(against), class_="said-source"),
        element("div", "It was asked", class_="label"),
        _shown(item.question),
        element("div", "It answered", class_="label"),
        _shown(item.answer),
        class_="card",
    )


def _line(message: Message, source: int) -> Element:
    who = element("b", "Bot: " if message.seat == TESTED else "Partner: ")
    said = short(message.text, 400)
    if message.index == source:
        return element("div", who, element("mark", said), class_="line", dir="auto")
    return element("div", who, said, class_="line", dir="auto")


def _shown(text: str) -> Element:
    return utterance(text, SHOWN)


def questions(desk: Desk, item: Item, label: Label | None, person: str, *, single: bool) -> None:
    said = label.values if label is not None else {}
    for question in labelling.AIH.questions:
        state = next((word for value, word in ANSWERS if said.get(question.name) == value), None)
        show(
            element(
                "p",
                question.text,
                element("span", f"  {state}", class_="state") if state else None,
                class_="question",
            )
        )
        for column, (value, word), key in zip(st.columns(3), ANSWERS, KEYS[question.name], strict=True):
            column.button(
                word,
                key=f"{item.subject}_{question.name}_{key}",
                shortcut=key,
                type="primary" if question.name in said and said[question.name] == value else "secondary",
                on_click=answer,
                args=(desk, item.subject, person, question.name, value),
                width="stretch",
            )
    st.text_input(
        "Note (optional)",
        label.note if label is not None else "",
        key=f"note_{item.subject}",
        max_chars=1000,
        on_change=note,
        args=(desk, item.subject, person),
    )
    if not single:
        st.button(
            "Skip",
            shortcut="s",
            key=f"skip_{item.subject}",
            on_click=skip,
            args=(desk, item.subject, person),
        )


def answer(desk: Desk, subject: str, person: str, question: str, value: object) -> None:
    _store(desk, subject, person, {question: value})


def note(desk: Desk, subject: str, person: str) -> None:
    _store(desk, subject, person, {})


def _store(desk: Desk, subject: str, person: str, values: dict[str, object]) -> None:
    """In the database before anything else shows; a failure is told and nothing moves on."""
    now = time.time()
    _, since = st.session_state.get("shown", (subject, now))
    st.session_state["shown"] = (subject, now)
    label = Label(
        subject,
        "inquiry",
        desk.schema,
        person,
        values,
        str(st.session_state.get(f"note_{subject}", "")),
        max(0.0, now - since),
    )
    try:
        desk.answer(label, labelling.NEEDED, now)
    except ArenaError as error:
        st.session_state["failed"] = str(error)


def undo(desk: Desk, person: str) -> None:
    desk.undo(person, time.time())


def skip(desk: Desk, subject: str, person: str) -> None:
    desk.skip(subject, person, time.time())


main()
