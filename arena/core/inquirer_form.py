"""The keys of `inquirer` in a tournament file, which the configuration and the inquirer share."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from arena.core.types import Kind

PARTS = ("entities", "questions", "round_trip", "top", "min_score")

log = logging.getLogger("arena")


def listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


def _kinds(value: Any) -> Any:
    """Replace the kind `yes_no` by `yes_no_true` and `yes_no_false`."""
    if not isinstance(value, list):
        return value
    both = [Kind.YES_NO_TRUE, Kind.YES_NO_FALSE]
    spread = [kind for one in value for kind in (both if one == "yes_no" else [one])]
    return [kind for index, kind in enumerate(spread) if kind not in spread[:index]]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class InquirerForm(Strict):
    """The keys of `inquirer`, their types and defaults.

    The keys in `PARTS` define the inquirer. The other keys decide which of its questions are asked.
    """

    entities: str | dict[str, Any] = "stanza"
    questions: str | dict[str, Any] | list[str | dict[str, Any]] = "rules"
    kinds: Annotated[list[Kind], BeforeValidator(_kinds), BeforeValidator(listed)] = Field(
        [Kind.WH, Kind.YES_NO_TRUE], min_length=1
    )
    prefer: Literal["single", "any"] = "single"
    distances: list[Annotated[int, Field(ge=0)]] = Field([0], min_length=1)
    per_turn: Annotated[int, Field(ge=1)] | Literal["all"] = 1
    round_trip: bool | str | dict[str, Any] = False
    top: int = Field(1, ge=1)
    min_score: float = Field(0.75, ge=0, le=1)
    resources: dict[str, Any] = {}

    @model_validator(mode="before")
    @classmethod
    def _removed(cls, value: Any) -> Any:
        return without_removed(value) if isinstance(value, dict) else value


def without_removed(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Remove keys of earlier versions that are no longer read."""
    if "long_replies" in settings:
        log.warning(
            "The inquirer's 'long_replies' is no longer read: 'min_score' says what is asked; remove it."
        )
    return {key: value for key, value in settings.items() if key != "long_replies"}
