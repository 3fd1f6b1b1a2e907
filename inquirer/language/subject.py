"""Finds where the subject of a clause ends."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language.phrases import noun_phrase
from inquirer.language.tags import ADJECTIVES, BE, FINITE, VERBAL
from inquirer.language.tokens import Token

WITHIN = {"of", "in", "for", "about", "from", "on", "with", "at"}
PARTS = {"both", "all", "one", "most", "some", "none", "each"}
NOT_SUBJECTS = {"me", "him", "us", "them", "myself"}


def subject_end(words: Sequence[Token], tags: Sequence[str], i: int) -> int:
    """Returns the end of the subject that begins at `i`, or `i` if there is none."""
    if i >= len(words):
        return i
    low = words[i].lower
    following = words[i + 1].lower if i + 1 < len(words) else ""
    pointing = low in {"this", "that", "these", "those"} and bool(following) and tags[i + 1] in FINITE
    personal = tags[i] in {"PRP", "EX"} and low not in NOT_SUBJECTS
    if personal or pointing or (low == "me" and following == "and"):
        end = i + 1
    else:
        first = i + 2 if low in PARTS and following == "of" and i + 2 < len(words) else i
        end = noun_phrase(words, tags, first)
        if end == i and tags[i] == "VBG" and low not in {"doing", "feeling", "going", "being"}:
            end = max(noun_phrase(words, tags, i + 1), i + 1)
        if end == i and tags[i] in ADJECTIVES and following in {"is", "are"}:
            end = i + 1  # blue is my favorite
        end = _with_places(words, tags, i, end)
    return _with_others(words, tags, i, end)


def _with_others(words: Sequence[Token], tags: Sequence[str], i: int, end: int) -> int:
    """Returns the end of several joined nouns if a plural verb follows, as in "my wife and i"."""
    if end == i or end + 1 >= len(words) or words[end].lower not in {"and", "&"}:
        return end
    personal = tags[end + 1] == "PRP"
    further = end + 2 if personal else noun_phrase(words, tags, end + 1)
    if further == end + 1 or further >= len(words) or (personal and i and tags[i - 1] in VERBAL | {"IN"}):
        return end
    several = tags[further] in {"VBP", "VBD", "MD"} or words[further].lower in {"are", "both"}
    return further if several else end


def _with_places(words: Sequence[Token], tags: Sequence[str], start: int, end: int) -> int:
    """Returns the end of a noun with a prepositional phrase if a finite verb follows.

    For example "new kids on the block".
    """
    reach = end
    for _ in range(2):
        if reach == start or reach + 1 >= len(words) or words[reach].lower not in WITHIN:
            break
        further = noun_phrase(words, tags, reach + 1)
        if further == reach + 1:
            break
        reach = further
        if reach < len(words) and tags[reach] in FINITE | {"RB"}:
            end = reach
    return end


def finite_ahead(words: Sequence[Token], tags: Sequence[str], i: int, end: int) -> bool:
    while i < end and (tags[i] == "RB" or words[i].lower in {"both", "all", "each"}):
        i += 1
    return i < end and (tags[i] in FINITE | {"VBN", "VB"} or words[i].lower in BE)
