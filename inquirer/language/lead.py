"""Finds the words before the subject: greetings, joiners, times."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.joiners import LEAD
from inquirer.language.phrases import noun_phrase
from inquirer.language.tags import FINITE, NOUNS
from inquirer.language.tokens import Token


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
        elif low in LEAD or tags[i] in {"RB", "UH"} or (i == start and low == joiner) or sign:
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
    if low in LEAD and not (low in {"as", "like"} and i + 1 < end and tags[i + 1] in {"DT", "PRP$", "NN"}):
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
