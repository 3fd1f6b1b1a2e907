"""Word lists, kept as data: `listed("colors")` is the list of that name."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "data"


def listed(name: str) -> frozenset[str]:
    """Returns the words of a list."""
    return _lists()[name]


@lru_cache(maxsize=64)
def pairs(name: str) -> frozenset[tuple[str, str]]:
    """Returns a list of word pairs, which the file writes as `work-for`."""
    return frozenset((first, second) for first, _, second in (word.partition("-") for word in listed(name)))


@lru_cache(maxsize=1)
def _lists() -> dict[str, frozenset[str]]:
    """Reads the lists. A line `[name]` begins a list, `#` begins a comment, and spaces separate the words."""
    result: dict[str, set[str]] = {}
    name = ""
    for path in sorted(FOLDER.glob("*.txt")):
        for line in path.read_text(encoding="utf-8").splitlines():
            text = line.split("#", 1)[0].strip()
            if text.startswith("["):
                name = text.strip("[]")
                result[name] = set()
            elif text:
                result[name].update(text.split())
    return {name: frozenset(words) for name, words in result.items()}
