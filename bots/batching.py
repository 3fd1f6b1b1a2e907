"""Gathers single calls that wait at the same time into batch calls."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar
from weakref import WeakSet

Item = TypeVar("Item")
Result = TypeVar("Result")


class Listener(Protocol):
    """A queue that is notified when no other dialogue can join its batch. Any thread may notify it."""

    def nobody_else_coming(self) -> None: ...


class DialogueCounter:
    """Counts dialogues in progress and dialogues that wait for an answer.

    If all dialogues in progress wait, a batch need not wait for more items. Code that plays a dialogue runs inside
    `with company.dialogue():`. Queues report which dialogues wait in them.
    """

    def __init__(self) -> None:
        self.under_way = 0
        self.blocked = 0
        self._lock = threading.Lock()
        self._listeners: WeakSet[Listener] = WeakSet()

    @contextmanager
    def dialogue(self) -> Iterator[None]:
        with self.dialogues(1):
            yield

    @contextmanager
    def dialogues(self, count: int) -> Iterator[None]:
        self._change(count, 0)
        try:
            yield
        finally:
            self._change(-count, 0)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Marks any other long wait during which a dialogue cannot join a batch."""
        self.block()
        try:
            yield
        finally:
            self.unblock()

    def block(self) -> None:
        self._change(0, 1)

    def unblock(self) -> None:
        """Marks the end of a wait.

        Must be called as soon as the answer is ready, even before the dialogue receives it.
        """
        self._change(0, -1)

    @property
    def all_blocked(self) -> bool:
        return self.blocked >= self.under_way

    def join(self, listener: Listener) -> None:
        self._listeners.add(listener)

    def _change(self, under_way: int, blocked: int) -> None:
        with self._lock:
            self.under_way += under_way
            self.blocked += blocked
            listeners = list(self._listeners) if blocked >= 0 and self.all_blocked else []
        for listener in listeners:
            listener.nobody_else_coming()


@dataclass(eq=False, slots=True)
class _Entry(Generic[Item, Result]):
    item: Item
    future: asyncio.Future[Result]
    company: DialogueCounter | None
    waits: bool = field(default=False)

    def block(self) -> None:
        if self.company is not None:
            self.waits = True
            self.company.block()

    def unblock(self) -> None:
        if self.waits and self.company is not None:
            self.waits = False
            self.company.unblock()


class Batcher(Generic[Item, Result]):
    """Gathers submitted items and calls `fn` with at most `size` items at once.

    A batch starts when it is full, when the dialogue counter says that no other dialogue can join, or after `wait`
    seconds. The time counts from the batch's first item, or from the end of the previous batch if that is later, so
    that the dialogues it answered can join. `fn` returns one result per item, in order; a result that is an
    exception is raised for that item only. A batcher belongs to the event loop that first submits an item.
    """

    def __init__(
        self,
        fn: Callable[[list[Item]], Awaitable[Sequence[Result | BaseException]]],
        size: int,
        wait: float = 0.005,
        *,
        company: DialogueCounter | None = None,
        parallel: int = 1,
    ) -> None:
        if size < 1 or parallel < 1:
            raise ValueError("size and parallel must be at least 1")
        self._fn = fn
        self.size = size
        self.wait = wait
        self._parallel = parallel
        self._company: DialogueCounter | None = None
        self._queue: deque[_Entry[Item, Result]] = deque()
        self._running: set[asyncio.Task[None]] = set()
        self._since = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._soon = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self.batches = 0
        self.items = 0
        if company is not None:
            self.attend(company)

    def attend(self, company: DialogueCounter) -> None:
        """Connects the counter that tells when further waiting is useless."""
        self._company = company
        company.join(self)

    async def submit(self, item: Item) -> Result:
        """Returns the result for one item. Cancelling removes the item or drops its result."""
        loop = self._loop = asyncio.get_running_loop()
        entry: _Entry[Item, Result] = _Entry(item, loop.create_future(), self._company)
        if not self._queue:
            self._since = max(self._since, loop.time())
        self._queue.append(entry)
        self._consider_soon()
        entry.block()
        try:
            return await entry.future
        finally:
            entry.unblock()

    async def close(self) -> None:
        """Cancels waiting items and waits until running batches finish."""
        while self._queue:
            self._queue.popleft().future.cancel()
        if self._timer is not None:
            self._timer.cancel()
        if self._running:
            await asyncio.gather(*self._running, return_exceptions=True)

    def nobody_else_coming(self) -> None:
        loop = self._loop
        if self._queue and loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._consider_soon)

    def _consider_soon(self) -> None:
        """Decides after the current iteration of the event loop, when every ready task has submitted its item."""
        if not self._soon and self._queue and self._loop is not None:
            self._soon = True
            self._loop.call_soon(self._loop.call_soon, self._consider)

    def _consider(self) -> None:
        self._soon = False
        loop = self._loop
        assert loop is not None
        while self._queue and len(self._running) < self._parallel:
            if not self._due(loop.time()):
                if self._timer is None:
                    self._timer = loop.call_at(self._since + self.wait, self._ring)
                return
            self._leave(loop)

    def _due(self, now: float) -> bool:
        if len(self._queue) >= self.size or now >= self._since + self.wait:
            return True
        return self._company is not None and self._company.all_blocked

    def _ring(self) -> None:
        self._timer = None
        self._consider()

    def _leave(self, loop: asyncio.AbstractEventLoop) -> None:
        batch: list[_Entry[Item, Result]] = []
        while self._queue and len(batch) < self.size:
            entry = self._queue.popleft()
            if not entry.future.done():
                batch.append(entry)
        self._since = loop.time()
        if not batch:
            return
        task = loop.create_task(self._run(batch))
        self._running.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._running.discard(task)
        assert self._loop is not None
        self._since = self._loop.time()
        self._consider_soon()

    async def _run(self, batch: list[_Entry[Item, Result]]) -> None:
        self.batches += 1
        self.items += len(batch)
        try:
            results = await self._fn([entry.item for entry in batch])
            if len(results) != len(batch):
                raise RuntimeError(f"{len(batch)} items went in and {len(results)} results came out")
        except asyncio.CancelledError:
            for entry in batch:
                entry.future.cancel()
            raise
        except BaseException as error:
            results = [error] * len(batch)
        for entry in batch:
            entry.unblock()
        for entry, result in zip(batch, results, strict=True):
            if entry.future.done():
                continue
            if isinstance(result, BaseException):
                entry.future.set_exception(result)
            else:
                entry.future.set_result(result)
