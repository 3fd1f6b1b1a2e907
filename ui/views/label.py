"""Label: one inquiry or reply at a time, one key an answer, every answer stored before the next item shows."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

import streamlit as st

from arena.core.errors import ArenaError
from arena.core.types import TESTED, Label, Message
from arena.labelling import work as labelling
from arena.labelling.queue import is_random
from arena.labelling.schemas import DECIDER, UNCLEAR
from db.grounded import Response, Responses
from db.labelling import Desk, Item, Task
from db.records import StoredTournament
from judges.begin import protocol
from ui import assist, data, grounded, picks, queues, words
from ui.guidelines import guidelines
from ui.markup import Element, element, short, show, utterance

LONGEST_NAME = 80
SHOWN = 600  # characters of an utterance: an item must fit a small screen
CONTEXT = 40  # messages before the source
ANSWERS = ((True, "Yes"), (False, "No"), (UNCLEAR, "Unclear"))
KEYS = {"appropriate": "123", "relevant": "456", "contradicts": "789"}
FORMS = {
    labelling.AIH.name: "Inquiries: does the answer contradict what was said? (AIH)",
    labelling.BEGIN.name: "Replies: does the document support them? (BEGIN)",
}


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
    with words.show_arena_errors():
        work(chosen, person)


# ── the door ──────────────────────────────────────────────────────────────────────────────────────


def begin(stored: list[StoredTournament]) -> None:
    st.title("Label")
    words.lead("Do the bots contradict themselves? You decide, one question and answer at a time.")
    chosen = picks.tournament(stored)
    engine = data.store().engine
    form = labelling.AIH.name
    if Responses(engine).any(chosen.id):
        form = st.radio("What to label", list(FORMS), format_func=FORMS.__getitem__, key="form")
    known = sorted({*Desk(engine).people(), *Responses(engine).people()} - {DECIDER})
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
        if not clean.isprintable() or clean == DECIDER:
            words.notice("A name needs printable characters, and not those of the final decision.", "bad")
            return
        st.query_params.from_dict({"tournament": chosen.id, "rater": clean, "form": form})
        st.rerun()
    show(guide(form))


def guide(form: str) -> Element:
    return grounded.guidelines() if form == labelling.BEGIN.name else guidelines()


# ── the work ──────────────────────────────────────────────────────────────────────────────────────


def work(chosen: StoredTournament, person: str) -> None:
    form = st.query_params.get("form", "")
    desk = labelling.desk(data.store().engine, form if form in FORMS else labelling.AIH.name)
    task = desk.task(chosen.id)
    if queues.length(chosen.id, task, desk.schema) is None:
        with st.spinner("Putting the items in order; once for everybody …"):
            queues.queue(chosen.id, task, desk.schema)
    items = queues.queue(chosen.id, task, desk.schema)
    now = time.time()
    asked = st.query_params.get("item")  # the organiser's way to one item
    subject = asked or desk.next(
        items,
        person,
        labelling.COMPLETE[desk.schema],
        task.wanted,
        now,
        lambda subject: is_random(task.seed, subject, task.share),
    )
    top(desk, chosen, person, len(items), task)
    if failed := st.session_state.pop("failed", None):
        words.notice(f"Not stored: {failed}", "bad")
    item = seen(desk, subject) if subject else None
    if item is None:
        finished(desk, len(items))
        return
    if st.session_state.get("shown", ("", 0.0))[0] != item.subject:
        st.session_state["shown"] = (item.subject, now)
    label = desk.mine(item.subject, person)
    left, right = st.columns([7, 5], gap="large")
    if isinstance(item, Response):
        said = {**grounded.first(item), **(label.values if label is not None else {})}
        with left:
            show(grounded.card(item, said))
        with right:
            next_question(desk, item, said, person)
            below(desk, item.subject, label, person, single=asked is not None)
        return
    with left:
        show(card(item))
    with right:
        questions(desk, item, label, person)
        below(desk, item.subject, label, person, single=asked is not None)


def seen(desk: Desk, subject: str) -> Item | Response | None:
    return desk.response(subject) if isinstance(desk, Responses) else desk.item(subject)


def top(desk: Desk, chosen: StoredTournament, person: str, items: int, task: Task) -> None:
    done = desk.done_by(person, chosen.id, labelling.COMPLETE[desk.schema])
    with st.container(horizontal=True, vertical_alignment="center", key="label_top"):
        show(
            element(
                "h3",
                "Label",
                element("span", f" · {short(person, 40)} · ", class_="dim"),
                element("b", words.count(done)),
                element(
                    "span",
                    f" done · {words.count(items)} in the queue, "
                    f"{words.plural(task.wanted, 'person', 'people')} each",
                    class_="dim",
                ),
            )
        )
        st.button("Undo", shortcut="z", on_click=undo, args=(desk, person), key="undo")
        with st.popover("Guidelines"):
            show(guide(desk.schema))
        if st.button("Leave"):
            desk_leave(desk, person)


def desk_leave(desk: Desk, person: str) -> None:
    from db.labels import Labels

    Labels(desk.engine).give_back(desk.schema, person)
    st.query_params.from_dict({"tournament": st.query_params.get("tournament", "")})
    st.rerun()


def finished(desk: Desk, items: int) -> None:
    if not items and isinstance(desk, Responses):
        words.notice("There is nothing to label: no bot under test in this tournament was given `knowledge`.")
    elif not items:
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


def questions(desk: Desk, item: Item, label: Label | None, person: str) -> None:
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
        with st.container(horizontal=True, key=f"answers_{question.name}"):
            for (value, word), key in zip(ANSWERS, KEYS[question.name], strict=True):
                st.button(
                    word,
                    key=f"{item.subject}_{question.name}_{key}",
                    shortcut=key,
                    type="primary" if question.name in said and said[question.name] == value else "secondary",
                    on_click=answer,
                    args=(desk, item.subject, person, {question.name: value}),
                    width="stretch",
                )


def next_question(desk: Desk, response: Response, said: Mapping[str, Any], person: str) -> None:
    """BEGIN's form asks one thing after the other, because an answer decides what is asked next."""
    due = protocol.due(said)
    if due is None:
        words.notice(grounded.outcome(said))
        return
    sentence, question = due
    name = protocol.field(question.name, sentence)
    show(grounded.asked(said, question, sentence))
    with st.container(horizontal=True):
        for value, word, key in grounded.buttons(question):
            st.button(
                word,
                key=f"{response.subject}_{name}_{key}",
                shortcut=key,
                on_click=answer,
                args=(desk, response.subject, person, {**grounded.first(response), name: value}),
            )
    show(grounded.answered(said, sentence))


