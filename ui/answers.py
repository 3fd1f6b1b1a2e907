"""The questions of a schema next to an item; each answer is a button with a shortcut key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import streamlit as st

from arena.labelling.schemas import Question, Schema
from ui.markup import element, show

# The wording of the schema's first question suits statements about people, but knowledge can be about anything
WORDS = {("knowledge", "about_speaker"): "Are both about the same thing?"}

Answer = Callable[[str, Any], None]  # question, value


def wording(question: Question, check: str | None) -> str:
    return WORDS.get((check or "", question.name), question.text)


def questions(
    form: Schema, subject: str, given: Mapping[str, Any], answer: Answer, check: str | None = None
) -> None:
    """Show the questions with their answer buttons. `given` are the answers so far; their buttons are filled."""
    for question in form.asked:
        chosen = given.get(question.name)
        state = next((word for value, word in question.answers if _same(value, chosen)), None)
        show(
            element(
                "p",
                wording(question, check),
                element("span", f"  {state}", class_="state") if state else None,
                class_="question",
            )
        )
        with st.container(horizontal=True, key=f"answers_{question.name}"):
            for (value, word), key in zip(question.answers, question.keys, strict=True):
                st.button(
                    word,
                    key=f"{subject}_{question.name}_{key}",
                    shortcut=key,
                    type="primary" if _same(value, chosen) else "secondary",
                    on_click=answer,
                    args=(question.name, value),
                    width="stretch",
                )


def _same(value: Any, chosen: Any) -> bool:
    """Whether two answers are equal. False differs from 0 here, and a missing answer equals nothing."""
    return chosen is not None and type(value) is type(chosen) and value == chosen
