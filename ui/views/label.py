"""Label: one item at a time, with one key per answer; each answer is stored before the next item appears."""

from __future__ import annotations

import time
from typing import Any

import streamlit as st

from arena.core.errors import ArenaError
from arena.core.types import Label
from arena.labelling import work as labelling
from arena.labelling.queue import is_random
from arena.labelling.schemas import DECIDER, Schema
from db.grounded import Response, Responses
from db.label_items import Item
from db.labelling import Desk, Task
from db.labels import Labels
from db.records import StoredTournament
from judges.begin import protocol
from ui import address, answers, assist, data, grounded, items, label_forms, picks, practising, queues, words
from ui.guidelines import guidelines
from ui.markup import Element, element, short, show

LONGEST_NAME = 80


def main() -> None:
    stored = data.tournaments()
    if not stored:
        st.title("Label")
        picks.nothing_yet()
        return
    person = st.query_params.get("rater", "")
    if not person or not st.query_params.get("tournament"):
        begin(stored)
        return
    chosen = next((t for t in stored if t.id == st.query_params["tournament"]), None)
    if chosen is None:
        words.notice("There is no such tournament in this database.", "warn")
        return
    form = chosen_form(chosen)
    with words.show_arena_errors():
        if address.get("practice") and practising.items_of(form):
            practising.practise(form)
        else:
            work(chosen, form, person)


def chosen_form(chosen: StoredTournament) -> Schema:
    """Return the schema in the address, even if there is nothing to label; without it, AIH's schema."""
    forms = label_forms.offered(chosen.id) | {"begin": labelling.BEGIN, "finding": labelling.FINDING}
    if (wrong := address.unknown("form", forms)) is not None:
        words.notice(
            f"There is no label schema '{short(wrong, 40)}' here; AIH's questions are shown.", "warn"
        )
    return forms.get(address.get("form") or "", labelling.AIH)


# ── the door ──────────────────────────────────────────────────────────────────────────────────────


def begin(stored: list[StoredTournament]) -> None:
    st.title("Label")
    words.lead("Do the bots contradict themselves? You decide, one item at a time.")
    chosen = picks.tournament(stored)
    form = label_forms.choose(chosen.id, st.radio, "What to label", label_forms.title)
    known = Labels(data.store()).people()
    a, b = st.columns([2, 1], vertical_alignment="bottom")
    rater = a.selectbox(
        "Your name",
        [person for person in known if person != DECIDER],
        index=None,
        accept_new_options=True,
        placeholder="Choose your name, or type a new one",
        format_func=lambda one: short(one, LONGEST_NAME),
    )
    with b.container(horizontal=True):
        started = st.button(
            "Start labelling", type="primary", disabled=not rater, icon=":material/play_arrow:"
        )
        practised = bool(practising.items_of(form)) and st.button(
            "Practise first", disabled=not rater, icon=":material/school:"
        )
    if (started or practised) and rater:
        enter(chosen, form, " ".join(rater.split())[:LONGEST_NAME], practised)
    show(guide(form))


def enter(chosen: StoredTournament, form: Schema, rater: str, practised: bool) -> None:
    """Open the labelling page.

    People who are new to the schema get the practice round first; they may skip it.
    """
    if not rater.isprintable() or rater == DECIDER:
        words.notice("A name needs printable characters, and not those of the final decision.", "bad")
        return
    desk = labelling.desk(data.store(), form)
    first = practised or (bool(practising.items_of(form)) and rater not in desk.people())
    practice = {"practice": "1"} if first else {}
    st.query_params.from_dict({"tournament": chosen.id, "rater": rater, "form": form.name, **practice})
    st.rerun()


def guide(form: Schema) -> Element:
    return grounded.guidelines() if form.name == labelling.BEGIN.name else guidelines(form)


# ── the work ──────────────────────────────────────────────────────────────────────────────────────


