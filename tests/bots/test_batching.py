from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from bots.batching import Batcher, DialogueCounter

LONG = 1e6  # seconds that no test waits for


class Doubler:
    """Doubles numbers, remembers its batches, and waits for a gate where there is one."""

    def __init__(self, gate: asyncio.Event | None = None) -> None:
        self.seen: list[list[int]] = []
        self.gate = gate

    async def __call__(self, items: list[int]) -> Sequence[int | BaseException]:
        self.seen.append(items)
        if self.gate is not None:
            await self.gate.wait()
        return [ValueError(f"{item} is odd luck") if item == 13 else 2 * item for item in items]


async def test_results_come_in_order_and_a_full_batch_leaves_at_once() -> None:
    work = Doubler()
    batcher = Batcher(work, 4, LONG)
    assert await asyncio.gather(*map(batcher.submit, range(8))) == [2 * n for n in range(8)]
    assert work.seen == [[0, 1, 2, 3], [4, 5, 6, 7]]


async def test_a_lonely_item_leaves_after_the_wait() -> None:
    assert await asyncio.wait_for(Batcher(Doubler(), 8, 0.001).submit(3), 5) == 6


async def test_a_batch_leaves_when_all_dialogues_wait() -> None:
    company, work = DialogueCounter(), Doubler()
    batcher = Batcher(work, 100, LONG, company=company)

    async def dialogue(turns: int) -> None:
        with company.dialogue():
            for turn in range(turns):
                assert await batcher.submit(turn) == 2 * turn

    await asyncio.wait_for(asyncio.gather(dialogue(3), dialogue(3), dialogue(5)), 5)
    assert [len(batch) for batch in work.seen] == [3, 3, 3, 1, 1]


async def test_it_waits_for_those_who_are_not_blocked() -> None:
    company, work, thinking = DialogueCounter(), Doubler(), asyncio.Event()
    batcher = Batcher(work, 100, LONG, company=company)

    async def quick() -> int:
        with company.dialogue():
            return await batcher.submit(1)

    async def slow() -> int:
        with company.dialogue():
            await thinking.wait()
            return await batcher.submit(2)

    tasks = [asyncio.create_task(quick()), asyncio.create_task(slow())]
    for _ in range(10):
        await asyncio.sleep(0)
    assert work.seen == []
    thinking.set()
    assert await asyncio.wait_for(asyncio.gather(*tasks), 5) == [2, 4]
    assert work.seen == [[1, 2]]


async def test_two_queues_let_each_other_go() -> None:
    """Half the company waits at one bot and half at the other: neither waits for the rest."""
    company = DialogueCounter()
    first, second = (Batcher(Doubler(), 100, LONG, company=company) for _ in range(2))

    async def dialogue(batcher: Batcher[int, int]) -> int:
        with company.dialogue():
            return await batcher.submit(4)

    both = [dialogue(first), dialogue(second), dialogue(first)]
    assert await asyncio.wait_for(asyncio.gather(*both), 5) == [8, 8, 8]


async def test_one_error_is_one_submitters() -> None:
    batcher = Batcher(Doubler(), 3, LONG)
    results = await asyncio.gather(*map(batcher.submit, (1, 13, 2)), return_exceptions=True)
    assert results[0] == 2 and results[2] == 4
    assert isinstance(results[1], ValueError)


async def test_a_failing_batch_fails_all_its_items_and_none_after() -> None:
    calls = 0

    async def flaky(items: list[int]) -> list[int]:
        nonlocal calls
        calls += 1
        if calls == 1:
            raise OSError("gone")
        return items

    batcher = Batcher(flaky, 2, LONG)
    results = await asyncio.gather(*map(batcher.submit, range(4)), return_exceptions=True)
    assert [type(result) for result in results] == [OSError, OSError, int, int]


async def test_the_wrong_number_of_results_is_an_error() -> None:
    async def short(items: list[int]) -> list[int]:
        return items[1:]

    with pytest.raises(RuntimeError, match="2 items went in and 1"):
        batcher = Batcher(short, 2, LONG)
        await asyncio.gather(batcher.submit(1), batcher.submit(2))


async def test_cancelled_items_leave_the_queue_and_their_company() -> None:
    gate, company = asyncio.Event(), DialogueCounter()
    work = Doubler(gate)
    batcher = Batcher(work, 2, LONG, company=company)
    tasks = [asyncio.create_task(batcher.submit(n)) for n in range(5)]
    while not work.seen:
        await asyncio.sleep(0)
    tasks[0].cancel()  # in the running batch
    tasks[3].cancel()  # in the queue
    gate.set()
    results = await asyncio.wait_for(asyncio.gather(*tasks, return_exceptions=True), 5)
    assert [results[n] for n in (1, 2, 4)] == [2, 4, 8]
    assert all(isinstance(results[n], asyncio.CancelledError) for n in (0, 3))
    assert work.seen == [[0, 1], [2, 4]]
    assert company.blocked == 0


async def test_parallel_batches_run_at_the_same_time() -> None:
    gate = asyncio.Event()
    work = Doubler(gate)
    batcher = Batcher(work, 1, LONG, parallel=3)
    tasks = [asyncio.create_task(batcher.submit(n)) for n in range(5)]
    for _ in range(10):
        await asyncio.sleep(0)
    assert len(work.seen) == 3
    gate.set()
    assert await asyncio.gather(*tasks) == [0, 2, 4, 6, 8]
