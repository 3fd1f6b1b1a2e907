"""Judges, which decide whether an answer contradicts what was said. Part of Consistency Arena.

`registry.create` makes a judge by name.
"""

from judges.base import Factory, Judge
from judges.cache import Cached, Store

__all__ = ["Cached", "Factory", "Judge", "Store"]
