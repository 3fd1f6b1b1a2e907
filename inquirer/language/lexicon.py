"""Words that people write, those of them that say what can be seen, and names.

All are counted by `arena.training.inquirer.lexicon`.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

WEIGHTS = Path(__file__).parents[1] / "weights" / "lexicon.json.gz"


@dataclass(frozen=True, slots=True)
class Lexicon:
    written: frozenset[str]
    pictured: frozenset[str]
    named: frozenset[str]


def is_written(word: str) -> bool:
    """Whether people write the word: no slip of a model's, no name."""
    return word in lexicon().written


def is_pictured(word: str) -> bool:
    """Whether it is said of pictures more than elsewhere: guitar and park, not mindset or idea."""
    return word in lexicon().pictured


def is_named(word: str) -> bool:
    """Whether it is hardly ever written without a capital."""
    return word in lexicon().named


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    with gzip.open(WEIGHTS) as file:
        lists = json.load(file)
    return Lexicon(**{name: frozenset(words.split()) for name, words in lists.items()})
