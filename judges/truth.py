"""The judge `truth`: it reads the correct verdict that scripted bots record with each answer (whether it is fickle).

Its figures say nothing about bots. It serves to test inquirers, judges and statistics.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.core.types import NOTHING, Case, Facts, Judgement
from judges.base import Defaults, FactoryDefaults
from judges.settings import Settings


@dataclass
class Truth(Defaults):
    name: str
    revision: str = "truth-1"
    tau: float = 0.5
    cacheable: bool = True

    def key(self, case: Case) -> Sequence[Any]:
        return (case.facts.get("fickle"), case.facts.get("evasive"))

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        return [_told(case) for case in cases]


def _told(case: Case) -> Judgement:
    fickle = case.facts.get("fickle")
    if not isinstance(fickle, bool):
        return Judgement(None, reason="no_truth")
    if fickle:
        return Judgement(1.0, {"entailment": 0.0, "neutral": 0.0, "contradiction": 1.0})
    neutral = 1.0 if case.facts.get("evasive") is True else 0.0
    return Judgement(0.0, {"entailment": 1.0 - neutral, "neutral": neutral, "contradiction": 0.0})


class TruthFactory(FactoryDefaults):
    Settings = Settings

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:  # noqa: ARG002
        return True, "reads what scripted bots recorded of their own answers"

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:  # noqa: ARG002
        return {
            "what": "the recorded truth of scripted bots; every other answer is unjudged (no_truth)",
            "needs": "a bot that records `fickle` with its answers",
            "classes": ["entailment", "neutral", "contradiction"],
        }

    def create(self, name: str, settings: Mapping[str, Any]) -> Truth:  # noqa: ARG002
        return Truth(name)


judge = TruthFactory()
