"""Claims unfinished dialogues in the database and hands them out to be played."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from arena.core.process import LEASE_SECONDS
from db.records import Pending
from db.repository import Repository
from db.retry import retry_store


class Feeder:
    """Hands out the dialogues that this process has claimed, in chunks, until no dialogues are left.

    Chunks shrink towards the end, so that no process holds back dialogues that another process could start.
    """

    def __init__(self, repository: Repository, work: Sequence[Pending], owner: str, size: int) -> None:
        self._repository = repository
        self._work = list(reversed(work))
        self._owner = owner
        self._size = max(1, min(size, 64))
        self._claimed: list[Pending] = []
        self._claiming: asyncio.Future[set[int]] | None = None
        self._lock = asyncio.Lock()

    async def next(self) -> Pending | None:
        async with self._lock:
            while not self._claimed and self._work:
                size = max(1, min(self._size, len(self._work) // 16))
                chunk = [self._work.pop() for _ in range(size)]
                self._claiming = asyncio.ensure_future(retry_store(self._claim, [c.id for c in chunk]))
                taken = await asyncio.shield(self._claiming)
                self._claimed = [c for c in reversed(chunk) if c.id in taken]
            return self._claimed.pop() if self._claimed else None

    def _claim(self, ids: Sequence[int]) -> set[int]:
        now = time.time()  # taken at each attempt: an earlier lease may be over already
        return self._repository.claim(ids, self._owner, now, now + LEASE_SECONDS)

    async def settled(self) -> None:
        """Wait until a claim in progress has ended, so that the claimed dialogues can be given back."""
        if self._claiming is not None:
            await asyncio.wait([self._claiming])
