"""Selects the engine that `--engine` and `--address` name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from arena.engines.base import Engine


def make(name: str, address: str | None, tell: Callable[[str], None]) -> Engine:
    """Create the engine. It calls `tell` with messages about what it is waiting for."""
    if name == "ray":
        from arena.engines.ray import Ray

        return Ray(address, tell)
    from arena.engines.local import Local

    return Local()


@contextmanager
def opened(name: str, address: str | None, tell: Callable[[str], None]) -> Iterator[Engine]:
    """Create the engine in a context manager, and free its models at the end."""
    engine = make(name, address, tell)
    try:
        yield engine
    finally:
        asyncio.run(engine.close())
