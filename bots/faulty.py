"""A control bot that fails on purpose.

It raises errors, hangs, and sends empty replies, overlong replies or replies that are no text. The settings say how
often.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, model_validator

from arena.core.hashing import generator
from bots.base import Bot, Reply, ReplyRequest, RunOptions
from bots.scripted import Scripted
from bots.sheet import load
from bots.simple import SimpleAdapter

FAULTS = ("raises", "hangs", "empty", "huge", "binary")


class Settings(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)
    raises: float = Field(0.0, ge=0, le=1)
    hangs: float = Field(0.0, ge=0, le=1)
    empty: float = Field(0.0, ge=0, le=1)
    huge: float = Field(0.0, ge=0, le=1)
    binary: float = Field(0.0, ge=0, le=1)
    sheet_seed: int = 0

    @model_validator(mode="after")
    def _together(self) -> Settings:
        if sum(getattr(self, fault) for fault in FAULTS) > 1 + 1e-9:
            raise ValueError(
                "the probabilities of raises, hangs, empty, huge and binary add up to more than 1"
            )
        return self


class Faulty:
    """Replies like a scripted bot whenever it does not fail."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._sound = Scripted(load(None, settings.sheet_seed), 0.0)

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        return list(await asyncio.gather(*(self._one(request) for request in requests)))

    async def close(self) -> None:
        """Does nothing."""

    async def _one(self, request: ReplyRequest) -> Reply:
        fault = self._fault(generator(request.seed, "faulty").random())
        if fault == "raises":
            return Reply("", error=RuntimeError("this bot raises on purpose"))
        if fault == "hangs":
            await asyncio.Event().wait()
        broken = {"empty": "  \n ", "huge": "word " * 100_000, "binary": "\x00\x07\x1b[2J\x9b"}
        if fault in broken:
            return Reply(broken[fault])
        return (await self._sound.reply([request]))[0]

    def _fault(self, draw: float) -> str | None:
        for fault in FAULTS:
            draw -= getattr(self._settings, fault)
            if draw < 0:
                return fault
        return None


class FaultyAdapter(SimpleAdapter):
    what = "breaks with the probabilities given, otherwise speaks like a scripted bot"
    Settings = Settings

    def revision(self, settings: Mapping[str, Any]) -> str:  # noqa: ARG002
        return "1"

    def create(self, settings: Mapping[str, Any], run: RunOptions) -> Bot:  # noqa: ARG002
        own = {key: settings[key] for key in Settings.model_fields if key in settings}
        return Faulty(Settings.model_validate(own))


adapter = FaultyAdapter()
