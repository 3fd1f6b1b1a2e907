"""Checks that a judge's verdicts can be stored, cached and compared."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from arena.core.hashing import digest
from arena.core.types import Case, Judgement, Kind
from arena.testing.problems import HOSTILE, Problems, check_shell, declares, results, run
from judges.base import Factory, Judge

CASES = (
    Case("I have two dogs.", "How many dogs do you have?", "I have no dogs."),
    Case("I have two dogs.", "How many dogs do you have?", "Two."),
    Case("I live in Rome.", "Where do you live?", "I live in Paris."),
    Case("I live in Rome.", "Do you live in Rome?", "Yes, I do.", Kind.YES_NO_TRUE, "yes"),
    Case("I like to cook.", "What do you like?", "What a nice day!"),
    Case("I am a nurse.", "What do you do?", "I work as a nurse.", context=("hello", "I am a nurse.")),
    Case("I am a nurse.", "What do you do?", "I never worked.", knowledge="Nurses work in hospitals."),
    Case("My name is Anna.", "What is your name?", "Anna.", Kind.ASK_TWICE, single_answer=True),
)


def check_judge(
    factory: Factory, settings: Mapping[str, Any] | None = None, *, tolerance: float = 0.02
) -> None:
    """Use the judge as a tournament would, and raise an AssertionError that lists every problem.

    `tolerance` is how much a probability may change with the batch size, because floating-point sums depend on
    the batch size.
    """
    problems = Problems(f"The judge factory {type(factory).__name__}")
    given = dict(settings or {})
    declares(problems, factory, Factory)
    problems.stop_if_any()
    check_shell(problems, factory, given)
    judge: Judge | None = None
    with problems.during("create(name, settings)"):
        judge = factory.create("checked", given)
        again = factory.create("checked", given)
        declares(problems, judge, Judge)
        problems.stop_if_any()
        _identity(problems, judge, again)
    problems.stop_if_any()
    assert judge is not None
    run(_judge(problems, judge, tolerance))
    problems.stop_if_any()


def _identity(problems: Problems, judge: Judge, again: Judge) -> None:
    problems.expect(judge.name == "checked", "the judge must carry the name that create() was given")
    problems.expect(isinstance(judge.revision, str) and judge.revision, "revision must be a text, not empty")
    problems.expect(
        judge.revision == again.revision,
        "equal settings give another revision each time; verdicts would never be met again",
    )
    problems.expect(0.0 <= judge.tau <= 1.0, f"tau must lie from 0 to 1, not {judge.tau}")
    problems.expect(isinstance(judge.cacheable, bool), "cacheable must be true or false")


async def _judge(problems: Problems, judge: Judge, tolerance: float) -> None:
    whole = await _judgements(problems, judge, CASES, "judge() of a batch")
    await _judgements(problems, judge, (), "judge() of an empty batch")
    for text in HOSTILE:
        cases = [
            Case(text, "Really?", "Yes."),
            Case("I like tea.", "Really?", text),
            Case("I like tea.", text, "Yes."),
        ]
        await _judgements(problems, judge, cases, f"judge() with {text[:30]!r}")
    if whole is None:
        return
    singles = [await _judgements(problems, judge, [case], "judge() of one case") for case in CASES]
    alone = [judgement[0] if judgement else None for judgement in singles]
    problems.expect(
        all(_close(a, b, tolerance) for a, b in zip(whole, alone, strict=True)),
        "a case in a batch is judged otherwise than alone: judgements must be in order and independent",
    )
    backwards = await _judgements(problems, judge, CASES[::-1], "judge() of a batch")
    if backwards is not None:
        same = all(_close(a, b, tolerance) for a, b in zip(whole, backwards[::-1], strict=True))
        problems.expect(same, "the order of a batch changes its judgements")
    if judge.cacheable:
        _keys(problems, judge, whole, tolerance)


async def _judgements(
    problems: Problems, judge: Judge, cases: Sequence[Case], what: str
) -> list[Judgement] | None:
    judgements = await results(problems, what, lambda: judge.judge(cases), Judgement, len(cases))
    for judgement in judgements or ():
        _sound(problems, judgement, what)
    return judgements


def _sound(problems: Problems, judgement: Judgement, what: str) -> None:
    value = judgement.contradiction
    if value is None:
        problems.expect(judgement.reason, f"{what} gives neither a contradiction nor a reason")
        return
    problems.expect(not judgement.reason, f"{what} gives both a contradiction and a reason")
    problems.expect(math.isfinite(value) and 0 <= value <= 1, f"{what} gives the contradiction {value}")
    if judgement.classes:
        total = sum(judgement.classes.values())
        problems.expect(abs(total - 1) < 0.01, f"{what} gives class probabilities that sum to {total:g}")


def _close(a: Judgement | None, b: Judgement | None, tolerance: float) -> bool:
    if a is None or b is None or a.contradiction is None or b.contradiction is None:
        return a is not None and b is not None and a.contradiction == b.contradiction
    return abs(a.contradiction - b.contradiction) <= tolerance


def _keys(problems: Problems, judge: Judge, judgements: Sequence[Judgement], tolerance: float) -> None:
    """Check the judge's keys. Cases with equal keys are judged once, so the key must contain everything that the
    judgement depends on.
    """
    known: dict[str, Judgement] = {}
    for case, judgement in zip(CASES, judgements, strict=True):
        with problems.during("key(case)"):
            key = digest(judge.key(case))
            problems.expect(key == digest(judge.key(case)), "key(case) differs from call to call")
            problems.expect(
                _close(known.setdefault(key, judgement), judgement, tolerance),
                "cases with equal keys are judged differently: key(case) leaves something out",
            )
