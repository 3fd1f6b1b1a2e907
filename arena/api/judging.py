"""arena.judge: does one answer contradict what was said?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from arena.api.sync import finish
from arena.core.types import Case, Kind
from arena.judging.one_case import judge_case
from judges import registry


@dataclass(frozen=True)
class Verdict:
    """A judge's opinion. If `contradiction` is None, `reason` says why there is no score."""

    judge: str
    revision: str
    tau: float
    contradiction: float | None
    classes: Mapping[str, float]
    evidence: Mapping[str, Any]
    reason: str | None

    @property
    def contradicts(self) -> bool | None:
        """Whether the score is above the judge's threshold."""
        return None if self.contradiction is None else self.contradiction > self.tau


def judge(
    utterance: str,
    question: str,
    answer: str,
    judge: str | Mapping[str, Any] = "nli",
    *,
    kind: str = "wh",
    expected: str | None = None,
    knowledge: str | None = None,
) -> Verdict:
    """Judge one answer to a question about an utterance, as `arena judges try` does."""
    spec = registry.spec(judge)
    case = Case(utterance, question, answer, Kind(kind), expected, (utterance,), knowledge)
    return Verdict(**finish(lambda: judge_case(spec, case)))
