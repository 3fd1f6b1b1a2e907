"""Finds the phrases after the verb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.phrases import ROUGHLY, long_phrase
from inquirer.language.tags import ADJECTIVES, BE, FINITE, HAVE
from inquirer.language.text import Text
from inquirer.language.verb_groups import is_list

MEASURES = {"years", "yrs", "months", "feet", "weeks", "year", "month"}
SUBJECTS = {"i", "he", "she", "we", "they"}
ROUNDING = {"too", "instead", "anyway", "anyways", "though", "lol", "haha", "either", "thanks"}
PARTICLES = {"out", "up", "off", "away", "around"}
CAUSING = {"make", "let", "help"}
ENDING = {"CC", ",", "WP", "WDT", "WRB"}


def caused(s: Text, lemma: str, phrases: list[Phrase]) -> list[Phrase]:
    """Marks a bare infinitive such as `go to school` in "made me go to school" as a phrase of the kind `bare`."""
    if lemma not in CAUSING or len(phrases) < 2 or phrases[0].kind != "np" or phrases[1].kind != "rest":
        return phrases
    start, end = phrases[1].start, phrases[1].end
    whole = not any(tag in ENDING | FINITE for tag in s.tags[start + 1 : end])
    return (
        [phrases[0], Phrase("bare", start, end, start)]
        if whole and s.tag(start) in {"VB", "VBP"}
        else phrases
    )


def complements(s: Text, i: int, end: int) -> list[Phrase]:
    """Returns the phrases from `i` to `end`. Words that begin no phrase become `rest`."""
    result: list[Phrase] = []
    s = s.until(end)
    while i < end:
        phrase = _next(s, i, result)
        if phrase is None:
            if result and _is_relative(s, i, result[-1]):
                result[-1] = replace(result[-1], end=end)  # the band i formed
            else:
                result.append(Phrase("rest", i, end, i))
            break
        phrase = _shortened(s, phrase)
        result.append(phrase)
        i = phrase.end
    return result


def _shortened(s: Text, phrase: Phrase) -> Phrase:
    """Removes adverbs at the end of a phrase, for example from "gardening too", "for fishing as well"."""
    end = phrase.end
    while end - 1 > phrase.body and phrase.kind not in {"rest", "sub"} and s.low(end - 1) in ROUNDING:
        end -= 1
    while end - 2 > phrase.body and s.lows(end - 2, end) == ["as", "well"]:
        end -= 2
    return replace(phrase, end=end)


def _next(s: Text, i: int, before: Sequence[Phrase]) -> Phrase | None:
    """Returns the phrase that begins at `i`, or None."""
    low, following = s.low(i), s.tag(i + 1)
    if (low == "," and following in {"IN", "RB"}) or (low in {"named", "called"} and before):
        return None
    if low == "to" and following == "VB" and before:
        end = i + 2
        while end < len(s) and s.tag(end) not in ENDING and s.low(end) not in w.REASONS:
            end += 1
        return Phrase("inf", i, end, i + 1)
    fixed = _fixed(s, i) or _prepositional(s, i)
    if fixed is not None:
        return fixed
    if s.tag(i) == "VBG" and before and before[-1].kind in {"np", "adv"} and s.low(i - 1) != ",":
        return Phrase("ger", i, _gerund(s, i), i)
    return _nominal(s, i) or _adjective(s, i) or _loose(s, i, before)


def _fixed(s: Text, i: int) -> Phrase | None:
    """Returns an adverb or a fixed phrase, for example "up", "wow", "as well", "a lot", "all over the world"."""
    low = s.lows(i, i + 2)
    if s.tag(i) in {"RP", "UH"}:
        return Phrase("adv", i, i + 1, i)
    degree = low in (["a", "lot"], ["a", "bit"], ["a", "ton"]) and s.low(i + 2) != "of"
    if low in (["all", "over"], ["all", "around"]):
        whole = _prepositional(s, i + 1)
        return replace(whole, start=i) if whole is not None else None
    return Phrase("adv", i, i + 2, i) if degree or low == ["as", "well"] else None


def _prepositional(s: Text, i: int) -> Phrase | None:
    """Returns a phrase with a preposition.

    For example "because of rain", "in ohio", "with him", "by painting", "from here".
    """
    low, following, second = s.low(i), s.tag(i + 1), s.low(i + 1)
    if low == "because" and second == "of":
        close = long_phrase(s, i + 2)
        return Phrase("pp", i, close, i + 2) if close > i + 2 else None
    counted = low in ROUGHLY and following == "CD"
    opened = (s.tag(i) in {"IN", "TO"} and low not in {"that", "if", "because"}) or low in w.PREPOSITIONS
    if counted or not opened:
        return None
    close = long_phrase(s, i + 1)
    if following == "VBG" or (second == "not" and s.tag(i + 2) == "VBG"):
        close = close if close > i + 1 else len(s)
    elif following == "PRP" or second in w.TIMES | {"here", "there"}:
        close = max(close, i + 2)
    if close > i + 1:
        return Phrase("pp", i, close, i + 1)
    return Phrase("adv", i, i + 1, i) if following in {"", "RB", ","} or second == "because" else None


def _gerund(s: Text, i: int) -> int:
    """Returns the end of a gerund phrase such as "playing games with my friends"."""
    first = i + 1 + (s.low(i + 1) in PARTICLES)
    close = max(long_phrase(s, first), first)
    while close + 1 < len(s) and s.tag(close) in {"IN", "TO"}:
        further = long_phrase(s, close + 1)
        if further == close + 1:
            break
        close = further
    return close


def _nominal(s: Text, i: int) -> Phrase | None:
    """Returns a noun phrase with its measure, or a pronoun.

    For example "two years ago", "five feet tall", "him", "those".
    """
    close, low = long_phrase(s, i), s.low(i)
    if close > i:
        last, following = s.low(close - 1), s.low(close)
        dated = last in w.TIME_UNITS and following == "ago"
        sized = last in MEASURES and following in {"old", "tall", "long"}
        return Phrase("np", i, close + (dated or sized), i)
    alone = low in {"those", "these"} and s.tag(i + 1) in {"", "IN", "RB", "TO", ","}
    return Phrase("np", i, i + 1, i) if alone or (s.tag(i) == "PRP" and low not in SUBJECTS) else None


def _adjective(s: Text, i: int) -> Phrase | None:
    """Returns a phrase of adjectives, for example "very big and red"."""
    if s.tag(i) not in ADJECTIVES | {"VBN"} and not (s.tag(i) == "RB" and s.tag(i + 1) in ADJECTIVES):
        return None
    start, i = i, i + 1
    while i < len(s) and not _time_begins(s, i):
        joined = s.tag(i) in {"CC", ",", "RB"} and s.tag(i + 1) in ADJECTIVES
        if s.tag(i) not in ADJECTIVES and not joined:
            break
        i += 1
    return Phrase("adj", start, i, start)


def _time_begins(s: Text, i: int) -> bool:
    timed = s.low(i + 1) in w.TIME_UNITS | w.SEASONS | w.DAYS
    return timed and s.low(i) in {"next", "last", "this", "every"}


def _loose(s: Text, i: int, before: Sequence[Phrase]) -> Phrase | None:
    """Returns an adverb, a pronoun, or an -ing form with its object, for example "painting flowers"."""
    tag = s.tag(i)
    if tag == "PRP" and not (before and s.low(i) in SUBJECTS):
        return Phrase("np", i, i + 1, i)
    if tag == "RB":
        return Phrase("adv", i, i + 1, i)
    if tag != "VBG" or before:
        return None
    close = max(long_phrase(s, i + 1), i + 1)
    while is_list(s, close):
        close = max(long_phrase(s, close + 1), close + 2)
    return Phrase("ing", i, close, i)


def _is_relative(s: Text, i: int, last: Phrase) -> bool:
    """Whether a relative clause follows the noun and ends the clause, for example "the band i formed"."""
    opened = last.kind in {"np", "pp"} and last.end == i and s.tag(last.body) in {"DT", "PRP$"}
    brief = s.low(i) in SUBJECTS and len(s) - i <= 3 and opened
    return brief and s.tags[-1] in {"VBP", "VBD", "VB"} and s.words[-1].lower not in BE | HAVE
