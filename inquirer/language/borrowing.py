"""The subject of a clause without one."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language.clause import Clause
from inquirer.language.joiners import RELATIVE
from inquirer.language.mending import FINITE
from inquirer.language.phrases import noun_phrase
from inquirer.language.tokens import Token

WISHES = {"about", "go", "have", "hope", "need", "plan", "try", "want"}
ALONE = {"love", "hate", "enjoy", "live", "work", "prefer"}


def borrowed_subject(
    words: Sequence[Token], tags: Sequence[str], i: int, end: int, joiner: str, before: Clause | None
) -> tuple[Token, ...] | None:
    """The subject of a clause without one: the clause before has it, or its speaker is meant."""
    if i >= end or tags[i] not in FINITE | {"VBG", "VBN", "VB"}:
        return None
    if joiner in RELATIVE:
        place = i - 1
        while place > 0 and (words[place].lower in RELATIVE or tags[place] in {"RB", ","}):
            place -= 1
        for first in range(max(0, place - 5), place + 1):
            if tags[first] == "PRP$" and noun_phrase(words, tags, first) == place + 1:
                return tuple(words[first : place + 1])
            if (
                words[first].lower in {"a", "an", "one"}
                and noun_phrase(words, tags, first) == place + 1
                and _speaker_has(before)
            ):
                return (
                    Token("my", "my", words[first].start, words[first].end),
                    *words[first + 1 : place + 1],
                )
        return None
    if joiner in {"and", "but"} and before is not None and tags[i] in FINITE | {"VB"}:
        return None if tags[i] in {"VB", "VBP"} and _meant(before) else before.subject_words
    if (
        joiner in {"", ","}
        and (before is None)
        and (
            tags[i] == "VBD"
            or (tags[i] in {"VBP", "VB"} and words[i].lower in ALONE and not _urged(words, i))
        )
    ):
        return (Token("i", "i", words[i].start, words[i].start),)
    return None


def _meant(clause: Clause) -> bool:
    """i should go and, i want to go and: what follows is no more than meant, either."""
    modal = any(clause.tags[k] == "MD" for k in clause.auxiliaries)
    wished = clause.chain[1] > clause.chain[0] and clause.words[clause.chain[0]].lower == "to"
    return modal or (wished and clause.lemma in WISHES and clause.tags[clause.verb] in {"VBP", "VB", "VBG"})


def _urged(words: Sequence[Token], i: int) -> bool:
    """enjoy the breeze, enjoy your day: said to the other."""
    following = words[i + 1].lower if i + 1 < len(words) else ""
    return words[i].lower == "enjoy" and following in {"the", "your", "it", "this", "every"}


def _speaker_has(before: Clause | None) -> bool:
    """I have a son who …: he is my son."""
    return (
        before is not None
        and [x.lower for x in before.subject_words] in (["i"], ["we"])
        and before.lemma in {"have", "own"}
    )
