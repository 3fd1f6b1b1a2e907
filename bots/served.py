"""The common part of bots behind a server: the connection, and one request per reply.

All requests run at the same time.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import replace

from arena.core.errors import ArenaError
from bots.accounts import Account
from bots.base import Reply, ReplyRequest
from bots.batching import DialogueCounter
from bots.wire import Wire


class ServedBot(ABC):
    """A bot that answers over a connection. `_answered` sends one request."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire

    def attend(self, company: DialogueCounter) -> None:
        self._wire.attend(company)

    def charge(self, account: Account) -> None:
        self._wire.charge(account)

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        with self._wire.waiting():
            return list(await asyncio.gather(*map(self._one, requests)))

    async def close(self) -> None:
        await self._wire.close()

    async def _one(self, request: ReplyRequest) -> Reply:
        try:
            reply, retries = await self._answered(request)
        except ArenaError as error:
            return Reply("", error=error)
        return replace(reply, facts={**reply.facts, "retries": retries}) if retries else reply

    @abstractmethod
    async def _answered(self, request: ReplyRequest) -> tuple[Reply, int]:
        """Returns the reply, and how often the request was repeated."""
