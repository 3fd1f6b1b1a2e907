"""A question writer for the plainest clauses: "I like jazz." becomes "What do you like?"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from arena.core.errors import InputError
from arena.core.hashing import digest
from arena.core.types import Entity, Kind, Question
from inquirer.base import Task

CODE = "1"  # raise it whenever the same utterance would get other questions
FORM = "What do you {verb}?"
SUBJECT_AND_VERB = re.compile(r"\s*I (\w+)\s+", re.IGNORECASE)
SEVERAL_ANSWERS = {"like", "love", "hate", "enjoy", "want"}


class VerbWriter:
    def __init__(self, form: str) -> None:
        self._form = form
        self.revision = f"verb-{CODE}-{digest(form)[:12]}"

    async def write(self, tasks: Sequence[Task]) -> list[list[Question]]:
        """The questions of each task, best first."""
        return [self._write(task) for task in tasks]

    def _write(self, task: Task) -> list[Question]:
        if Kind.WH not in task.kinds:
            return []
        questions = (self._question(task.utterance, entity) for entity in task.entities)
        return [question for question in questions if question is not None]

    def _question(self, utterance: str, entity: Entity) -> Question | None:
        """Only if nothing but subject and verb stands before the entity in its clause."""
        before = SUBJECT_AND_VERB.fullmatch(utterance[entity.clause_start : entity.start])
        if before is None or before[1].lower() == "am":
            return None
        verb = before[1].lower()
        return Question(
            text=self._form.format(verb=verb),
            entity=entity,
            kind=Kind.WH,
            score=0.5,
            rule="verb",
            single_answer=False if verb in SEVERAL_ANSWERS else None,
            clause=(entity.clause_start, entity.clause_end),
            span=(entity.start, entity.end),
        )


def create(settings: Mapping[str, Any]) -> VerbWriter:
    """`form` is the question; it holds {verb} and ends with a question mark."""
    unknown = sorted(set(settings) - {"form"})
    if unknown:
        raise InputError(f"The question writer 'verb' has no setting '{unknown[0]}': leave it out.")
    form = settings.get("form", FORM)
    if not isinstance(form, str) or "{verb}" not in form or not form.endswith("?"):
        raise InputError("The setting 'form' must hold {verb} and end with a question mark.")
    return VerbWriter(form)
