"""`check_writer` passes sound question writers and names what is broken."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from arena.core.types import Kind, Question
from arena.testing import check_writer
from inquirer.base import Task
from inquirer.questions import rules


def test_the_arenas_own_writer_conforms() -> None:
    check_writer(rules.create)


class Plain:
    """A writer that keeps every rule."""

    revision = "1"

    def one(self, task: Task) -> list[Question]:
        wanted = Kind.WH in task.kinds
        return [Question(f"What about {e.text}?", e, Kind.WH, 0.5) for e in task.entities if wanted]

    async def write(self, tasks: Sequence[Task]) -> list[list[Question]]:
        return [self.one(task) for task in tasks]


class Statement(Plain):
    def one(self, task: Task) -> list[Question]:
        return [replace(question, text="Tell me.") for question in super().one(task)]


class Unasked(Plain):
    def one(self, task: Task) -> list[Question]:
        return [Question("Why?", entity, Kind.PARAPHRASE) for entity in task.entities]


class WorstFirst(Plain):
    def one(self, task: Task) -> list[Question]:
        return [replace(question, score=n) for n, question in enumerate(super().one(task) * 2)]


class Foreign(Plain):
    def one(self, task: Task) -> list[Question]:
        return [replace(q, entity=replace(q.entity, text="someone else's")) for q in super().one(task)]


class Outside(Plain):
    def one(self, task: Task) -> list[Question]:
        return [replace(question, span=(0, 10_000)) for question in super().one(task)]


class Mute(Plain):
    def one(self, task: Task) -> list[Question]:
        return []


class Whimsical(Plain):
    def one(self, task: Task) -> list[Question]:
        return [replace(q, text=f"What about {random.random()}?") for q in super().one(task)]


@pytest.mark.parametrize(
    ("writer", "words"),
    [
        (Statement, "which is no question"),
        (Unasked, "of kind paraphrase unasked"),
        (WorstFirst, "the best question must come first"),
        (Foreign, "an entity that the task has not"),
        (Outside, "outside the utterance"),
        (Mute, "has no question about any"),
        (Whimsical, "independent and repeatable"),
    ],
)
def test_a_broken_writer_is_told_what_is_wrong(writer: type[Plain], words: str) -> None:
    def create(settings: Mapping[str, Any]) -> Plain:
        if settings:
            raise ValueError("no settings")
        return writer()

    with pytest.raises(AssertionError, match=words):
        check_writer(create)


def test_a_writer_that_ignores_its_settings_is_told_so() -> None:
    with pytest.raises(AssertionError, match="accepts the unknown key"):
        check_writer(lambda _: Plain())