def work(chosen: StoredTournament, form: Schema, person: str) -> None:
    desk = labelling.desk(data.store(), form)
    task = desk.task(chosen.id)
    if queues.length(chosen.id, task, desk.schema) is None:
        with st.spinner("Putting the items in order; once for everybody …"):
            queues.queue(chosen.id, task, desk.schema)
    waiting = queues.queue(chosen.id, task, desk.schema)
    now = time.time()
    asked = st.query_params.get("item")  # the organiser's way to one item
    subject = asked or desk.next(
        waiting,
        person,
        labelling.completeness(form),
        task.wanted,
        now,
        lambda subject: is_random(task.seed, subject, task.share),
    )
    top(desk, form, chosen, person, len(waiting), task)
    if failed := st.session_state.pop("failed", None):
        words.notice(f"Not stored: {failed}", "bad")
    item = seen(desk, subject) if subject else None
    if item is None:
        finished(desk, len(waiting))
        return
    if st.session_state.get("shown", ("", 0.0))[0] != item.subject:
        st.session_state["shown"] = (item.subject, now)
    label = desk.mine(item.subject, person)
    given = dict(label.values) if label is not None else {}
    left, right = st.columns([7, 5], gap="large")
    if isinstance(item, Response):
        given = {**grounded.first(item), **given}
    with left:
        show(
            grounded.card(item, given) if isinstance(item, Response) else items.card(item, form.subject_type)
        )
    with right:
        if isinstance(item, Response):
            next_question(desk, form, item, given, person)
        else:
            kept = {name: text for name, text in item.stored.items() if name in form.names}
            answers.questions(
                form,
                item.subject,
                given,
                lambda question, value: store(desk, form, item.subject, person, {**kept, question: value}),
                item.check,
            )
        below(desk, form, item.subject, label, person, single=asked is not None)


def seen(desk: Desk, subject: str) -> Item | Response | None:
    return desk.response(subject) if isinstance(desk, Responses) else desk.item(subject)


def top(desk: Desk, form: Schema, chosen: StoredTournament, person: str, length: int, task: Task) -> None:
    done = desk.done_by(person, chosen.id, labelling.completeness(form))
    with st.container(horizontal=True, vertical_alignment="center", key="label_top"):
        show(
            element(
                "h3",
                "Label",
                element("span", f" · {short(person, 40)} · ", class_="dim"),
                element("b", words.count(done)),
                element(
                    "span",
                    f" done · {words.count(length)} in the queue, "
                    f"{words.plural(task.wanted, 'person', 'people')} each",
                    class_="dim",
                ),
            )
        )
        st.button("Undo", shortcut="z", on_click=undo, args=(desk, person), key="undo")
        with st.popover("Guidelines"):
            show(guide(form))
        if st.button("Leave"):
            desk_leave(desk, person)


def desk_leave(desk: Desk, person: str) -> None:
    Labels(desk.store).give_back(desk.schema, person)
    st.query_params.from_dict({"tournament": st.query_params.get("tournament", "")})
    st.rerun()


NOTHING = {
    "inquiry": "no inquiry of this tournament has an answer",
    "finding": "no check has compared a message of this tournament with anything; "
    "'arena judge TOURNAMENT --check history' does",
    "message": "no dialogue of this tournament is done",
    "dialogue": "no dialogue of this tournament is done",
}


def finished(desk: Desk, length: int) -> None:
    if not length and isinstance(desk, Responses):
        words.notice("There is nothing to label: no bot under test in this tournament was given `knowledge`.")
    elif not length:
        words.notice(f"There is nothing to label yet: {NOTHING[desk.subject_type]}.")
    else:
        words.notice(
            "Nothing is left for you: everything has enough labels, or is with somebody else just now. Thank you!"
        )


def next_question(desk: Desk, form: Schema, response: Response, given: dict[str, Any], person: str) -> None:
    """Show BEGIN's questions one at a time, because each answer determines the next question."""
    due = protocol.due(given)
    if due is None:
        words.notice(grounded.outcome(given))
        return
    sentence, question = due
    name = protocol.field(question.name, sentence)
    show(grounded.asked(given, question, sentence))
    with st.container(horizontal=True):
        for value, word, key in grounded.buttons(question):
            st.button(
                word,
                key=f"{response.subject}_{name}_{key}",
                shortcut=key,
                on_click=store,
                args=(desk, form, response.subject, person, {**grounded.first(response), name: value}),
            )
    show(grounded.answered(given, sentence))


def below(desk: Desk, form: Schema, subject: str, label: Label | None, person: str, *, single: bool) -> None:
    st.text_input(
        "Note (optional)",
        label.note if label is not None else "",
        key=f"note_{subject}",
        max_chars=1000,
        on_change=store,
        args=(desk, form, subject, person, {}),
    )
    assist.leave_on_enter("[class*=st-key-note_] input")
    if not single:
        st.button("Skip", shortcut="s", key=f"skip_{subject}", on_click=skip, args=(desk, subject, person))


def store(desk: Desk, form: Schema, subject: str, person: str, values: dict[str, Any]) -> None:
    """Store the answer before anything else is shown. If that fails, show the error and stay on the item."""
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
        desk.answer(label, labelling.completeness(form), now)
    except ArenaError as error:
        st.session_state["failed"] = str(error)


def undo(desk: Desk, person: str) -> None:
    desk.undo(person, time.time())


def skip(desk: Desk, subject: str, person: str) -> None:
    desk.skip(subject, person, time.time())


main()
