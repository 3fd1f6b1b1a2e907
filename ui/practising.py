"""The practice round: an item, its questions and the right answers.

Answers are kept only for the current browser session.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import streamlit as st

from arena.labelling.practice import Practice, practice
from arena.labelling.schemas import Question, Schema
from ui import address, answers, data, items, words
from ui.markup import Element, element, show


def items_of(form: Schema) -> list[Practice]:
    return practice(data.store(), form)


def practise(form: Schema) -> None:
    """Show the item whose number (from 1) is in the address; after the last item, show the result."""
    rounds = items_of(form)
    number = int(address.value("practice", 1, len(rounds) + 1, 1))
    with st.container(horizontal=True, vertical_alignment="center", key="label_top"):
        place = f"item {number} of {len(rounds)}" if number <= len(rounds) else "done"
        show(element("h3", "Practice", element("span", f" · {place} · nothing is stored", class_="dim")))
        st.button("Skip practice" if number <= len(rounds) else "Back", on_click=leave, key="skip_practice")
    if number > len(rounds):
        summary(form, rounds)
        return
    current = rounds[number - 1]
    given = answers_given(form, number)
    left, right = st.columns([7, 5], gap="large")
    with left:
        show(items.card(current.item, form.subject_type))
    with right:
        answers.questions(
            form,
            f"{form.name}-{number}",
            given,
            lambda question, value: given.__setitem__(question, value),
            current.item.check,
        )
        if all(question.name in given for question in form.asked):
            show(feedback(form, current, given))
            st.button("Next", type="primary", shortcut="enter", on_click=turn, args=(number + 1,), key="next")


def feedback(form: Schema, current: Practice, given: Mapping[str, Any]) -> Element:
    lines = [
        element("li", _feedback_on(question, current.right[question.name], given[question.name]))
        for question in form.asked
    ]
    wrong = [q for q in form.asked if given[q.name] != current.right[q.name]]
    head = "Right." if not wrong else "Not quite." if len(wrong) < len(form.asked) else "No."
    return element(
        "div",
        element("b", head),
        element("ul", lines),
        current.why,
        class_=f"notice {'warn' if wrong else 'info'} feedback",
        role="status",
    )


def _feedback_on(question: Question, right: Any, given: Any) -> str:
    word = next(word for value, word in question.answers if value == right)
    mark = "right" if given == right else f"the right answer is “{word}”"
    return f"{question.name.replace('_', ' ')}: {mark}"


def summary(form: Schema, rounds: Sequence[Practice]) -> None:
    answered = [
        (answers_given(form, n), one.right) for n, one in enumerate(rounds, 1) if answers_given(form, n)
    ]
    total = sum(len(right) for _, right in answered)
    right = sum(given.get(name) == value for given, known in answered for name, value in known.items())
    if total:
        words.headline(f"You gave {right} of {total} answers as they should be.")
    words.lead("From here on your answers count. The guidelines stay one click away.")
    st.button("Start labelling", type="primary", shortcut="enter", on_click=leave, key="begin_real")


def answers_given(form: Schema, number: int) -> dict[str, Any]:
    """The answers that the person gave to an item in this browser session."""
    kept: dict[tuple[str, int], dict[str, Any]] = st.session_state.setdefault("practised", {})
    return kept.setdefault((form.name, number), {})


def turn(number: int) -> None:
    address.put(practice=str(number))


def leave() -> None:
    address.put(practice=None)
