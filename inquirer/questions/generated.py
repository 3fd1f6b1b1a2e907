"""The common part of all writers that use a language model.

It chooses the context, marks the answer and cleans the output.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from arena.core.types import Entity, Kind, Question
from inquirer.base import Task
from inquirer.language.sentences import statements
from inquirer.language.tokens import tokens
from inquirer.person import swap

WRITTEN = (Kind.WH, Kind.ASK_TWICE, Kind.PARAPHRASE)
FIRST_PERSON = {"i", "me", "my", "mine", "myself", "we", "us", "our"}


def context(task: Task, entity: Entity) -> tuple[str, int, int]:
    """Returns the sentence with the entity, and the entity's position in the sentence."""
    for sentence in statements(task.utterance):
        if sentence.start <= entity.start and entity.end <= sentence.end:
            end = sentence.end
            return (
                task.utterance[sentence.start : end],
                entity.start - sentence.start,
                entity.end - sentence.start,
            )
    return task.utterance, entity.start, entity.end


def wanted(tasks: Sequence[Task]) -> list[tuple[int, Entity]]:
    """Returns the (task, entity) pairs for which the model writes questions."""
    return [(i, e) for i, task in enumerate(tasks) if set(task.kinds) & set(WRITTEN) for e in task.entities]


def tidy(text: str) -> str | None:
    """Returns the first question in the model's text, addressed to the speaker, or None if there is no question."""
    text = " ".join(text.split())
    text = re.sub(
        r"^(?:(?:question|q|generate question)\s*:?|[-*\d.)\"“ ]+)\s*", "", text, flags=re.IGNORECASE
    )
    match = re.match(r"[^?]{4,200}\?", text)
    if not match:
        return None
    question = match.group().strip(" \"“”'")
    if any(w.lower in FIRST_PERSON for w in tokens(question)) and not any(
        w.lower in {"you", "your", "yours"} for w in tokens(question)
    ):
        question = swap(question)
    return question[:1].upper() + question[1:]


def questions(task: Task, entity: Entity, ranked: Sequence[tuple[str, float]]) -> list[Question]:
    """Turns ranked texts into questions of the kinds that the task asks for."""
    result = []
    texts: list[tuple[str, float]] = []
    for text, score in ranked:
        tidied = tidy(text)
        if tidied and all(tidied != known for known, _ in texts):
            texts.append((tidied, score))
    for kind in (Kind.WH, Kind.ASK_TWICE):
        if kind in task.kinds:
            result += [Question(text, entity, kind, score, entity.text) for text, score in texts]
    if Kind.PARAPHRASE in task.kinds:  # another wording is only the next best question
        result += [Question(text, entity, Kind.PARAPHRASE, score, entity.text) for text, score in texts[1:]]
    return result
