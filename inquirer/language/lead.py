"""What stands before the subject: greetings, joiners, times."""

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
    """Where the subject begins, behind greetings, joiners and times, which become `adjuncts`."""
    i = start
    while i < end:
        low = words[i].lower
        if low == "no" and i + 1 < end and tags[i + 1] in NOUNS:
            break
        if low == "man" and i + 1 < end and tags[i + 1] in FINITE:
            break
        if low == "that" and i + 1 < end and tags[i + 1] in {"VBZ", "VBD"} and joiner != "that":
            break
        if low in {"as", "like"} and i + 2 < end and tags[i + 1] in {"DT", "PRP$", "NN"}:
            close = noun_phrase(words, tags, i + 1)
            if close > i + 1 and close < end and (words[close].lower == "," or tags[close] == "PRP"):
                i = close
                continue
        if (
            low in LEAD
            or tags[i] in {"RB", "UH"}
            or (i == start and low == joiner)
            or (not words[i].text[0].isalnum() and tags[i] not in {"VBP", "VBZ", "$"})
        ):
            i += 1
            continue
        if tags[i] == "IN" or low in w.PREPOSITIONS:
            close = noun_phrase(words, tags, i + 1)
            if (
                close > i + 1
                and close < end
                and (words[close].lower == "," or tags[close] == "PRP" or words[close].lower == "my")
            ):
                if _timely(words, i + 1, close):
                    adjuncts.append(Phrase("pp", i, close, i + 1))
                i = close
                continue
        close = noun_phrase(words, tags, i)
        if (
            close > i
            and close < end
            and words[close - 1].lower in w.TIME_UNITS | w.DAYS
            and (tags[close] == "PRP" or words[close].lower == ",")
        ):
            if words[i].lower in {"every", "last", "next", "each"}:
                adjuncts.append(Phrase("np", i, close, i))
            i = close
            continue
        break
    return i


def _timely(words: Sequence[Token], start: int, end: int) -> bool:
    """in the spring, on weekends, for fun: what may as well stand behind the verb."""
    last = words[end - 1].lower
    return last in w.SEASONS | w.MONTHS | w.DAYS | {"fun", "weekends", "mornings", "evenings", "summers"} or (
        last in {"time", "weekend"} and end - start > 1 and words[start].lower != "this"
    )
