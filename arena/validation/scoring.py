"""Runs judges on the cases of a data set. Cases that a judge could not judge are counted by reason."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arena.core.types import Case, Judgement
from judges import sound
from judges.base import Judge


@dataclass(frozen=True, slots=True)
class Scored:
    judge: str
    tau: float
    judgements: tuple[Judgement, ...]

    @property
    def reasons(self) -> Mapping[str, int]:
        return Counter(j.reason for j in self.judgements if j.reason)

    @property
    def contradictions(self) -> list[float | None]:
        return [judgement.contradiction for judgement in self.judgements]

    @property
    def consistencies(self) -> list[float | None]:
        return [consistency(judgement) for judgement in self.judgements]


def judged(judge: Judge, cases: Sequence[Case]) -> Scored:
    """Run one judge over all cases in one call, so that the judge can batch them."""
    return Scored(judge.name, judge.tau, tuple(asyncio.run(sound.judged(judge, cases))))


def consistency(judgement: Judgement) -> float | None:
    """Return how well a response follows from its knowledge.

    This is the entailment score if the judge has one, because neutral responses are not supported by the
    knowledge. Otherwise, it is 1 minus the contradiction score.
    """
    if judgement.contradiction is None:
        return None
    entailment = judgement.classes.get("entailment")
    return 1.0 - judgement.contradiction if entailment is None else entailment


def answered(run: Scored) -> list[float | None]:
    """Return the scores that come from questions. As in the preprint, cases decided by a fallback do not count as
    covered.
    """
    return [
        None if judgement.evidence.get("fallback") else score
        for judgement, score in zip(run.judgements, run.consistencies, strict=True)
    ]
