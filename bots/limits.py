"""Limits for bots behind a network: requests per second, concurrent requests, and retries."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from asyncio_throttle import Throttler

from arena.core.errors import BotError, BotRefused, BudgetSpent
from arena.core.hashing import generator

Result = TypeVar("Result")

# A service counts arrivals, and nobody here sees those. A call that was answered has arrived; one that was
# not is taken to have arrived LATEST seconds after its last byte left.
LATEST = 0.5
MARGIN = 0.005  # timers may fire a little early


class Unheard(BotError):
    """The server has certainly not processed the request, so that sending it again is safe."""


class Departure:
    """A call in flight. It holds its share of the rate until one second after its latest possible arrival."""

    def __init__(self, window: asyncio.Semaphore | None, second: float) -> None:
        self._window = window
        self._second = second

    def sent(self) -> None:
        asyncio.get_running_loop().call_later(LATEST, self.arrived)

    def arrived(self) -> None:
        if self._window is not None:
            asyncio.get_running_loop().call_later(self._second, self._window.release)
            self._window = None


class Limiter:
    """Limits calls to `concurrency` at a time and to `rate` arrivals in any second.

    Calls leave in order, evenly spaced by asyncio-throttle. The limit holds because each call returns its share of
    the rate only a second after its arrival.
    """

    def __init__(self, rate: float | None, concurrency: int) -> None:
        self._places = asyncio.Semaphore(concurrency)
        self._turn = asyncio.Lock()  # a throttle polls, so only one waiter at a time
        self._spacing: Throttler | None = None
        self._window: asyncio.Semaphore | None = None
        self._second = 1.0
        if rate is not None:
            many = max(1, math.floor(rate))
            self._window = asyncio.Semaphore(many)
            self._second = max(1.0, 1.0 / rate) + MARGIN
            gap = self._second / many
            self._spacing = Throttler(1, gap, retry_interval=min(0.05, gap / 10))
        self._paused_until = 0.0

    @asynccontextmanager
    async def slot(self) -> AsyncIterator[Departure]:
        """Waits for a free slot and a turn. No connection is open during the wait."""
        async with self._places:
            async with self._turn:
                await self._wait_for_turn()
            departure = Departure(self._window, self._second)
            try:
                yield departure
            finally:
                departure.arrived()

    async def _wait_for_turn(self) -> None:
        clock = asyncio.get_running_loop().time
        while (left := self._paused_until - clock()) > 0:
            await asyncio.sleep(left)
        if self._spacing is not None and self._window is not None:
            await self._spacing.acquire()
            await self._window.acquire()

    def pause(self, seconds: float) -> None:
        """Delays all calls for as long as the service asked for."""
        self._paused_until = max(self._paused_until, asyncio.get_running_loop().time() + seconds)


@dataclass(frozen=True, slots=True)
class Patience:
    """How often a failed call is repeated, and how long to wait before each repetition."""

    retries: int = 5
    backoff: float = 0.5  # seconds before the first retry; doubles each time
    max_wait: float = 120.0  # no retry waits longer

    def wait(self, attempt: int, retry_after: float | None, seed: int) -> float:
        """Returns the seconds until the next attempt.

        They are partly random, to spread out calls that failed together.
        """
        doubled = min(self.max_wait, self.backoff * 2**attempt)
        lot: float = generator("backoff", seed, attempt).random()
        seconds: float = (retry_after or 0.0) + doubled * (0.5 + lot / 2)
        return seconds

    async def insist(
        self, call: Callable[[], Awaitable[Result]], limiter: Limiter, seed: int
    ) -> tuple[Result, int]:
        """Makes the call with retries. Returns its result and the number of retries."""
        for attempt in range(self.retries + 1):
            try:
                return await call(), attempt
            except (BotRefused, BudgetSpent):
                raise
            except BotError as error:
                if (error.retry_after or 0.0) > self.max_wait:
                    raise
                if attempt == self.retries:
                    tries = "1 try" if attempt == 0 else f"{attempt + 1} tries"
                    raise BotError(
                        f"{error} (gave up after {tries})", error.reason, error.retry_after
                    ) from error
                if error.retry_after:
                    limiter.pause(error.retry_after)
                await asyncio.sleep(self.wait(attempt, error.retry_after, seed))
        raise AssertionError("unreachable")


def retry_after(value: str | None, now: datetime | None = None) -> float | None:
    """Returns the seconds in a Retry-After header (a number or an HTTP date), or None if the value is invalid."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            moment = parsedate_to_datetime(value)
        except ValueError:
            return None
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        seconds = (moment - (now or datetime.now(UTC))).total_seconds()
    return max(0.0, seconds) if math.isfinite(seconds) else None
