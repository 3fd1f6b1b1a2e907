"""Judges: they decide whether an answer contradicts what was said. `registry.create` makes one by name.

Part of Consistency Arena.
"""

from judges.base import Factory, Judge
from judges.cache import Cached, Store

__all__ = ["Cached", "Factory", "Judge", "Store"]
