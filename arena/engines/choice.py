"""The engine that `--engine` and `--address` name."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from arena.engines.base import Engine


def make(name: str, address: str | None, tell: Callable[[str], None]) -> Engine:
    """Ready to load models; `tell` hears what keeps it waiting."""
    if name == "ray":
        from arena.engines.ray import Ray

        return Ray(address, tell)
    from arena.engines.local import Local

    return Local()


@contextmanager
def opened(name: str, address: str | None, tell: Callable[[str], None]) -> Iterator[Engine]:
    """An engine whose models are gone when it is over."""
    engine = make(name, address, tell)
    try:
        yield engine
    finally:
        asyncio.run(engine.close())
