"""English words, kept as data: lists, and what texts tell about a word.

`words.TIME_UNITS` is the list `time-units` of the data files. `arena.training.inquirer.lexicon` counted the words of
the lexicon.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "data"


def __getattr__(name: str) -> frozenset[str]:
    if not name.isupper():
        raise AttributeError(name)
    words = globals()[name] = listed(name.lower().replace("_", "-"))
    return words


def listed(name: str) -> frozenset[str]:
    """Returns the words of a list."""
    return _lists()[name]


@cache
def pairs(name: str) -> frozenset[tuple[str, str]]:
    """Returns a list of word pairs, which the file writes as `work-for`."""
    return frozenset((first, second) for first, _, second in (word.partition("-") for word in listed(name)))


def rows(file: str) -> Iterator[list[str]]:
    """Yields the rows of a table. A line that begins with `#` is a comment."""
    for line in (FOLDER / file).read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield line.split("\t")


@cache
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


WEIGHTS = Path(__file__).parents[1] / "weights" / "lexicon.json.gz"


def is_written(word: str) -> bool:
    """Whether people write the word. Names and models' misspellings do not count."""
    return word in lexicon()["written"]


def is_pictured(word: str) -> bool:
    """Whether the word is more frequent in descriptions of pictures, like "guitar" and unlike "mindset"."""
    return word in lexicon()["pictured"]


def is_named(word: str) -> bool:
    """Whether the word is almost always written with a capital."""
    return word in lexicon()["named"]


@lru_cache(maxsize=1)
def lexicon() -> dict[str, frozenset[str]]:
    with gzip.open(WEIGHTS) as file:
        lists = json.load(file)
    return {name: frozenset(words.split()) for name, words in lists.items()}
