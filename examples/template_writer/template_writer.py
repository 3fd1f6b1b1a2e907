"""A question writer with one template: "You mentioned {entity}. What about it?"."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.core.errors import InputError
from arena.core.hashing import digest
from arena.core.types import Entity, Kind, Question
from inquirer.base import Task

CODE = "1"  # raise it whenever the same utterance would get other questions
DEFAULT = "What did you say about {entity}?"


class TemplateWriter:
    def __init__(self, template: str) -> None:
        self._template = template
        self.revision = f"template-{CODE}-{digest(template)[:12]}"

    async def write(self, tasks: Sequence[Task]) -> list[list[Question]]:
        """The questions of each task, best first."""
        return [self._write(task) for task in tasks]

    def _write(self, task: Task) -> list[Question]:
        if Kind.WH not in task.kinds:
            return []
        longest_first = sorted(task.entities, key=lambda entity: -len(entity.text))
        return [self._question(entity) for entity in longest_first]

    def _question(self, entity: Entity) -> Question:
        return Question(
            text=self._template.format(entity=entity.text),
            entity=entity,
            kind=Kind.WH,
            score=min(1.0, len(entity.text) / 40),
            rule="template",
            single_answer=None,  # a template does not know whether the fact has one right answer
        )


def create(settings: Mapping[str, Any]) -> TemplateWriter:
    """`template` holds {entity} and ends with a question mark."""
    unknown = sorted(set(settings) - {"template"})
    if unknown:
        raise InputError(f"The question writer 'template' has no setting '{unknown[0]}': leave it out.")
    template = settings.get("template", DEFAULT)
    if not isinstance(template, str) or "{entity}" not in template or not template.endswith("?"):
        raise InputError("The setting 'template' must hold {entity} and end with a question mark.")
    return TemplateWriter(template)
