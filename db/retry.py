"""Calls the database from the event loop, and retries as long as the database cannot be reached."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar

from arena.core.errors import StoreLost

P = ParamSpec("P")
T = TypeVar("T")

PATIENCE = 120.0  # seconds for which a run waits for an unreachable database
PAUSE = 0.5


async def retry_while_lost(attempt: Callable[[], Awaitable[T]]) -> T:
    """Returns the result of a read or an idempotent write."""
    loop = asyncio.get_running_loop()
    until = loop.time() + PATIENCE
    while True:
        try:
            return await attempt()
        except StoreLost:
            if loop.time() >= until:
                raise
            await asyncio.sleep(PAUSE)


async def retry_store(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Returns the result of one transaction, which runs in a thread."""
    return await retry_while_lost(lambda: asyncio.to_thread(function, *args, **kwargs))
