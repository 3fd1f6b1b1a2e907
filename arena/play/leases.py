"""Renews the hold on dialogues under way, so that nobody else plays them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from arena.core.errors import ArenaError, StoreError
from arena.core.process import LEASE_SECONDS

EVERY = LEASE_SECONDS / 4
AGAIN = 5.0  # seconds after a renewal that failed


async def renew_leases(renew: Callable[[float], None], note: Callable[[str], None]) -> None:
    """Never ends by itself; a renewal that fails is told and tried again, until the lease itself has ended."""
    now = asyncio.get_running_loop().time
    ends, told = now() + LEASE_SECONDS, False
    while True:
        await asyncio.sleep(AGAIN if told else EVERY)
        began = now()
        try:
            await asyncio.to_thread(renew, time.time() + LEASE_SECONDS)
        except Exception as error:
            said = str(error) if isinstance(error, ArenaError) else f"{type(error).__name__}: {error}"
            failed = f"The hold on the dialogues under way could not be renewed ({said.rstrip('.: ')})"
            if now() >= ends:
                raise StoreError(
                    f"{failed} before it ended, so that others may play them too; what is finished is stored. "
                    "Run the same command again to go on."
                ) from error
            if not told:
                note(f"{failed}; trying again.")
            told = True
        else:
            ends, told = began + LEASE_SECONDS, False
