"""Tags parts of speech (Penn treebank) by an averaged perceptron, without any library.

`arena.training.inquirer.tags` trains the weights. The training text is in lower case, because chatbots' capitals
are unreliable.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from inquirer.language.tokens import Token

WEIGHTS = Path(__file__).parents[1] / "weights" / "tagger.json.gz"


@dataclass(frozen=True)
class Model:
    """The weights of the tagger. A word in `known` always has the same tag; for other words the features vote."""

    known: dict[str, str]
    weights: dict[str, dict[str, float]]
    tags: list[str]

    def tag(self, words: Sequence[str]) -> list[str]:
        shapes = [shape(w) for w in words]
        one, two = "^", "^^"
        result = []
        for i, word in enumerate(words):
            guess = self.known.get(word) or self.best(features(shapes, i, one, two))
            result.append(guess)
            two, one = one, guess
        return result

    def best(self, features: Sequence[str]) -> str:
        scores: dict[str, float] = {}
        for feature in features:
            row = self.weights.get(feature)
            if row:
                for tag, weight in row.items():
                    scores[tag] = scores.get(tag, 0.0) + weight
        if not scores:
            return "NN"
        return max(scores, key=lambda tag: (scores[tag], tag))

    def state(self) -> dict[str, Any]:
        return {"known": self.known, "weights": self.weights, "tags": self.tags}


def shape(word: str) -> str:
    """Returns the word in lower case. All numbers look the same, and so do all overlong words."""
    if word[:1].isdigit():
        return "0000" if len(word) == 4 and word.isdigit() else "0" + word.lstrip("0123456789.,:/")[:3]
    return word if len(word) < 25 else word[:6]


def features(words: Sequence[str], i: int, one: str, two: str) -> list[str]:
    """Returns the features of word `i`: the word, its endings, its neighbours and the two previous tags."""
    word = words[i]
    before = words[i - 1] if i else "^"
    earlier = words[i - 2] if i > 1 else "^"
    after = words[i + 1] if i + 1 < len(words) else "$"
    later = words[i + 2] if i + 2 < len(words) else "$"
    return [
        "w" + word,
        "3" + word[-3:],
        "2" + word[-2:],
        "1" + word[:2],
        "t" + one,
        "T" + one + " " + two,
        "a" + one + " " + word,
        "b" + before,
        "B" + before + " " + word,
        "e" + earlier,
        "n" + after,
        "N" + word + " " + after,
        "3n" + after[-3:],
        "l" + later,
    ]


def seen(word: str) -> bool:
    """Whether the word is frequent enough in the training text for the tagger to have learnt it."""
    tagger = model()
    return word in tagger.known or "w" + word in tagger.weights


@lru_cache(maxsize=1)
def model() -> Model:
    with gzip.open(WEIGHTS) as file:
        return Model(**json.load(file))


def tag(sentence: Sequence[Token]) -> list[str]:
    """Returns one tag per token."""
    return list(_tagged(tuple(w.lower for w in sentence)))


@lru_cache(maxsize=8192)
def _tagged(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(model().tag(words))
