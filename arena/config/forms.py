"""The schema of a tournament file: its keys, their types and defaults."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, field_validator

from arena.core.inquirer_form import InquirerForm, Strict, listed
from arena.core.source_map import Path as KeyPath
from arena.core.types import Check, OnLoop
from bots.base import COMMON

COMMON_BOT_KEYS = ("name", "adapter", *COMMON)


class Budget(Strict):
    """Limits on the whole tournament: all bots, judges and question writers, in all processes."""

    max_cost: float | None = Field(None, gt=0, allow_inf_nan=False)
    max_calls: int | None = Field(None, ge=1, lt=2**63)
    max_tokens: int | None = Field(None, ge=1, lt=2**63)
    max_seconds: float | None = Field(None, gt=0, allow_inf_nan=False)

    def resolved(self) -> dict[str, Any]:
        """Return the budget for the stored configuration, without unset limits.

        `max_cost` is always included, as in revision 0db0902.
        """
        return {k: v for k, v in self.model_dump().items() if k == "max_cost" or v is not None}


class Limits(Strict):
    """The limits of one reply. A reply that exceeds a limit counts as a fault."""

    reply_seconds: float = Field(300, gt=0, allow_inf_nan=False)
    reply_chars: int = Field(8000, ge=1, lt=2**31)
    retries: int = Field(2, ge=0, le=1000)


class Form(Strict):
    """The tournament file as the user wrote it."""

    release: str = Field("unreleased", min_length=1, max_length=200)
    seed: int = Field(0, ge=0, lt=2**63)
    turns: int = Field(15, ge=1, le=1000)
    dialogues_per_pair: int = Field(20, ge=1, lt=2**31)
    pairs: Literal["all", "interviews"] | list[Annotated[list[str], Field(min_length=2, max_length=2)]] = (
        "all"
    )
    openers: list[str] | str = Field("default", min_length=1)
    opener_order: Literal["drawn", "in_turn"] | None = None
    on_loop: OnLoop = OnLoop.END
    bots: list[dict[str, Any]] = Field(min_length=1)
    inquirer: InquirerForm | Literal[False] = InquirerForm()
    judges: list[str | dict[str, Any]] = Field(["nli"], min_length=1)
    checks: Annotated[list[Check], BeforeValidator(listed)] = Field([Check.INQUIRY], min_length=1)
    tau: float | None = Field(None, ge=0, le=1)
    budget: Budget = Budget()
    limits: Limits = Limits()

    @field_validator("checks")
    @classmethod
    def _once(cls, value: list[Check]) -> list[Check]:
        return list(dict.fromkeys(value))

    @field_validator("release")
    @classmethod
    def _printable(cls, value: str) -> str:
        if not value.isprintable():
            raise ValueError("has characters that cannot be printed")
        return value


FIELDS: dict[KeyPath, list[str]] = {
    (): list(Form.model_fields),
    ("inquirer",): list(InquirerForm.model_fields),
    ("budget",): list(Budget.model_fields),
    ("limits",): list(Limits.model_fields),
}
