"""Finds the phrases after the verb."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.phrases import long_phrase
from inquirer.language.tags import ADJECTIVES, BE, FINITE, HAVE
from inquirer.language.tokens import Token
from inquirer.language.verb_groups import is_list

ROUGHLY = {"about", "around", "over", "almost", "nearly", "under"}
MEASURES = {"years", "yrs", "months", "feet", "weeks", "year", "month"}
SUBJECTS = {"i", "he", "she", "we", "they"}
ROUNDING = {"too", "instead", "anyway", "anyways", "though", "lol", "haha", "either", "thanks"}
CAUSING = {"make", "let", "help"}


def caused(tags: Sequence[str], lemma: str, phrases: list[Phrase]) -> list[Phrase]:
    """Marks a bare infinitive such as `go to school` in "made me go to school" as a phrase of the kind `bare`."""
    if lemma not in CAUSING or len(phrases) < 2 or phrases[0].kind != "np" or phrases[1].kind != "rest":
        return phrases
    rest = phrases[1]
    close = rest.start + 1
    while close < rest.end and tags[close] not in {"CC", ",", "WP", "WDT", "WRB"} | FINITE:
        close += 1
    if tags[rest.start] not in {"VB", "VBP"} or close != rest.end:
        return phrases
    return [phrases[0], Phrase("bare", rest.start, rest.end, rest.start)]


def _time_begins(words: Sequence[Token], i: int, end: int) -> bool:
    return (
        i + 1 < end
        and words[i].lower in {"next", "last", "this", "every"}
        and words[i + 1].lower in w.TIME_UNITS | w.SEASONS | w.DAYS
    )


def _gerund(words: Sequence[Token], tags: Sequence[str], i: int) -> int:
    """Returns the end of a gerund phrase such as "playing games with my friends"."""
    first = i + 1 + (i + 1 < len(words) and words[i + 1].lower in {"out", "up", "off", "away", "around"})
    close = max(long_phrase(words, tags, first), first)
    while close + 1 < len(words) and tags[close] in {"IN", "TO"}:
        further = long_phrase(words, tags, close + 1)
        if further == close + 1:
            break
        close = further
    return close


def complements(words: Sequence[Token], tags: Sequence[str], i: int, end: int) -> list[Phrase]:
    """Returns the phrases from `i` to `end`. Words that begin no phrase become `rest`."""
    result: list[Phrase] = []
    words, tags = words[:end], tags[:end]
    while i < end:
        phrase = _next(words, tags, i, result)
        if phrase is None:
            last = result[-1] if result else None
            if last is not None and _is_relative(words, tags, i, last):
                result[-1] = replace(last, end=end)  # the band i formed
            else:
                result.append(Phrase("rest", i, end, i))
            break
        phrase = _shortened(words, phrase)
        result.append(phrase)
        i = phrase.end
    return result


def _shortened(words: Sequence[Token], phrase: Phrase) -> Phrase:
    """Removes adverbs at the end of a phrase, for example from "gardening too", "for fishing as well"."""
    end = phrase.end
    while end - 1 > phrase.body and phrase.kind not in {"rest", "sub"} and words[end - 1].lower in ROUNDING:
        end -= 1
    while end - 2 > phrase.body and [x.lower for x in words[end - 2 : end]] == ["as", "well"]:
        end -= 2
    return replace(phrase, end=end)


def _next(words: Sequence[Token], tags: Sequence[str], i: int, before: Sequence[Phrase]) -> Phrase | None:
    """Returns the phrase that begins at `i`, or None."""
    low, following = words[i].lower, tags[i + 1] if i + 1 < len(words) else ""
    if (low == "," and following in {"IN", "RB"}) or (low in {"named", "called"} and before):
        return None
    if low == "to" and following == "VB" and before:
        return Phrase("inf", i, _clause_end(words, tags, i + 2), i + 1)
    fixed = _fixed(words, tags, i) or _prepositional(words, tags, i)
    if fixed is not None:
        return fixed
    if _is_degree([x.lower for x in words[i : i + 3]]):
        return Phrase("adv", i, i + 2, i)
    if tags[i] == "VBG" and before and before[-1].kind in {"np", "adv"} and words[i - 1].lower != ",":
        return Phrase("ger", i, _gerund(words, tags, i), i)
    return _nominal(words, tags, i) or _adjective(words, tags, i) or _loose(words, tags, i, before)


def _fixed(words: Sequence[Token], tags: Sequence[str], i: int) -> Phrase | None:
    """Returns an adverb or a fixed phrase, for example "up", "wow", "as well", "all over the world"."""
    low = [x.lower for x in words[i : i + 2]]
    if tags[i] in {"RP", "UH"}:
        return Phrase("adv", i, i + 1, i)
    if low == ["as", "well"]:
        return Phrase("adv", i, i + 2, i)
    if low in (["all", "over"], ["all", "around"]):
        whole = _prepositional(words, tags, i + 1)
        return replace(whole, start=i) if whole is not None else None
    return None


def _is_degree(low: Sequence[str]) -> bool:
    """Whether the words express a degree, for example "a lot" or "a bit". "a lot of dogs" does not."""
    return low[:1] == ["a"] and low[1:2] in (["lot"], ["bit"], ["ton"]) and low[2:] != ["of"]


def _clause_end(words: Sequence[Token], tags: Sequence[str], i: int) -> int:
    while (
        i < len(words) and tags[i] not in {"CC", ",", "WP", "WDT", "WRB"} and words[i].lower not in w.REASONS
    ):
        i += 1
    return i


def _prepositional(words: Sequence[Token], tags: Sequence[str], i: int) -> Phrase | None:
    """Returns a phrase with a preposition.

    For example "because of rain", "in ohio", "with him", "by painting", "from here".
    """
    low, after = words[i].lower, i + 1
    following = tags[after] if after < len(words) else ""
    if low == "because" and after < len(words) and words[after].lower == "of":
        close = long_phrase(words, tags, i + 2)
        return Phrase("pp", i, close, i + 2) if close > i + 2 else None
    counted = low in ROUGHLY and following == "CD"
    opened = (tags[i] in {"IN", "TO"} and low not in {"that", "if", "because"}) or low in w.PREPOSITIONS
    if counted or not opened:
        return None
    close = long_phrase(words, tags, after)
    if close > after:
        return Phrase("pp", i, close, after)
    second = words[after].lower if after < len(words) else ""
    if following == "PRP" or second in w.TIMES | {"here", "there"}:
        return Phrase("pp", i, i + 2, after)
    if following == "VBG" or (second == "not" and "VBG" in tags[after + 1 : after + 2]):
        return Phrase("pp", i, len(words), after)
    bare = following in {"", "RB", ","} or second == "because"
    return Phrase("adv", i, i + 1, i) if bare else None


def _nominal(words: Sequence[Token], tags: Sequence[str], i: int) -> Phrase | None:
    """Returns a noun phrase with its measure, or a pronoun.

    For example "two years ago", "five feet tall", "him", "those".
    """
    close = long_phrase(words, tags, i)
    if close > i:
        last, following = words[close - 1].lower, words[close].lower if close < len(words) else ""
        dated = last in w.TIME_UNITS and following == "ago"
        sized = last in MEASURES and following in {"old", "tall", "long"}
        return Phrase("np", i, close + (dated or sized), i)
    low = words[i].lower
    ends = i + 1 == len(words) or tags[i + 1] in {"IN", "RB", "TO", ","}
    personal = tags[i] == "PRP" and low not in SUBJECTS
    return Phrase("np", i, i + 1, i) if personal or (low in {"those", "these"} and ends) else None


def _adjective(words: Sequence[Token], tags: Sequence[str], i: int) -> Phrase | None:
    """Returns a phrase of adjectives, for example "very big and red"."""
    following = tags[i + 1] if i + 1 < len(words) else ""
    if tags[i] not in ADJECTIVES | {"VBN"} and not (tags[i] == "RB" and following in ADJECTIVES):
        return None
    start, i = i, i + 1
    while i < len(words) and not _time_begins(words, i, len(words)):
        joined = tags[i] in {"CC", ",", "RB"} and i + 1 < len(words) and tags[i + 1] in ADJECTIVES
        if tags[i] not in ADJECTIVES and not joined:
            break
        i += 1
    return Phrase("adj", start, i, start)


def _loose(words: Sequence[Token], tags: Sequence[str], i: int, before: Sequence[Phrase]) -> Phrase | None:
    """Returns an adverb, a pronoun, or an -ing form with its object, for example "painting flowers"."""
    if tags[i] == "PRP" and not (before and words[i].lower in SUBJECTS):
        return Phrase("np", i, i + 1, i)
    if tags[i] == "RB":
        return Phrase("adv", i, i + 1, i)
    if tags[i] != "VBG" or before:
        return None
    close = max(long_phrase(words, tags, i + 1), i + 1)
    while is_list(words, tags, close):
        close = max(long_phrase(words, tags, close + 1), close + 2)
    return Phrase("ing", i, close, i)


def _is_relative(words: Sequence[Token], tags: Sequence[str], i: int, last: Phrase) -> bool:
    """Whether a relative clause follows the noun and ends the clause, for example "the band i formed"."""
    opened = last.kind in {"np", "pp"} and last.end == i and tags[last.body] in {"DT", "PRP$"}
    brief = words[i].lower in SUBJECTS and len(words) - i <= 3 and opened
    return brief and tags[-1] in {"VBP", "VBD", "VB"} and words[-1].lower not in BE | HAVE
