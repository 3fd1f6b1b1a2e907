"""Judges: who says whether an answer contradicts what was said. `registry.create` makes them by name."""

from judges.base import Factory, Judge
from judges.cache import Cached, Store

__all__ = ["Cached", "Factory", "Judge", "Store"]
