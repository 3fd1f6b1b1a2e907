"""A bot that repeats what it hears. It is the simplest partner, and never contradicts the other bot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from bots.base import Bot, Reply, ReplyRequest, RunOptions
from bots.simple import SimpleAdapter


class Echo:
    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        return [Reply(request.history[-1].text) for request in requests]

    async def close(self) -> None:
        """Does nothing."""


class EchoAdapter(SimpleAdapter):
    what = "repeats the last message"

    def revision(self, settings: Mapping[str, Any]) -> str:  # noqa: ARG002
        return "1"

    def create(self, settings: Mapping[str, Any], run: RunOptions) -> Bot:  # noqa: ARG002
        return Echo()


adapter = EchoAdapter()
