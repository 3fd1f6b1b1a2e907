"""Rates hold in every window, retries wait as told, and nobody waits for ever."""

from __future__ import annotations

import asyncio
import itertools
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import BotError, BotRefused
from bots.limits import Limiter, Patience, retry_after


def busiest(times: list[float], window: float = 1.0) -> int:
    """The most moments that any window of this length holds."""
    times = sorted(times)
    most, start = 0, 0
    for end, moment in enumerate(times):
        while times[start] <= moment - window:
            start += 1
        most = max(most, end - start + 1)
    return most


async def depart(limiter: Limiter, many: int, takes: float = 0.0) -> list[float]:
    """When calls left that are never answered, or `takes` seconds later."""
    clock = asyncio.get_running_loop().time
    times = []

    async def one() -> None:
        async with limiter.slot() as departure:
            times.append(clock())
            departure.sent()
            await asyncio.sleep(takes)

    await asyncio.gather(*(one() for _ in range(many)))
    return times


def test_the_busiest_window_is_found() -> None:
    assert busiest([0.0, 0.1, 0.2, 5.0]) == 3
    assert busiest([0.0, 1.0, 2.0]) == 1
    assert busiest([0.0, 0.999]) == 2


async def test_no_second_holds_more_than_the_rate() -> None:
    times = await depart(Limiter(rate=40, concurrency=500), 100)
    assert busiest(times) <= 40


async def test_calls_are_spaced() -> None:
    times = sorted(await depart(Limiter(rate=20, concurrency=500), 10))
    assert min(late - early for early, late in itertools.pairwise(times)) >= 1 / 20


async def test_arrivals_keep_to_the_rate_however_long_the_way() -> None:
    """Each call arrives at any time before its answer; then they come as close together as they can."""
    limiter = Limiter(rate=20, concurrency=100)
    clock = asyncio.get_running_loop().time
    gate = asyncio.Event()
    arrivals = []

    async def one() -> None:
        async with limiter.slot():  # nothing says that it was sent: it may be stuck on this machine
            await gate.wait()
            arrivals.append(clock())

    calls = [asyncio.create_task(one()) for _ in range(45)]
    asyncio.get_running_loop().call_later(1.5, gate.set)
    await asyncio.gather(*calls)
    assert len(arrivals) == 45 and busiest(arrivals) == 20


async def test_slow_answers_cost_a_third_of_the_rate_at_most() -> None:
    begin = asyncio.get_running_loop().time()
    times = await depart(Limiter(rate=20, concurrency=100), 31, takes=2.0)
    assert busiest(times) <= 20
    assert begin + 1.5 <= max(times)  # the 21st waited until the first must have arrived, and a second


async def test_slow_rates_too() -> None:
    times = await depart(Limiter(rate=2.5, concurrency=5), 5)
    assert busiest(times) <= 2


async def test_concurrency_is_bounded() -> None:
    limiter = Limiter(rate=None, concurrency=3)
    inside = most = 0

    async def one() -> None:
        nonlocal inside, most
        async with limiter.slot():
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1

    await asyncio.gather(*(one() for _ in range(20)))
    assert most == 3


async def test_a_pause_holds_everybody_back() -> None:
    limiter = Limiter(rate=None, concurrency=5)
    limiter.pause(0.2)
    begin = asyncio.get_running_loop().time()
    assert min(await depart(limiter, 3)) - begin >= 0.2


NOW = datetime(2026, 11, 18, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("3", 3.0),
        ("0.5", 0.5),
        ("-7", 0.0),
        ("Wed, 18 Nov 2026 12:00:30 GMT", 30.0),
        ("Wed, 18 Nov 2026 11:00:00 GMT", 0.0),
        ("soon", None),
        ("inf", None),
        ("", None),
        (None, None),
    ],
)
def test_retry_after_in_both_its_forms(value: str | None, seconds: float | None) -> None:
    assert retry_after(value, NOW) == seconds


@given(st.integers(0, 30), st.integers(), st.none() | st.floats(0, 100))
def test_waits_are_bounded_seeded_and_never_early(attempt: int, seed: int, after: float | None) -> None:
    patience = Patience(backoff=0.5, max_wait=60)
    wait = patience.wait(attempt, after, seed)
    assert wait == patience.wait(attempt, after, seed)
    assert (after or 0) <= wait <= (after or 0) + min(60, 0.5 * 2**attempt)


def failing(times: int, error: BotError) -> tuple[list[int], object]:
    collected: list[int] = []

    async def call() -> str:
        collected.append(1)
        if len(collected) <= times:
            raise error
        return "done"

    return collected, call


async def test_passing_failures_cost_retries_only() -> None:
    loaded, call = failing(3, BotError("it hiccups"))
    result = await Patience(retries=3, backoff=0).insist(call, Limiter(None, 1), 0)  # type: ignore[arg-type]
    assert result == ("done", 3) and len(loaded) == 4


async def test_patience_ends() -> None:
    loaded, call = failing(9, BotError("it hiccups", "hiccup"))
    with pytest.raises(BotError, match="gave up after 3 tries") as caught:
        await Patience(retries=2, backoff=0).insist(call, Limiter(None, 1), 0)  # type: ignore[arg-type]
    assert caught.value.reason == "hiccup" and len(loaded) == 3


@pytest.mark.parametrize("error", [BotRefused("no"), BotError("in an hour", retry_after=3600)])
async def test_some_failures_are_not_tried_again(error: BotError) -> None:
    loaded, call = failing(9, error)
    with pytest.raises(BotError):
        await Patience(backoff=0).insist(call, Limiter(None, 1), 0)  # type: ignore[arg-type]
    assert len(loaded) == 1
