"""An event loop for one run that, once stopped, does not wait for worker threads."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any, TypeVar

T = TypeVar("T")
CLEANING = 2.0  # seconds that cancelled tasks have to end


def run_loop(main: Coroutine[Any, Any, T], stopped: Callable[[], bool]) -> T:
    """Like `asyncio.run`, but a model that is still loading in a thread does not delay a stopped run."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        return loop.run_until_complete(main)
    finally:
        try:
            if tasks := asyncio.all_tasks(loop):
                for task in tasks:
                    task.cancel()
                loop.run_until_complete(asyncio.wait(tasks, timeout=CLEANING))
            loop.run_until_complete(loop.shutdown_asyncgens())
            if not stopped():
                with suppress(RuntimeError):
                    loop.run_until_complete(loop.shutdown_default_executor())
        finally:
            asyncio.set_event_loop(None)
            loop.close()
