"""Finds the subject of a clause, and the greetings, joiners and times before it."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.phrases import noun_phrase
from inquirer.language.tags import ADJECTIVES, BE, FINITE, NOUNS, VERBAL
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


def lead_end(
    words: Sequence[Token], tags: Sequence[str], start: int, end: int, joiner: str, adjuncts: list[Phrase]
) -> int:
    """Returns the position of the subject, after greetings, joiners and times. The times are added to `adjuncts`."""
    i = start
    while i < end and not _is_subject(words, tags, i, end, joiner):
        low = words[i].lower
        sign = not words[i].text[0].isalnum() and tags[i] not in {"VBP", "VBZ", "$"}
        close = _frame(words, tags, i, end, adjuncts)
        if close > i:
            i = close
        elif low in w.LEAD or tags[i] in {"RB", "UH"} or (i == start and low == joiner) or sign:
            i += 1
        else:
            break
    return i


def _is_subject(words: Sequence[Token], tags: Sequence[str], i: int, end: int, joiner: str) -> bool:
    """Whether the words only look like a lead and belong to the subject.

    For example "no dogs …", "man is …", "that was …".
    """
    low, following = words[i].lower, tags[i + 1] if i + 1 < end else ""
    return (
        (low == "no" and following in NOUNS)
        or (low == "man" and following in FINITE)
        or (low == "that" and following in {"VBZ", "VBD"} and joiner != "that")
    )


def _frame(words: Sequence[Token], tags: Sequence[str], i: int, end: int, adjuncts: list[Phrase]) -> int:
    """Returns the end of a phrase before the subject, or `i` if there is none.

    For example "as a nurse ,", "every day ,".
    """
    low = words[i].lower
    behind = tags[i] == "IN" or low in w.PREPOSITIONS
    if low in w.LEAD and not (low in {"as", "like"} and i + 1 < end and tags[i + 1] in {"DT", "PRP$", "NN"}):
        return i
    if not behind and tags[i] in {"RB", "UH"}:
        return i
    close = noun_phrase(words, tags, i + 1 if behind else i)
    if close <= i + behind or close >= end:
        return i
    following = words[close].lower
    if not (following == "," or tags[close] == "PRP" or (behind and following == "my")):
        return i
    if behind:
        if _timely(words, i + 1, close) and low not in {"as", "like"}:
            adjuncts.append(Phrase("pp", i, close, i + 1))
        return close
    if words[close - 1].lower not in w.TIME_UNITS | w.DAYS:
        return i
    if low in {"every", "last", "next", "each"}:
        adjuncts.append(Phrase("np", i, close, i))
    return close


def _timely(words: Sequence[Token], start: int, end: int) -> bool:
    """Whether the phrase could also stand after the verb, for example "in the spring", "on weekends", "for fun"."""
    last = words[end - 1].lower
    return last in w.SEASONS | w.MONTHS | w.DAYS | {"fun", "weekends", "mornings", "evenings", "summers"} or (
        last in {"time", "weekend"} and end - start > 1 and words[start].lower != "this"
    )
