"""Runs coroutines for synchronous callers, in scripts and in notebooks with a running event loop."""

from __future__ import annotations

import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from arena.play.stoppable_loop import run_loop

T = TypeVar("T")


def finish(make: Callable[[], Coroutine[Any, Any, T]], interrupted: Callable[[], None] | None = None) -> T:
    """Run a coroutine in its own thread and event loop, and return its result.

    The caller's event loop and signal handlers stay unchanged. The first Ctrl-C calls `interrupted` and waits until the
    coroutine has ended; a second Ctrl-C stops the waiting.
    """
    future: Future[T] = Future()
    stopped = threading.Event()

    def work() -> None:
        try:
            future.set_result(run_loop(make(), stopped.is_set))
        except BaseException as error:
            future.set_exception(error)

    thread = threading.Thread(target=work, name="arena", daemon=True)
    thread.start()
    try:
        return future.result()
    except KeyboardInterrupt:
        stopped.set()
        if interrupted is not None:
            interrupted()
            thread.join()
        raise
