"""Combines a question and its answer into one text for the judge."""

from __future__ import annotations

from collections.abc import Mapping

ANSWERS: Mapping[bool | None, str] = {None: "", True: "(one answer)", False: "(several answers)"}
"""The words after a question that say how many right answers it has. Only some judges were trained with them."""


def hypothesis(question: str, answer: str, single: bool | None = None) -> str:
    """Return the question and its answer as one text; without a question, the answer alone."""
    question, answer = " ".join(question.split()), " ".join(answer.split())
    if not question:
        return answer
    if question[-1] not in "?.!":
        question += "?"
    return " ".join(part for part in (question, ANSWERS[single], answer) if part)
