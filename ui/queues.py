"""Labelling queues, which all raters share and which are refreshed in the background."""

from __future__ import annotations

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor

from arena.labelling import own
from arena.labelling import work as labelling
from db.labelling import Task
from ui import data, memory

AGE = 300.0  # seconds after which a queue is refreshed
Key = tuple[str, str, Task]


class Queues:
    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._pool = ThreadPoolExecutor(2, "queues")  # nobody waits for the queue of another schema
        self._made: dict[Key, tuple[float, list[str]]] = {}
        self._making: dict[Key, Future[list[str]]] = {}

    def get(self, key: Key) -> list[str]:
        """Return the queue; wait only if it has never been made."""
        queue = self.ready(key)
        return queue if queue is not None else self._begin(key).result()

    def ready(self, key: Key) -> list[str] | None:
        """Return the existing queue or None; refresh an old queue in the background."""
        with self._lock:
            at, queue = self._made.get(key, (0.0, None))
        if time.monotonic() - at > AGE or queue is None:
            self._begin(key)
        return queue

    def _begin(self, key: Key) -> Future[list[str]]:
        with self._lock:
            if key not in self._making:
                self._making[key] = self._pool.submit(self._make, key)
            return self._making[key]

    def _make(self, key: Key) -> list[str]:
        tournament, schema, task = key
        try:
            store = data.store()
            form = own.schemas(store)[schema]
            queue = labelling.queue(labelling.desk(store, form).waiting(tournament), task)
            with self._lock:
                self._made[key] = (time.monotonic(), queue)
            return queue
        finally:
            with self._lock:
                self._making.pop(key, None)


@memory.things()
def _queues(url: str) -> Queues:  # noqa: ARG001
    return Queues()


def queue(tournament: str, task: Task, schema: str = labelling.AIH.name) -> list[str]:
    """Return the queue, which all raters share and must not change."""
    return _queues(data.options().db).get((tournament, schema, task))


def length(tournament: str, task: Task, schema: str = labelling.AIH.name) -> int | None:
    """Return the length of the queue; None while the queue is being made."""
    queue = _queues(data.options().db).ready((tournament, schema, task))
    return None if queue is None else len(queue)
