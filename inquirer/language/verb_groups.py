"""Finds verbs that belong together, for example "have been", "like to ride"."""

from __future__ import annotations

from dataclasses import dataclass

from inquirer.language import words as w
from inquirer.language.lists import listed
from inquirer.language.tags import BE, HAVE, VERBAL
from inquirer.language.text import Text
from inquirer.language.verbs import base

BECOMING = {"married", "divorced", "engaged", "fired", "hired", "promoted", "adopted", "robbed", "drafted"}
NEGATIONS = {"n't", "nt", "not", "never"}


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
        if s.low(i) in NEGATIONS:
            group.negation = i
        elif s.tag(i) == "RB" or (s.low(i) in {"all", "both", "each"} and verb is None):
            if verb is not None and not (_verb_soon(s, verb, i) or s.low(i + 1) == "not"):
                break
            group.adverbs.append(i)
        elif s.tag(i) in VERBAL | {"MD"} and (verb is None or _helps(s, verb, i)):
            if verb is not None and s.tag(i) == "VBG" and s.low(verb - 1) in listed("pursuits"):
                break  # my hobby is painting
            if verb is not None:
                group.auxiliaries.append(verb)
            verb = i
        else:
            break
        i += 1
    if verb is None or s.tag(verb) == "MD" or s.low(verb) in w.UNREAD:
        return None
    group.verb, group.end = verb, i
    return group


def _verb_soon(s: Text, verb: int, i: int) -> bool:
    """Whether the adverb is inside the verb group, as in "have always wanted"."""
    i = s.after(i, {"RB"})
    return s.tag(i) in VERBAL and _helps(s, verb, i)


def _helps(s: Text, first: int, second: int) -> bool:
    low, following = s.low(first), s.tag(second)
    if s.tag(first) == "MD":
        return True
    if low in BE or (low == "'s" and following in {"VBG", "VBN", "VBD"}):
        return following in {"VBG", "VBN", "VBD"}
    if low in HAVE or low == "'d":
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
    place = last = i + (lemma == "get" and s.low(i) in BECOMING)
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
    liked = s.tag(place) == "VBG" and base(s.low(place - 1)) in listed("chain-ing")
    if liked and not is_list(s, place + 1):
        return place + 1
    joined = chained_yet and low in {"and", "or"} and s.tag(place + 1) == "VB"
    return place + 2 if joined else place


def is_list(s: Text, i: int) -> bool:
    """Whether a list of activities begins, for example "hunting and fishing", and not a verb with its object."""
    return s.low(i) in {"and", "or", ",", "&"} and s.tag(i + 1) in {"VBG", "NN", "NNS"}
