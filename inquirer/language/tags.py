"""Corrects the tagger's tags by word lists."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language import words as w
from inquirer.language.lists import listed
from inquirer.language.tagger import tag
from inquirer.language.tokens import Token
from inquirer.language.verbs import PAST_OF, base, known

BE = {"am", "'m", "m", "is", "are", "'re", "was", "were", "be", "been", "being"}
HAVE = {"have", "'ve", "ve", "has", "had", "having"}
NOUNS = {"NN", "NNS", "NNP", "NNPS"}
ADJECTIVES = {"JJ", "JJR", "JJS"}
VERBAL = {"VB", "VBP", "VBZ", "VBD", "VBN", "VBG"}
FINITE = {"VBP", "VBZ", "VBD", "MD"}
GOES_ON = (
    NOUNS | ADJECTIVES | {"VBG", "VBN", "HYPH", "CD", "POS"}
)  # behind an article: the noun is still to come
LIKING = {"i", "you", "we", "they", "do", "does", "did", "would", "'d", "kids", "parents"}
STRESSED = set(PAST_OF) | listed("intending") | listed("reporting")  # verbs that follow a stressing `do`
NOT_NOUNS = {"own", "bit", "left", "ago", "old", "tall", "long"}
MOTION = {"walk", "go", "drive", "bike", "commute", "ride", "get", "run"}


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
    if low == "like" and tags[i] in {"IN", "UH", "RB"} and i and _subject_before(words, tags, i):
        return "VBP"
    if low == "'s" and before in {"PRP", "EX", "WP", "WRB"}:
        return "VBZ"
    if low == "about" and words[i - 1].lower in BE and words[i + 1 : i + 2] and words[i + 1].lower == "to":
        return "VBG"  # about to cook, as going to cook
    return "VBP" if tags[i] == "VB" and before in {"PRP", "NNS"} else ""


def _fixed(low: str, tag_: str) -> str:
    """Returns the tag of a word that has the same tag everywhere."""
    if low == "i":
        return "PRP"
    if low in listed("interjections"):
        return "UH"
    if low in {"n't", "not"} or (low in w.ADVERBS and tag_ in {"NNP", "VBN", "RBR", "DT", "NNS", "VBD"}):
        return "RB"
    if low in w.NUMBERS and low != "one":
        return "CD"
    return "JJ" if low in w.COLORS and tag_ in {"NNP", "VBN", "VBD"} else ""


def _subject_before(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    while i > 1 and tags[i - 1] == "RB":
        i -= 1
    return words[i - 1].lower in LIKING


def _by_neighbours(words: Sequence[Token], tags: Sequence[str], i: int, low: str) -> str:
    """Corrects the tag by the neighbouring words."""
    before, previous = tags[i - 1], words[i - 1].lower
    if _is_noun(words, tags, i, low):
        return "NN"  # i am a musician
    if previous in BE | {"'s", "named", "called"} and low in w.NAMES - listed("names-and-words"):
        return "NNP"
    if previous == "to" and i > 1:
        tag_ = _behind_to(tags[i], low, base(words[i - 2].lower))
        if tag_:
            return tag_
    if _is_stressed(tags, i, low, previous):
        return "VB"
    if tags[i] == "VBZ" and before in {"VBP", "VBD"} and low not in BE | HAVE | {"'s", "does"}:
        return "NNS"  # i love roses
    if tags[i] == "VB" and before in {"TO", "IN"} and base(low) not in known():
        return "NN"  # allergic to shellfish
    bare = low[-2:] != "ed" and base(low) == low and low not in known()
    return "NN" if tags[i] == "VBN" and previous in HAVE | BE and bare else ""  # i have breast cancer


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
    described = (
        before in ADJECTIVES and i > 1 and tags[i - 2] in {"DT", "PRP$"} and words[i - 2].lower != "the"
    )
    return (opened or described) and low not in w.PERSONS | NOT_NOUNS


def _behind_to(tag_: str, low: str, verb: str) -> str:
    """Returns the tag of a word after `to`, else an empty text.

    The word is a verb in "i like to garden" and a noun in "i walk to work".
    """
    if tag_ == "NN" and low in known() and verb in w.LONGING:
        return "VB"
    return "NN" if tag_ == "VB" and low == "work" and verb in MOTION else ""
