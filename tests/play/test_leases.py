"""A hold that is renewed, that is renewed late, and that is lost."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from arena.core.errors import StoreError, StoreLost
from arena.core.process import LEASE_SECONDS
from arena.play.leases import AGAIN, EVERY, renew_leases


class Renewals:
    """Time that passes only by sleeping, and what the renewals come to; after the last one all ends."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *outcomes: Exception | None) -> None:
        self.now = 1000.0
        self.slept: list[float] = []
        self.notes: list[str] = []
        self._outcomes = list(outcomes)
        monkeypatch.setattr(asyncio, "sleep", self._sleep)
        monkeypatch.setattr(asyncio.get_running_loop(), "time", lambda: self.now, raising=False)
        monkeypatch.setattr("arena.play.leases.time.time", lambda: self.now)

    async def _sleep(self, seconds: float) -> None:
        if not self._outcomes:
            raise asyncio.CancelledError
        self.slept.append(seconds)
        self.now += seconds

    def _renew(self, until: float) -> None:
        assert until == self.now + LEASE_SECONDS
        if (outcome := self._outcomes.pop(0)) is not None:
            raise outcome

    async def kept(self) -> Sequence[float]:
        with pytest.raises(asyncio.CancelledError):
            await renew_leases(self._renew, self.notes.append)
        return self.slept


async def test_it_is_renewed_over_and_over(monkeypatch: pytest.MonkeyPatch) -> None:
    renewals = Renewals(monkeypatch, *[None] * 9)
    assert await renewals.kept() == [EVERY] * 9 and EVERY <= LEASE_SECONDS / 2
    assert renewals.notes == []


async def test_a_failure_is_told_once_and_tried_again_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    odd, away = RuntimeError("can't start new thread"), StoreLost("The database is away; look at it.")
    renewals = Renewals(monkeypatch, None, odd, odd, None, away, None, MemoryError(), None)
    assert await renewals.kept() == [EVERY, EVERY, AGAIN, AGAIN, EVERY, AGAIN, EVERY, AGAIN]
    assert renewals.notes == [
        f"The hold on the dialogues under way could not be renewed ({why}); trying again."
        for why in (
            "RuntimeError: can't start new thread",
            "The database is away; look at it",
            "MemoryError",
        )
    ]


async def test_when_the_lease_itself_has_ended_so_has_the_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    renewals = Renewals(monkeypatch, None, None, *[RuntimeError("odd")] * 99)
    with pytest.raises(
        StoreError, match=r"\(RuntimeError: odd\) before it ended.*Run the same command"
    ) as lost:
        await renew_leases(renewals._renew, renewals.notes.append)
    assert isinstance(lost.value.__cause__, RuntimeError) and len(renewals.notes) == 1
    assert LEASE_SECONDS <= sum(renewals.slept[2:]) < LEASE_SECONDS + AGAIN
