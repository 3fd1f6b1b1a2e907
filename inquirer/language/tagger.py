"""Tags parts of speech (Penn treebank) by an averaged perceptron, and corrects the tags by word lists.

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

from inquirer.language import words as w
from inquirer.language.tokens import Token
from inquirer.language.verbs import PAST_OF, base, known

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
        return max(scores, key=lambda tag: (scores[tag], tag), default="NN")


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


NOUNS = {"NN", "NNS", "NNP", "NNPS"}
ADJECTIVES = {"JJ", "JJR", "JJS"}
VERBAL = {"VB", "VBP", "VBZ", "VBD", "VBN", "VBG"}
FINITE = {"VBP", "VBZ", "VBD", "MD"}
GOES_ON = NOUNS | ADJECTIVES | {"VBG", "VBN", "HYPH", "CD", "POS"}  # a noun is still to come
STRESSED = set(PAST_OF) | w.INTENDING | w.REPORTING  # verbs that follow a stressing `do`


def tagged(words: Sequence[Token]) -> list[str]:
    """Returns one tag per token."""
    tags = tag(words)
    for i, word in enumerate(words):
        tags[i] = _by_list(words, tags, i, word.lower) or tags[i]
    for i in range(1, len(words)):
        tags[i] = _by_neighbours(words, tags, i, words[i].lower) or tags[i]
    return tags


def _by_list(words: Sequence[Token], tags: Sequence[str], i: int, low: str) -> str:
    """Returns the tag that word lists give to a word. Empty if the tagger's tag stays."""
    before = tags[i - 1] if i else "^"
    fixed = _fixed(low, tags[i])
    if fixed:
        return fixed
    if low == "like" and tags[i] in {"IN", "UH", "RB"} and i:
        subject = next((k for k in range(i - 1, 0, -1) if tags[k] != "RB"), 0)
        if words[subject].lower in w.LIKING:
            return "VBP"
    if low == "'s" and before in {"PRP", "EX", "WP", "WRB"}:
        return "VBZ"
    if low == "about" and words[i - 1].lower in w.BE and words[i + 1 : i + 2] and words[i + 1].lower == "to":
        return "VBG"  # about to cook, as going to cook
    return "VBP" if tags[i] == "VB" and before in {"PRP", "NNS"} else ""


def _fixed(low: str, tag_: str) -> str:
    """Returns the tag of a word that has the same tag everywhere."""
    if low == "i":
        return "PRP"
    if low in w.INTERJECTIONS:
        return "UH"
    if low in {"n't", "not"} or (low in w.ADVERBS and tag_ in {"NNP", "VBN", "RBR", "DT", "NNS", "VBD"}):
        return "RB"
    if low in w.NUMBERS and low != "one":
        return "CD"
    return "JJ" if low in w.COLORS and tag_ in {"NNP", "VBN", "VBD"} else ""


def _by_neighbours(words: Sequence[Token], tags: Sequence[str], i: int, low: str) -> str:
    """Corrects the tag by the neighbouring words."""
    before, previous = tags[i - 1], words[i - 1].lower
    if _is_noun(words, tags, i, low):
        return "NN"  # i am a musician
    if previous in w.BE | {"'s", "named", "called"} and low in w.NAMES - w.NAMES_AND_WORDS:
        return "NNP"
    behind_to = _behind_to(tags[i], low, base(words[i - 2].lower)) if previous == "to" and i > 1 else ""
    if behind_to:
        return behind_to
    if _is_stressed(tags, i, low, previous):
        return "VB"
    if tags[i] == "VBZ" and before in {"VBP", "VBD"} and low not in w.BE | w.HAVE | {"'s", "does"}:
        return "NNS"  # i love roses
    if tags[i] == "VB" and before in {"TO", "IN"} and base(low) not in known():
        return "NN"  # allergic to shellfish
    bare = low[-2:] != "ed" and base(low) == low and low not in known()
    return "NN" if tags[i] == "VBN" and previous in w.HAVE | w.BE and bare else ""  # i have breast cancer


def _is_stressed(tags: Sequence[str], i: int, low: str, previous: str) -> bool:
    """Whether the word is the verb that `do` stresses, as in "i do ride horses"."""
    verb = previous in {"do", "does", "did"} and tags[i].startswith("NN") and low in STRESSED
    return verb and any(tag[:2] in {"NN", "DT", "PR", "RB", "TO"} for tag in tags[i + 1 : i + 2])


def _is_noun(words: Sequence[Token], tags: Sequence[str], i: int, low: str) -> bool:
    """Whether the word must be a noun because it ends a phrase that began with a determiner."""
    before, previous = tags[i - 1], words[i - 1].lower
    following = tags[i + 1] if i + 1 < len(words) else "$"
    if tags[i] not in {"JJ", "VBN", "VB", "VBP", "RB"} or following in GOES_ON or not low.isalpha():
        return False
    opened = before in {"DT", "PRP$"} and previous not in {"the", "all", "that", "this", "both"}
    article = i > 1 and tags[i - 2] in {"DT", "PRP$"} and words[i - 2].lower != "the"
    described = before in ADJECTIVES and article
    return (opened or described) and low not in w.PERSONS | w.NOT_NOUNS


def _behind_to(tag_: str, low: str, verb: str) -> str:
    """Returns the tag of a word after `to` if it is surely a verb ("like to garden") or a noun ("walk to work")."""
    if tag_ == "NN" and low in known() and verb in w.LONGING:
        return "VB"
    return "NN" if tag_ == "VB" and low == "work" and verb in w.MOTION else ""
