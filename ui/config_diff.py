"""Compares two resolved configurations key by key."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Difference:
    """A key whose value differs. The value is an empty text on the side that lacks the key."""

    key: str
    before: str
    after: str


def changes(a: Mapping[str, Any], b: Mapping[str, Any]) -> list[Difference]:
    """List every key whose value differs. Bots and judges are matched by name."""
    before, after = dict(_leaves(a)), dict(_leaves(b))
    keys = sorted({*before, *after})
    return [
        Difference(key, before.get(key, ""), after.get(key, ""))
        for key in keys
        if before.get(key) != after.get(key)
    ]


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, str]]:
    # the release tag differs anyway; an identity follows from the other keys
    if path == "release" or path.endswith(".identity"):
        return
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _leaves(inner, f"{path}.{key}" if path else str(key))
    elif (
        isinstance(value, list) and value and all(isinstance(one, Mapping) and "name" in one for one in value)
    ):
        for one in value:
            yield from _leaves({k: v for k, v in one.items() if k != "name"}, f"{path}.{one['name']}")
    else:
        yield path, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
