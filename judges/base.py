"""The interfaces of judges, and the scale that turns the scores of a message's sentence pairs into one score."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from arena.core.types import NOTHING, Case, Check, Facts, Judgement
from bots.base import RunOptions

CLASSES = ("entailment", "neutral", "contradiction")  # of natural language inference, in this order
WEIGHTS = Path(__file__).parent / "weights"  # the shipped weights
ON_TOPIC = "on_topic"  # in the evidence: the probability that the answer keeps to its question


@dataclass(frozen=True, slots=True)
class Scale:
    """Converts the highest score of a message's sentence pairs into the score of the message.

    With more pairs, a high maximum is more likely to occur by chance. The score of the message is therefore a logistic
    function of two values: the log-odds of the maximum, and the logarithm of the number of pairs. The curve was fitted
    on messages with and without contradictions.
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
    """A model, rule or person that says how strongly an answer contradicts what was said.

    `revision` covers weights, input format and code version. A verdict is stored once per inquiry, judge name and
    revision. `tau` is the judge's own default threshold. `cacheable` is true if the judgement depends on `key(case)`
    only, so that equal cases are judged once. `implementation` names the judge's class: it tells apart two plug-ins
    whose revision is the same, such as "1".
    """

    name: str
    revision: str
    tau: float
    cacheable: bool

    @property
    def implementation(self) -> str: ...

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        """Return one judgement per case, in order. A case that cannot be judged gets a reason instead of a score."""
        ...

    def key(self, case: Case) -> Sequence[Any]:
        """The parts of the case that the judgement depends on."""
        ...

    def scale(self, check: Check) -> Scale:
        """Return the scale that turns the scores of sentence pairs into the score of a message under a check."""
        ...

    def use(self, run: RunOptions) -> None:
        """Receive the options of the run, which only judges that ask bots need; called before the first case."""
        ...

    async def close(self) -> None:
        """Free models and connections."""
        ...


class Defaults:
    """Defaults for judges that have no scale of their own, ask no bots and hold no resources."""

    @property
    def implementation(self) -> str:
        return type(self).__qualname__

    def scale(self, check: Check) -> Scale:  # noqa: ARG002
        return PLAIN

    def use(self, run: RunOptions) -> None:
        """Do nothing."""

    async def close(self) -> None:
        """Do nothing."""


class FactoryDefaults:
    """A base for judge factories without a `shorthand` setting."""

    shorthand: str | None = None


class Factory(Protocol):
    """The object behind an entry point of the group `arena.judges`.

    `Settings` is a pydantic model (`extra="forbid"`) of the keys that an entry may have besides name, judge and tau.
    `shorthand` is the setting whose value may follow the name after a colon: in `nli:FOLDER`, it is `model`.
    """

    Settings: type[Any]
    shorthand: str | None

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:
        """Return whether a judge with these settings can work here, and one sentence.

        The sentence describes the judge, or says what is missing and how to install it; it puts commands in quotation
        marks. Without settings, the result says whether any judge of the factory can work. Nothing is loaded.
        """
        ...

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]: ...

    def create(self, name: str, settings: Mapping[str, Any]) -> Judge: ...
