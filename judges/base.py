"""What every judge is to the arena."""

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
    """What the highest score of so many pairs of sentences says of their message.

    The more pairs, the higher their highest score, whatever they say: log-odds of the score and the logarithm of the
    number of pairs go into a logistic curve that was fitted on messages with and without contradictions.
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
        """One judgement per case, in order; what cannot be judged has a reason instead of a number."""
        ...

    def key(self, case: Case) -> Sequence[Any]:
        """All of the case that the judgement depends on."""
        ...

    def scale(self, check: Check) -> Scale:
        """How scores of pairs of sentences become the score of a message under a check."""
        ...

    def use(self, run: RunOptions) -> None:
        """What the run decides, for judges that ask bots; called before the first case, if at all."""
        ...

    async def close(self) -> None:
        """Frees models and connections."""
        ...


class Defaults:
    """For judges that calibrate no messages, ask no bots and hold nothing open."""

    @property
    def implementation(self) -> str:
        return type(self).__qualname__

    def scale(self, check: Check) -> Scale:  # noqa: ARG002
        return PLAIN

    def use(self, run: RunOptions) -> None:
        """Nothing of it matters here."""

    async def close(self) -> None:
        """Nothing is open."""


class FactoryDefaults:
    """For factories whose judges take nothing behind a colon."""

    shorthand: str | None = None


class Factory(Protocol):
    """The object behind an entry point of the group `arena.judges`.

    `Settings` is a pydantic model (`extra="forbid"`) of the keys an entry may carry besides name, judge and tau.
    `shorthand` is the setting that may follow the name behind a colon, as in `nli:FOLDER`.
    """

    Settings: type[Any]
    shorthand: str | None

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:
        """Whether a judge with these settings can work here, and one sentence: what it is, or what to do.

        Without settings: whether any judge of the factory can. Loads nothing. Commands stand in quotation marks.
        """
        ...

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]: ...

    def create(self, name: str, settings: Mapping[str, Any]) -> Judge: ...
