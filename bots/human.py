"""A person as a participant. Like a bot, a person has an identity, but can only be asked on the chat page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from arena.core.errors import BotRefused
from arena.core.types import NOTHING, Facts
from bots.base import AdapterDefaults, Bot, RunOptions


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    person: str = Field(examples=["Ann"], min_length=1, max_length=100)


class HumanAdapter(AdapterDefaults):
    Settings = Settings

    def revision(self, settings: Mapping[str, Any]) -> str:  # noqa: ARG002
        return "1"

    def available(self, settings: Facts = NOTHING) -> tuple[bool, str]:  # noqa: ARG002
        return True, "a person; talks in the chat page of 'arena ui'"

    def describe(self, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        return {"person": settings.get("person")}

    def create(self, settings: Mapping[str, Any], run: RunOptions) -> Bot:  # noqa: ARG002
        raise BotRefused(
            f"'{settings.get('person')}' is a person whom no program can play; use the chat page of 'arena ui'.",
            "human",
        )


adapter = HumanAdapter()
