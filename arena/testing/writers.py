"""Checks that a question writer's questions can be asked."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from arena.core.types import Kind, Question
from arena.testing.problems import HOSTILE, Problems, declares, refuses_unknown, results, run
from inquirer.base import Factory, Task, Writer
from inquirer.entities.rules import entities

UTTERANCES = (
    "I have two dogs.",
    "I live in Rome and I work as a nurse.",
    "My favorite food is pizza.",
    "I moved to Chicago in 2010.",
    "I love to cook for my kids.",
)


def check_writer(create: Factory, settings: Mapping[str, Any] | None = None) -> None:
    """Use the writer as an inquirer would, and raise an AssertionError that lists every problem."""
    problems = Problems(f"The question writer of {getattr(create, '__module__', create)}")
    given = dict(settings or {})
    writer: Writer | None = None
    with problems.during("create(settings)"):
        writer, again = create(given), create(given)
        declares(problems, writer, Writer)
        problems.stop_if_any()
        revision = writer.revision
        problems.expect(isinstance(revision, str) and revision, "revision must be a text that is not empty")
        problems.expect(revision == again.revision, "equal settings give another revision each time")
    refuses_unknown(problems, lambda: create({**given, "no_such_key": 1}), "create()")
    problems.stop_if_any()
    assert writer is not None
    run(_write(problems, writer))
    problems.stop_if_any()


def _task(utterance: str, kinds: tuple[Kind, ...] = tuple(Kind)) -> Task:
    return Task(utterance, tuple(entities(utterance)), kinds)


async def _write(problems: Problems, writer: Writer) -> None:
    tasks = [_task(utterance) for utterance in UTTERANCES]
    whole = await _questions(problems, writer, tasks, "write() of a batch")
    await _questions(problems, writer, [], "write() of an empty batch")
    for kind in Kind:
        await _questions(
            problems, writer, [_task(text, (kind,)) for text in UTTERANCES], f"write() of kind {kind}"
        )
    for text in HOSTILE:
        await _questions(
            problems, writer, [_task(text), Task(text, (), tuple(Kind))], f"write() of {text[:30]!r}"
        )
    if whole is None:
        return
    problems.expect(any(whole), "write() has no question about any of five plain statements")
    singles = [await _questions(problems, writer, [task], "write() of one task") for task in tasks]
    problems.expect(
        whole == [questions[0] if questions else None for questions in singles],
        "a task in a batch gets other questions than alone: they must be in order, independent and repeatable",
    )


async def _questions(
    problems: Problems, writer: Writer, tasks: Sequence[Task], what: str
) -> list[list[Question]] | None:
    written = await results(problems, what, lambda: writer.write(tasks), list, len(tasks))
    for task, questions in zip(tasks, written or (), strict=False):
        scores = [question.score for question in questions]
        problems.expect(scores == sorted(scores, reverse=True), f"{what}: the best question must come first")
        for question in questions:
            _sound(problems, task, question, what)
    return written


def _sound(problems: Problems, task: Task, question: Question, what: str) -> None:
    text = question.text
    problems.expect(
        text == text.strip() and text.endswith("?"), f"{what} asks {text!r}, which is no question"
    )
    problems.expect(question.kind in task.kinds, f"{what} asks a question of kind {question.kind} unasked")
    problems.expect(question.entity in task.entities, f"{what} asks about an entity that the task has not")
    problems.expect(math.isfinite(question.score), f"{what} gives the score {question.score}")
    problems.expect(question.single_answer in (True, False, None), f"{what}: single_answer is no truth value")
    for offsets in (question.clause, question.span):
        inside = offsets is None or 0 <= offsets[0] <= offsets[1] <= len(task.utterance)
        problems.expect(inside, f"{what} gives offsets {offsets} outside the utterance")
