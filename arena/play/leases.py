"""Renews the leases of dialogues in progress, so that no other process plays them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from arena.core.errors import ArenaError, StoreError
from arena.core.process import LEASE_SECONDS

EVERY = LEASE_SECONDS / 4
AGAIN = 5.0  # seconds to wait after a failed renewal


async def renew_leases(renew: Callable[[float], None], note: Callable[[str], None]) -> None:
    """Renew the leases until this task is cancelled.

    A failed renewal is reported and tried again. If the lease ends before a renewal succeeds, StoreError is
    raised.
    """
    now = asyncio.get_running_loop().time
    ends, reported = now() + LEASE_SECONDS, False
    while True:
        await asyncio.sleep(AGAIN if reported else EVERY)
        began = now()
        try:
            await asyncio.to_thread(renew, time.time() + LEASE_SECONDS)
        except Exception as error:
            problem = str(error) if isinstance(error, ArenaError) else f"{type(error).__name__}: {error}"
            failed = f"The hold on the dialogues under way could not be renewed ({problem.rstrip('.: ')})"
            if now() >= ends:
                raise StoreError(
                    f"{failed} before it ended, so that others may play them too; what is finished is stored. "
                    "Run the same command again to go on."
                ) from error
            if not reported:
                note(f"{failed}; trying again.")
            reported = True
        else:
            ends, reported = began + LEASE_SECONDS, False