def below(desk: Desk, subject: str, label: Label | None, person: str, *, single: bool) -> None:
    st.text_input(
        "Note (optional)",
        label.note if label is not None else "",
        key=f"note_{subject}",
        max_chars=1000,
        on_change=note,
        args=(desk, subject, person),
    )
    assist.leave_on_enter("[class*=st-key-note_] input")
    if not single:
        st.button("Skip", shortcut="s", key=f"skip_{subject}", on_click=skip, args=(desk, subject, person))


def answer(desk: Desk, subject: str, person: str, values: dict[str, object]) -> None:
    _store(desk, subject, person, values)


def note(desk: Desk, subject: str, person: str) -> None:
    _store(desk, subject, person, {})


def _store(desk: Desk, subject: str, person: str, values: dict[str, object]) -> None:
    """In the database before anything else shows; a failure is told and nothing moves on."""
    now = time.time()
    _, since = st.session_state.get("shown", (subject, now))
    st.session_state["shown"] = (subject, now)
    label = Label(
        subject,
        desk.subject_type,
        desk.schema,
        person,
        values,
        str(st.session_state.get(f"note_{subject}", "")),
        max(0.0, now - since),
    )
    try:
        desk.answer(label, labelling.COMPLETE[desk.schema], now)
    except ArenaError as error:
        st.session_state["failed"] = str(error)


def undo(desk: Desk, person: str) -> None:
    desk.undo(person, time.time())


def skip(desk: Desk, subject: str, person: str) -> None:
    desk.skip(subject, person, time.time())


main()
