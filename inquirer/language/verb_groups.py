"""Finds verbs that belong together, for example "have been", "like to ride"."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language.tags import BE, HAVE, VERBAL
from inquirer.language.tokens import Token
from inquirer.language.verbs import base

CHAIN_ING = {
    "like", "love", "enjoy", "hate", "start", "stop", "keep", "go", "prefer", "dislike", "quit", "begin",
    "finish", "try", "adore", "miss", "consider", "practice", "spend", "mind", "avoid", "recommend",
    "remember",
}  # fmt: skip


BECOMING = {"married", "divorced", "engaged", "fired", "hired", "promoted", "adopted", "robbed", "drafted"}


def verb_soon(words: Sequence[Token], tags: Sequence[str], verb: int, i: int, end: int) -> bool:
    """Whether the adverb is inside the verb group, as in "have always wanted"."""
    while i < end and tags[i] == "RB":
        i += 1
    return i < end and (tags[i] in VERBAL) and helps(words, tags, verb, i)


def helps(words: Sequence[Token], tags: Sequence[str], first: int, second: int) -> bool:
    low, following = words[first].lower, tags[second]
    if tags[first] == "MD":
        return True
    if low in BE or (low == "'s" and following in {"VBG", "VBN", "VBD"}):
        return following in {"VBG", "VBN", "VBD"}
    if low in HAVE or low == "'d":
        return following in {"VBN", "VBD"}
    if low in {"do", "does", "did"}:
        return following in {"VB", "VBP"}
    return False


def chained(words: Sequence[Token], tags: Sequence[str], verb: int, i: int, end: int) -> tuple[int, int]:
    """Returns the further verbs of the chain, for example "to ride", "playing", "going to be"."""
    first = verb + 1
    taught = base(words[verb].lower) in {"know", "learn"} and [x.lower for x in words[i : i + 2]] == [
        "how",
        "to",
    ]
    if taught and i + 2 < end and tags[i + 2] in {"VB", "VBP", "NNP", "NN"}:
        return (i, i + 3)
    if any(tags[k] == "RB" for k in range(verb + 1, i)):
        return (first, first)
    place = i + (base(words[verb].lower) == "get" and i < end and words[i].lower in BECOMING)
    last = place
    while place < end:
        place = _further(words, tags, place, end, last > first)
        if place == last:
            break
        last = place
    return (first, last)


def _further(words: Sequence[Token], tags: Sequence[str], place: int, end: int, chained_yet: bool) -> int:
    """Returns the position after the next verb of the chain, or the same position if there is none.

    For example "to ride", "riding", "and swim".
    """
    after = place + 1
    while after < end and tags[after] == "RB":
        after += 1
    plain = {"VB", "VBP"} if after == place + 1 else {"VB"}
    low = words[place].lower
    if low == "to" and after < end and tags[after] in plain:
        return after + 1  # to ride, to one day own
    liked = tags[place] == "VBG" and base(words[place - 1].lower) in CHAIN_ING
    if liked and not is_list(words, tags, place + 1):
        return place + 1
    joined = chained_yet and low in {"and", "or"} and place + 1 < end and tags[place + 1] == "VB"
    return place + 2 if joined else place


def is_list(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    """Whether a list of activities begins, for example "hunting and fishing", and not a verb with its object."""
    return (
        i + 1 < len(words)
        and words[i].lower in {"and", "or", ",", "&"}
        and tags[i + 1] in {"VBG", "NN", "NNS"}
    )
