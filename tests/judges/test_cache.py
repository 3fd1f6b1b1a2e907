"""No pair of texts goes through a judge twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.core.types import Case, Judgement
from judges.base import Defaults
from judges.cache import Cached, Memory


@dataclass
class Counting(Defaults):
    """A judge that remembers what it was asked."""

    name: str = "counting"
    revision: str = "1"
    tau: float = 0.5
    cacheable: bool = True
    fails: bool = False
    asked: list[str] = field(default_factory=list)

    def key(self, case: Case) -> Sequence[Any]:
        return (case.source, case.answer)

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        self.asked += [case.answer for case in cases]
        if self.fails:
            return [Judgement(None, reason="unparsable") for _ in cases]
        return [
            Judgement(len(case.answer) / 100, {"neutral": 0.25}, {"said": case.answer, "kept": [1, None]})
            for case in cases
        ]


@dataclass
class Other(Counting):
    """Another plug-in that calls its revision the same."""


def case(answer: str, question: str = "?") -> Case:
    return Case("I have two kids.", question, answer)


async def test_equal_cases_are_judged_once_in_a_batch_and_later() -> None:
    inner = Counting()
    judge = Cached(inner, Memory())
    first = await judge.judge([case("b"), case("a"), case("b", "another question"), case("b")])
    again = await judge.judge([case("a"), case("b")])
    assert inner.asked == ["b", "a"]
    assert [answers.evidence["said"] for answers in first] == ["b", "a", "b", "b"]
    assert again == [first[1], first[0]]
    assert (judge.hits, judge.misses) == (4, 2)


async def test_what_could_not_be_judged_is_asked_again() -> None:
    inner = Counting(fails=True)
    judge = Cached(inner, Memory())
    assert [judgement.reason for judgement in await judge.judge([case("a"), case("a")])] == [
        "unparsable",
        "unparsable",
    ]
    inner.fails = False
    assert (await judge.judge([case("a")]))[0].contradiction == 0.01
    assert inner.asked == ["a", "a"]


async def test_another_revision_or_class_shares_nothing() -> None:
    store = Memory()
    judges = [Counting(), Counting(revision="2"), Other()]
    for inner in judges:
        await Cached(inner, store).judge([case("a")])
    assert [inner.asked for inner in judges] == [["a"]] * 3


async def test_another_name_shares_all() -> None:
    store, second = Memory(), Counting(name="second")
    await Cached(Counting(), store).judge([case("a")])
    await Cached(second, store).judge([case("a")])
    assert second.asked == []


async def test_a_judge_that_must_not_be_cached_is_not() -> None:
    inner = Counting(cacheable=False)
    judge = Cached(inner, Memory())
    await judge.judge([case("a")])
    await judge.judge([case("a")])
    assert inner.asked == ["a", "a"]


@dataclass
class Quiet(Counting):
    """Without evidence: evidence that quotes a lone surrogate could not be exported, and is refused."""

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        return [Judgement(one.contradiction) for one in await super().judge(cases)]


async def test_lone_surrogates_and_emptiness_are_texts_too() -> None:
    inner = Quiet()
    judge = Cached(inner, Memory())
    assert await judge.judge([]) == []
    await judge.judge([case("\ud800"), case("")])
    again = await judge.judge([case(""), case("\ud800")])
    assert [judgement.contradiction for judgement in again] == [0.0, 0.01]
    assert inner.asked == ["\ud800", ""]
