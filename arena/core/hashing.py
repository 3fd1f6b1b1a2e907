"""Hashes and seeds: the only source of identity and of randomness."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Iterable
from typing import Any

_ENCODE = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False
).encode  # a new encoder for each text would take most of the time


def canonical(value: Any) -> str:
    """Return the canonical JSON text of a value."""
    return _ENCODE(value)


def digest(*parts: Any) -> str:
    """Return the SHA-256 of the parts as a JSON list, so that ("ab", "c") and ("a", "bc") have different hashes."""
    return hashlib.sha256(canonical(parts).encode("utf-8", "surrogatepass")).hexdigest()


def seed_for(*parts: Any) -> int:
    """Return a 63-bit seed that depends only on these parts."""
    return int(digest("seed", *parts)[:16], 16) >> 1


def seeds_for(*parts: Any, last: Iterable[str]) -> list[int]:
    """Return `seed_for(*parts, x)` for each `x` in `last`."""
    begun = hashlib.sha256((canonical(["seed", *parts])[:-1] + ",").encode("utf-8", "surrogatepass"))
    seeds = []
    for one in last:
        hashed = begun.copy()
        hashed.update((_ENCODE(one) + "]").encode("utf-8", "surrogatepass"))
        seeds.append(int.from_bytes(hashed.digest()[:8]) >> 1)
    return seeds


def generator(*parts: Any) -> random.Random:
    return random.Random(seed_for(*parts))


def message_hash(parent: str | None, seat: int, text: str) -> str:
    """Return the hash of a message. Through `parent`, it depends on all messages before it."""
    joined = f"{parent or ''}\x1f{seat}\x1f{text}"
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()
