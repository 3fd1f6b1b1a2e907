"""`check_judge` passes sound judges and names what is broken."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from arena.core.types import Case, Judgement
from arena.testing import check_judge
from judges import registry as judges
from judges.base import Defaults, FactoryDefaults
from judges.settings import Settings


@pytest.mark.parametrize("name", ["lexical", "truth", "overlap"])
def test_the_arenas_own_judges_conform(name: str) -> None:
    check_judge(judges.factory(name))


class Fair(Defaults):
    """A judge that keeps every rule."""

    revision, tau, cacheable = "1", 0.5, True

    def __init__(self, name: str) -> None:
        self.name = name

    def key(self, case: Case) -> Sequence[Any]:
        return (case.source, case.answer)

    def one(self, case: Case) -> Judgement:
        return Judgement(min(1.0, len(case.answer) / 100))

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        return [self.one(case) for case in cases]


class Factory(FactoryDefaults):
    Settings = Settings

    def __init__(self, judge: type[Fair]) -> None:
        self.judge = judge

    def available(self, settings: Mapping[str, Any] | None = None) -> tuple[bool, str]:
        return True, "here"

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        return {}

    def create(self, name: str, settings: Mapping[str, Any]) -> Fair:
        return self.judge(name)


class OutOfRange(Fair):
    def one(self, case: Case) -> Judgement:
        return Judgement(1.5)


class Silent(Fair):
    def one(self, case: Case) -> Judgement:
        return Judgement(None)


class Uneven(Fair):
    def one(self, case: Case) -> Judgement:
        return Judgement(0.5, {"contradiction": 0.5, "neutral": 0.1})


class Reversed(Fair):
    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        return [self.one(case) for case in reversed(cases)]


class Forgetful(Fair):
    def key(self, case: Case) -> Sequence[Any]:
        return (case.source,)


class Nameless(Fair):
    def __init__(self, name: str) -> None:
        super().__init__("mine")


class Restless(Fair):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.revision = str(random.random())


class Delicate(Fair):
    def one(self, case: Case) -> Judgement:
        return Judgement(0.1 if case.answer.split()[0] else 0.0)


@pytest.mark.parametrize(
    ("judge", "words"),
    [
        (OutOfRange, "gives the contradiction 1.5"),
        (Silent, "neither a contradiction nor a reason"),
        (Uneven, "sum to 0.6"),
        (Reversed, "judgements must be in order"),
        (Forgetful, r"key\(case\) leaves something out"),
        (Nameless, "carry the name"),
        (Restless, "another revision each time"),
        (Delicate, "raises IndexError"),
    ],
)
def test_a_broken_judge_is_told_what_is_wrong(judge: type[Fair], words: str) -> None:
    with pytest.raises(AssertionError, match=words):
        check_judge(Factory(judge))


def test_a_sound_judge_conforms() -> None:
    check_judge(Factory(Fair))
