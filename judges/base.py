"""The interfaces of judges, and the scale that turns scores of sentence pairs into a score of a message."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from arena.core.types import NOTHING, Case, Check, Facts, Judgement
from bots.base import RunOptions

CLASSES = ("entailment", "neutral", "contradiction")  # of natural language inference, in this order
WEIGHTS = Path(__file__).parent / "weights"  # what is shipped
ON_TOPIC = "on_topic"  # in the evidence: the probability that the answer keeps to its question


@dataclass(frozen=True, slots=True)
class Scale:
    """Converts the highest score of a message's sentence pairs into the score of the message.

    The more pairs there are, the higher their highest score by chance. The log-odds of that score and the
    logarithm of the number of pairs therefore go into a logistic curve, which was fitted on messages with and
    without contradictions.
    """

    slope: float = 1.0
    per_pair: float = 0.0
    shift: float = 0.0

    def of(self, score: float, pairs: int) -> float:
        if self == PLAIN:
            return score
        safe = min(max(score, 1e-6), 1 - 1e-6)
        odds = self.slope * math.log(safe / (1 - safe)) + self.per_pair * math.log(max(1, pairs)) + self.shift
        return 1 / (1 + math.exp(-max(-60.0, min(60.0, odds))))


PLAIN = Scale()


class Judge(Protocol):
    """One model, rule or person that says how much an answer contradicts what was said.

    `revision` covers weights, input format and code version: a verdict is stored once per (inquiry, name, revision).
    `tau` is the judge's own default threshold.
    `cacheable` is true where the judgement depends on `key(case)` only, so that equal cases are judged once.
    `implementation` names the class that judges: two plug-ins may both call their revision "1".
    """

    name: str
    revision: str
    tau: float
    cacheable: bool

    @property
    def implementation(self) -> str: ...

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        """One judgement per case, in order; a case that cannot be judged gets a reason instead of a score."""
        ...

    def key(self, case: Case) -> Sequence[Any]:
        """The parts of the case that the judgement depends on."""
        ...

    def scale(self, check: Check) -> Scale:
        """How scores of pairs of sentences become the score of a message under a check."""
        ...

    def use(self, run: RunOptions) -> None:
        """Receives the run's options, for judges that ask bots; called before the first case, if at all."""
        ...

    async def close(self) -> None:
        """Frees models and connections."""
        ...


class Defaults:
    """Defaults for judges without a scale of their own, which ask no bots and hold nothing open."""

    @property
    def implementation(self) -> str:
        return type(self).__qualname__

    def scale(self, check: Check) -> Scale:  # noqa: ARG002
        return PLAIN

    def use(self, run: RunOptions) -> None:
        """Does nothing."""

    async def close(self) -> None:
        """Does nothing."""


class FactoryDefaults:
    """For factories of judges that have no short form of a setting."""

    shorthand: str | None = None


class Factory(Protocol):
    """The object behind an entry point of the group `arena.judges`.

    `Settings` is a pydantic model (`extra="forbid"`) of the keys that an entry may have besides name, judge and
    tau. `shorthand` is the setting that may follow the name after a colon, as in `nli:FOLDER`.
    """

    Settings: type[Any]
    shorthand: str | None

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:
        """Whether a judge with these settings can work here, and one sentence: a description, or what to do.

        Without settings it says whether any judge of the factory can work. It loads nothing. Commands in the
        sentence stand in quotation marks.
        """
        ...

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]: ...

    def create(self, name: str, settings: Mapping[str, Any]) -> Judge: ...
