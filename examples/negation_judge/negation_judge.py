"""A judge that compares negations: "I have a dog." against "I have no dog." is a contradiction."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.core.types import Case, Judgement
from judges.base import Defaults, FactoryDefaults
from judges.settings import Settings

CODE = "1"  # raise it whenever the same texts would get other numbers
NEGATIONS = ("no", "not", "never", "nothing", "nobody", "none")
CONTRACTED = re.compile(r"n't\b")


class NegationSettings(Settings):
    """The keys that an entry of this judge may carry; unknown ones are refused."""

    also: tuple[str, ...] = ()  # further words that negate


@dataclass
class NegationJudge(Defaults):
    name: str
    negations: frozenset[str]
    tau: float = 0.5
    cacheable: bool = True  # equal keys, equal judgements: each is computed once

    @property
    def revision(self) -> str:
        """Everything that decides a judgement and is not in the texts."""
        return f"negation-{CODE}-{'-'.join(sorted(self.negations))}"

    def key(self, case: Case) -> Sequence[Any]:
        """The parts of the case that the judgement depends on."""
        return (case.source, case.answer)

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        """One judgement per case, in order."""
        return [self._judge(case) for case in cases]

    def _judge(self, case: Case) -> Judgement:
        source, answer = self._words(case.source), self._words(case.answer)
        if not answer:
            return Judgement(None, reason="empty_answer")
        if not source:
            return Judgement(None, reason="empty_source")
        differs = bool(source & self.negations) != bool(answer & self.negations)
        shared = {word for word in source & answer if len(word) > 2} - self.negations
        contradiction = 0.8 if differs and shared else 0.1
        return Judgement(contradiction, evidence={"shared": sorted(shared)})

    def _words(self, text: str) -> set[str]:
        return set(re.findall(r"\w+", CONTRACTED.sub(" not", text.lower())))


class NegationFactory(FactoryDefaults):
    Settings = NegationSettings

    def available(self, settings: Mapping[str, Any] | None = None) -> tuple[bool, str]:  # noqa: ARG002
        return True, "nothing to install"

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"what": "compares negations", **settings}

    def create(self, name: str, settings: Mapping[str, Any]) -> NegationJudge:
        chosen = NegationSettings.model_validate(settings)
        return NegationJudge(name, frozenset(NEGATIONS) | frozenset(chosen.also))


judge = NegationFactory()
