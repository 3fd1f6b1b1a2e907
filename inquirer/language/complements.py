"""Finds verbs that belong together, for example "have been", "like to ride", and the phrases after them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inquirer.language import words as w
from inquirer.language.clause import Phrase, Text
from inquirer.language.phrases import long_phrase
from inquirer.language.tagger import ADJECTIVES, FINITE, VERBAL
from inquirer.language.verbs import base


@dataclass(slots=True)
class Verbs:
    """A verb with its auxiliaries, adverbs and negation, and the end of the verb group."""

    verb: int
    auxiliaries: list[int]
    adverbs: list[int]
    negation: int | None
    end: int


def verb_group(s: Text, i: int) -> Verbs | None:
    """Returns the verb at `i` with its auxiliaries, for example "have not always been working"."""
    verb: int | None = None
    group = Verbs(0, [], [], None, i)
    while i < len(s):
        if s.low(i) in w.NEGATIONS:
            group.negation = i
        elif s.tag(i) == "RB" or (s.low(i) in {"all", "both", "each"} and verb is None):
            soon = s.after(i, {"RB"})  # have always wanted
            helped = verb is not None and s.tag(soon) in VERBAL and _helps(s, verb, soon)
            if verb is not None and not helped and s.low(i + 1) != "not":
                break
            group.adverbs.append(i)
        elif s.tag(i) in VERBAL | {"MD"} and (verb is None or _helps(s, verb, i)):
            if verb is not None:
                if s.tag(i) == "VBG" and s.low(verb - 1) in w.PURSUITS:
                    break  # my hobby is painting
                group.auxiliaries.append(verb)
            verb = i
        else:
            break
        i += 1
    if verb is None or s.tag(verb) == "MD" or s.low(verb) in w.UNREAD:
        return None
    group.verb, group.end = verb, i
    return group


def _helps(s: Text, first: int, second: int) -> bool:
    low, following = s.low(first), s.tag(second)
    if s.tag(first) == "MD":
        return True
    if low in w.BE or (low == "'s" and following in {"VBG", "VBN", "VBD"}):
        return following in {"VBG", "VBN", "VBD"}
    if low in w.HAVE or low == "'d":
        return following in {"VBN", "VBD"}
    return low in {"do", "does", "did"} and following in {"VB", "VBP"}


def chained(s: Text, verb: int, i: int) -> tuple[int, int]:
    """Returns the further verbs of the chain, for example "to ride", "playing", "going to be"."""
    first, lemma = verb + 1, base(s.low(verb))
    how = lemma in {"know", "learn"} and s.lows(i, i + 2) == ["how", "to"]
    if how and s.tag(i + 2) in {"VB", "VBP", "NNP", "NN"}:
        return (i, i + 3)
    if any(s.tag(k) == "RB" for k in range(first, i)):
        return (first, first)
    place = last = i + (lemma == "get" and s.low(i) in w.BECOMING)
    while place < len(s):
        place = _further(s, place, last > first)
        if place == last:
            break
        last = place
    return (first, last)


def _further(s: Text, place: int, chained_yet: bool) -> int:
    """Returns the position after the next verb of the chain, or the same position if there is none.

    For example "to ride", "riding", "and swim".
    """
    low, after = s.low(place), s.after(place + 1, {"RB"})
    if low == "to" and s.tag(after) in ({"VB", "VBP"} if after == place + 1 else {"VB"}):
        return after + 1  # to ride, to one day own
    liked = s.tag(place) == "VBG" and base(s.low(place - 1)) in w.CHAIN_ING
    if liked and not is_list(s, place + 1):
        return place + 1
    joined = chained_yet and low in {"and", "or"} and s.tag(place + 1) == "VB"
    return place + 2 if joined else place


def is_list(s: Text, i: int) -> bool:
    """Whether a list of activities begins, for example "hunting and fishing", and not a verb with its object."""
    return s.low(i) in {"and", "or", ",", "&"} and s.tag(i + 1) in {"VBG", "NN", "NNS"}


ENDING = {"CC", ",", "WP", "WDT", "WRB"}


def caused(s: Text, lemma: str, phrases: list[Phrase]) -> list[Phrase]:
    """Marks a bare infinitive such as `go to school` in "made me go to school" as a phrase of the kind `bare`."""
    if lemma not in w.CAUSING or len(phrases) < 2 or phrases[0].kind != "np" or phrases[1].kind != "rest":
        return phrases
    start, end = phrases[1].start, phrases[1].end
    whole = not any(tag in ENDING | FINITE for tag in s.tags[start + 1 : end])
    bare = whole and s.tag(start) in {"VB", "VBP"}
    return [phrases[0], Phrase("bare", start, end, start)] if bare else phrases


def complements(s: Text, i: int) -> list[Phrase]:
    """Returns the phrases from `i` on. Words that begin no phrase become `rest`."""
    result: list[Phrase] = []
    end = len(s)
    while i < end:
        phrase = _next(s, i, result)
        if phrase is None:
            last = result[-1] if result else None
            brief = s.low(i) in w.SUBJECT_PRONOUNS and end - i <= 3 and s.tags[-1] in {"VBP", "VBD", "VB"}
            relative = brief and s.words[-1].lower not in w.BE | w.HAVE
            if last and relative and last.kind in {"np", "pp"} and s.tag(last.body) in {"DT", "PRP$"}:
                result[-1] = replace(last, end=end)  # the band i formed
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
    while end - 1 > phrase.body and phrase.kind not in {"rest", "sub"} and s.low(end - 1) in w.ROUNDING:
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
    """Returns a phrase with a preposition: "because of rain", "in ohio", "with him", "by painting", "from here"."""
    low, following, second = s.low(i), s.tag(i + 1), s.low(i + 1)
    if low == "because" and second == "of":
        close = long_phrase(s, i + 2)
        return Phrase("pp", i, close, i + 2) if close > i + 2 else None
    counted = low in w.ROUGHLY and following == "CD"
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
    first = i + 1 + (s.low(i + 1) in w.PARTICLES)
    close = max(long_phrase(s, first), first)
    while close + 1 < len(s) and s.tag(close) in {"IN", "TO"}:
        further = long_phrase(s, close + 1)
        if further == close + 1:
            break
        close = further
    return close


def _nominal(s: Text, i: int) -> Phrase | None:
    """Returns a noun phrase with its measure, or a pronoun: "two years ago", "five feet tall", "him", "those"."""
    close, low = long_phrase(s, i), s.low(i)
    if close > i:
        last, following = s.low(close - 1), s.low(close)
        dated = last in w.TIME_UNITS and following == "ago"
        sized = last in w.MEASURES and following in {"old", "tall", "long"}
        return Phrase("np", i, close + (dated or sized), i)
    alone = low in {"those", "these"} and s.tag(i + 1) in {"", "IN", "RB", "TO", ","}
    return (
        Phrase("np", i, i + 1, i) if alone or (s.tag(i) == "PRP" and low not in w.SUBJECT_PRONOUNS) else None
    )


def _adjective(s: Text, i: int) -> Phrase | None:
    """Returns a phrase of adjectives, for example "very big and red"."""
    if s.tag(i) not in ADJECTIVES | {"VBN"} and not (s.tag(i) == "RB" and s.tag(i + 1) in ADJECTIVES):
        return None
    start, i = i, i + 1
    while i < len(s):
        joined = s.tag(i) in {"CC", ",", "RB"} and s.tag(i + 1) in ADJECTIVES
        timed = s.low(i + 1) in w.TIME_UNITS | w.SEASONS | w.DAYS
        last_year = timed and s.low(i) in {"next", "last", "this", "every"}
        if last_year or (s.tag(i) not in ADJECTIVES and not joined):
            break
        i += 1
    return Phrase("adj", start, i, start)


def _loose(s: Text, i: int, before: Sequence[Phrase]) -> Phrase | None:
    """Returns an adverb, a pronoun, or an -ing form with its object, for example "painting flowers"."""
    tag = s.tag(i)
    if tag == "PRP" and not (before and s.low(i) in w.SUBJECT_PRONOUNS):
        return Phrase("np", i, i + 1, i)
    if tag == "RB":
        return Phrase("adv", i, i + 1, i)
    if tag != "VBG" or before:
        return None
    close = max(long_phrase(s, i + 1), i + 1)
    while is_list(s, close):
        close = max(long_phrase(s, close + 1), close + 2)
    return Phrase("ing", i, close, i)
