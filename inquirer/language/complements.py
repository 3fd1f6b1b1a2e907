"""The phrases behind the verb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.joiners import REASONS
from inquirer.language.phrases import long_phrase
from inquirer.language.tags import ADJECTIVES, BE, FINITE, HAVE
from inquirer.language.tokens import Token
from inquirer.language.verb_groups import is_list

CAUSING = {"make", "let", "help"}


def caused(tags: Sequence[str], lemma: str, found: list[Phrase]) -> list[Phrase]:
    """made me go to school: the bare infinitive is a phrase of its own, `bare`."""
    if lemma not in CAUSING or len(found) < 2 or found[0].kind != "np" or found[1].kind != "rest":
        return found
    rest = found[1]
    close = rest.start + 1
    while close < rest.end and tags[close] not in {"CC", ",", "WP", "WDT", "WRB"} | FINITE:
        close += 1
    if tags[rest.start] not in {"VB", "VBP"} or close != rest.end:
        return found
    return [found[0], Phrase("bare", rest.start, rest.end, rest.start)]


def _time_begins(words: Sequence[Token], i: int, end: int) -> bool:
    return (
        i + 1 < end
        and words[i].lower in {"next", "last", "this", "every"}
        and words[i + 1].lower in w.TIME_UNITS | w.SEASONS | w.DAYS
    )


def _gerund(words: Sequence[Token], tags: Sequence[str], i: int) -> int:
    """The end of `playing games with my friends`."""
    first = i + 1 + (i + 1 < len(words) and words[i + 1].lower in {"out", "up", "off", "away", "around"})
    close = max(long_phrase(words, tags, first), first)
    while close + 1 < len(words) and tags[close] in {"IN", "TO"}:
        further = long_phrase(words, tags, close + 1)
        if further == close + 1:
            break
        close = further
    return close


def complements(words: Sequence[Token], tags: Sequence[str], i: int, end: int) -> list[Phrase]:
    result: list[Phrase] = []
    words, tags = words[:end], tags[:end]
    while i < end:
        start = i
        low = words[i].lower
        if low == "," and i + 1 < end and tags[i + 1] in {"IN", "RB"}:
            result.append(Phrase("rest", i, end, i))
            return result
        if low == "to" and i + 1 < end and tags[i + 1] == "VB" and result:
            close = i + 2
            while (
                close < end
                and tags[close] not in {"CC", ",", "WP", "WDT", "WRB"}
                and words[close].lower not in REASONS
            ):
                close += 1
            result.append(Phrase("inf", i, close, i + 1))
            i = close
            continue
        if low in {"named", "called"} and result:
            result.append(Phrase("rest", i, end, i))
            return result
        if low == "because" and i + 2 < end and words[i + 1].lower == "of":
            close = long_phrase(words, tags, i + 2)
            if close > i + 2:
                result.append(Phrase("pp", i, close, i + 2))
                i = close
                continue
        if tags[i] in {"RP", "UH"}:
            result.append(Phrase("adv", i, i + 1, i))
            i += 1
            continue
        counted = (
            low in {"about", "around", "over", "almost", "nearly", "under"}
            and i + 1 < end
            and tags[i + 1] == "CD"
        )
        if not counted and (
            (tags[i] in {"IN", "TO"} and low not in {"that", "if", "because"}) or low in w.PREPOSITIONS
        ):
            close = long_phrase(words, tags, i + 1)
            if close > i + 1:
                result.append(Phrase("pp", i, close, i + 1))
                i = close
                continue
            if i + 1 < end and tags[i + 1] == "PRP":
                result.append(Phrase("pp", i, i + 2, i + 1))
                i += 2
                continue
            denied = i + 2 < end and words[i + 1].lower == "not" and tags[i + 2] == "VBG"
            if (i + 1 < end and tags[i + 1] == "VBG") or denied:
                result.append(Phrase("pp", i, end, i + 1))
                return result
            if i + 1 < end and words[i + 1].lower in w.TIMES | {"here", "there"}:
                result.append(Phrase("pp", i, i + 2, i + 1))
                i += 2
                continue
            if i + 1 >= end or tags[i + 1] in {"RB", ","} or words[i + 1].lower == "because":
                result.append(Phrase("adv", i, i + 1, i))
                i += 1
                continue
        if (
            low == "a"
            and i + 1 < end
            and words[i + 1].lower in {"lot", "bit", "ton"}
            and (i + 2 >= end or words[i + 2].lower != "of")
        ):
            result.append(Phrase("adv", i, i + 2, i))
            i += 2
            continue
        if tags[i] == "VBG" and result and result[-1].kind in {"np", "adv"} and words[i - 1].lower != ",":
            close = _gerund(words, tags, i)
            result.append(Phrase("ger", i, close, i))
            i = close
            continue
        close = long_phrase(words, tags, i)
        if close > i:
            if (words[close - 1].lower in w.TIME_UNITS and close < end and words[close].lower == "ago") or (
                words[close - 1].lower in {"years", "yrs", "months", "feet", "weeks", "year", "month"}
                and close < end
                and words[close].lower in {"old", "tall", "long"}
            ):
                close += 1
            result.append(Phrase("np", i, close, i))
            i = close
            continue
        if low in {"i", "he", "she", "we", "they"} and result:
            last = result[-1]
            brief = (
                end - i <= 3
                and last.kind in {"np", "pp"}
                and last.end == i
                and tags[last.body] in {"DT", "PRP$"}
            )
            if brief and tags[end - 1] in {"VBP", "VBD", "VB"} and words[end - 1].lower not in BE | HAVE:
                result[-1] = replace(last, end=end)  # the band i formed
                return result
            result.append(Phrase("rest", i, end, i))
            return result
        pointed = low in {"those", "these"} and (i + 1 == end or tags[i + 1] in {"IN", "RB", "TO", ","})
        if tags[i] == "PRP" or pointed:
            result.append(Phrase("np", i, i + 1, i))
            i += 1
            continue
        if tags[i] in ADJECTIVES | {"VBN"} or (tags[i] == "RB" and i + 1 < end and tags[i + 1] in ADJECTIVES):
            i += 1
            while (
                i < end
                and not _time_begins(words, i, end)
                and (
                    tags[i] in ADJECTIVES
                    or (tags[i] in {"CC", ",", "RB"} and i + 1 < end and tags[i + 1] in ADJECTIVES)
                )
            ):
                i += 1
            result.append(Phrase("adj", start, i, start))
            continue
        if tags[i] == "RB":
            result.append(Phrase("adv", i, i + 1, i))
            i += 1
            continue
        if tags[i] == "VBG" and not result:
            close = max(long_phrase(words, tags, i + 1), i + 1)
            while is_list(words, tags, close):
                close = max(long_phrase(words, tags, close + 1), close + 2)
            result.append(Phrase("ing", i, close, i))
            i = close
            continue
        result.append(Phrase("rest", i, end, i))
        return result
    return result
