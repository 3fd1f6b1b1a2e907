"""A database that is away for a while is waited for, any other failure is not."""

from __future__ import annotations

import asyncio

import pytest

from arena.core.errors import StoreError, StoreLost
from db import retry as module
from db.retry import retry_store, retry_while_lost


class Clock:
    """Time that passes only by sleeping."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1000.0
        self.slept: list[float] = []
        monkeypatch.setattr(asyncio, "sleep", self.sleep)

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


async def test_what_comes_back_is_waited_for(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: clock.now, raising=False)
    left = [1, 2, 3]

    def work(number: int, *, more: int) -> int:
        if left:
            left.pop()
            raise StoreLost("away")
        return number + more

    assert await retry_store(work, 40, more=2) == 42
    assert clock.slept == [module.PAUSE] * 3


async def test_patience_ends(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: clock.now, raising=False)

    async def away() -> None:
        raise StoreLost("away")

    with pytest.raises(StoreLost):
        await retry_while_lost(away)
    assert sum(clock.slept) == module.PATIENCE


async def test_other_failures_are_told_at_once(clock: Clock) -> None:
    async def broken() -> None:
        raise StoreError("broken")

    with pytest.raises(StoreError, match="broken"):
        await retry_while_lost(broken)
    assert not clock.slept
