"""Lexicons: words that people write, words for things that can be seen, and names.

`arena.training.inquirer.lexicon` counts the words.
"""

from __future__ import annotations

import gzip
import json
from functools import lru_cache
from pathlib import Path

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
