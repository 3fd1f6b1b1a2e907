"""Hashes and seeds: the only source of identity and of randomness."""

from __future__ import annotations

import hashlib
import json
import random
from typing import Any


def canonical(value: Any) -> str:
    """The one JSON text of a value."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def digest(*parts: Any) -> str:
    """SHA-256 over the parts; JSON keeps ("ab", "c") and ("a", "bc") apart."""
    return hashlib.sha256(canonical(parts).encode("utf-8", "surrogatepass")).hexdigest()


def seed_for(*parts: Any) -> int:
    """A 63-bit seed that only these parts decide."""
    return int(digest("seed", *parts)[:16], 16) >> 1


def generator(*parts: Any) -> random.Random:
    return random.Random(seed_for(*parts))


def message_hash(parent: str | None, seat: int, text: str) -> str:
    """Links a message to all that came before it."""
    joined = f"{parent or ''}\x1f{seat}\x1f{text}"
    return hashlib.sha256(joined.encode("utf-8", "surrogatepass")).hexdigest()
