"""A judge that combines the scores of several judges by logistic regression, with weights fitted on people's labels.

The weights come from `arena agreement TOURNAMENT --fit NAME,NAME`, which prints the entry for a tournament file.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field, model_validator

from arena.core.types import NOTHING, Case, Facts, Judgement
from bots.base import RunOptions
from judges import registry
from judges.base import Defaults, FactoryDefaults, Judge
from judges.revisions import of
from judges.settings import Settings

CODE = 1


class EnsembleSettings(Settings):
    """The settings: for each member its weight, and the mean and scale by which its scores are standardised."""

    of: list[str | dict[str, Any]] = Field(min_length=2)
    intercept: float
    means: list[float]
    scales: list[float]
    weights: list[float]

    @model_validator(mode="after")
    def _as_many(self) -> EnsembleSettings:
        for name in ("means", "scales", "weights"):
            if len(getattr(self, name)) != len(self.of):
                raise ValueError(f"`{name}` needs a number for each of the {len(self.of)} judges")
        if not all(scale > 0 for scale in self.scales):
            raise ValueError("`scales` must be above 0")
        return self


@dataclass
class Ensemble(Defaults):
    name: str
    revision: str
    members: tuple[Judge, ...]
    settings: EnsembleSettings
    tau: float = 0.5
    cacheable: bool = True

    def __post_init__(self) -> None:
        self.cacheable = all(member.cacheable for member in self.members)

    def key(self, case: Case) -> Sequence[Any]:
        return [list(member.key(case)) for member in self.members]

    def use(self, run: RunOptions) -> None:
        for member in self.members:
            member.use(run)

    async def close(self) -> None:
        for member in self.members:
            await member.close()

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        opinions = [await member.judge(cases) for member in self.members]
        return [self._combined(each) for each in zip(*opinions, strict=True)]

    def _combined(self, opinions: Sequence[Judgement]) -> Judgement:
        scores = [one.contradiction for one in opinions]
        known = [score for score in scores if score is not None]
        if len(known) < len(scores):
            return Judgement(None, reason=next(one.reason for one in opinions if one.reason is not None))
        form = self.settings
        sum_ = form.intercept + sum(
            weight * (score - mean) / scale
            for weight, score, mean, scale in zip(form.weights, known, form.means, form.scales, strict=True)
        )
        names = [member.name for member in self.members]
        return Judgement(
            round(1 / (1 + math.exp(-max(-60.0, min(60.0, sum_)))), 6),
            {},
            {"scores": dict(zip(names, known, strict=True))},
        )


class EnsembleFactory(FactoryDefaults):
    Settings = EnsembleSettings

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:  # noqa: ARG002
        return True, "needs weights: `arena agreement TOURNAMENT --fit NAME,NAME`"

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        return {
            "what": "a logistic combination of other judges, fitted on labels",
            "settings": dict(settings),
        }

    def create(self, name: str, settings: Mapping[str, Any]) -> Ensemble:
        chosen = EnsembleSettings.model_validate(settings)
        members = tuple(registry.from_spec(registry.spec(entry)) for entry in chosen.of)
        numbers = (chosen.intercept, chosen.means, chosen.scales, chosen.weights)
        revision = of("ensemble", CODE, [(type(m).__name__, m.revision) for m in members], numbers)
        return Ensemble(name, revision, members, chosen)


judge = EnsembleFactory()
