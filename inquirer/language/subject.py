"""Finds the subject of a clause, and the greetings, joiners and times before it."""

from __future__ import annotations

from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.phrases import noun_phrase
from inquirer.language.tags import ADJECTIVES, BE, FINITE, NOUNS, VERBAL
from inquirer.language.text import Text

WITHIN = {"of", "in", "for", "about", "from", "on", "with", "at"}
PARTS = {"both", "all", "one", "most", "some", "none", "each"}
NOT_SUBJECTS = {"me", "him", "us", "them", "myself"}
SOON = w.SEASONS | w.MONTHS | w.DAYS | {"fun", "weekends", "mornings", "evenings", "summers"}


def subject_end(s: Text, i: int) -> int:
    """Returns the end of the subject that begins at `i`, or `i` if there is none."""
    low, following = s.low(i), s.low(i + 1)
    pointing = low in {"this", "that", "these", "those"} and s.tag(i + 1) in FINITE
    personal = s.tag(i) in {"PRP", "EX"} and low not in NOT_SUBJECTS
    if personal or pointing or (low == "me" and following == "and"):
        return _with_others(s, i, i + 1)
    end = noun_phrase(s, i + 2 if low in PARTS and following == "of" and i + 2 < len(s) else i)
    if end == i and s.tag(i) == "VBG" and low not in {"doing", "feeling", "going", "being"}:
        end = max(noun_phrase(s, i + 1), i + 1)
    if end == i and s.tag(i) in ADJECTIVES and following in {"is", "are"}:
        end = i + 1  # blue is my favorite
    return _with_others(s, i, _with_places(s, i, end))


def _with_others(s: Text, i: int, end: int) -> int:
    """Returns the end of several joined nouns if a plural verb follows, as in "my wife and i"."""
    if end == i or end + 1 >= len(s) or s.low(end) not in {"and", "&"}:
        return end
    personal = s.tag(end + 1) == "PRP"
    further = end + 2 if personal else noun_phrase(s, end + 1)
    if further == end + 1 or (personal and s.tag(i - 1) in VERBAL | {"IN"}):
        return end
    several = s.tag(further) in {"VBP", "VBD", "MD"} or s.low(further) in {"are", "both"}
    return further if several else end


def _with_places(s: Text, start: int, end: int) -> int:
    """Returns the end of a noun with a prepositional phrase if a finite verb follows.

    For example "new kids on the block".
    """
    reach = end
    for _ in range(2):
        if reach == start or reach + 1 >= len(s) or s.low(reach) not in WITHIN:
            break
        further = noun_phrase(s, reach + 1)
        if further == reach + 1:
            break
        reach = further
        if s.tag(reach) in FINITE | {"RB"}:
            end = reach
    return end


def finite_ahead(s: Text, i: int) -> bool:
    i = s.after(i, {"RB"}, {"both", "all", "each"})
    return s.tag(i) in FINITE | {"VBN", "VB"} or s.low(i) in BE


def lead_end(s: Text, start: int, end: int, joiner: str, adjuncts: list[Phrase]) -> int:
    """Returns the position of the subject, after greetings, joiners and times. The times are added to `adjuncts`."""
    s, i = s.until(end), start
    while i < end and not _is_subject(s, i, joiner):
        low, tag = s.low(i), s.tag(i)
        sign = not s.words[i].text[0].isalnum() and tag not in {"VBP", "VBZ", "$"}
        close = _frame(s, i, adjuncts)
        if close > i:
            i = close
        elif low in w.LEAD or tag in {"RB", "UH"} or (i == start and low == joiner) or sign:
            i += 1
        else:
            break
    return i


def _is_subject(s: Text, i: int, joiner: str) -> bool:
    """Whether the words only look like a lead and belong to the subject.

    For example "no dogs …", "man is …", "that was …".
    """
    low, following = s.low(i), s.tag(i + 1)
    opening = (low == "no" and following in NOUNS) or (low == "man" and following in FINITE)
    return opening or (low == "that" and following in {"VBZ", "VBD"} and joiner != "that")


def _frame(s: Text, i: int, adjuncts: list[Phrase]) -> int:
    """Returns the end of a phrase before the subject, or `i` if there is none.

    For example "as a nurse ,", "every day ,".
    """
    low = s.low(i)
    behind = s.tag(i) == "IN" or low in w.PREPOSITIONS
    if low in w.LEAD and not (low in {"as", "like"} and s.tag(i + 1) in {"DT", "PRP$", "NN"}):
        return i
    close = noun_phrase(s, i + 1 if behind else i) if behind or s.tag(i) not in {"RB", "UH"} else i
    following = s.low(close)
    parted = following == "," or s.tag(close) == "PRP" or (behind and following == "my")
    if close <= i + behind or not parted:
        return i
    last = s.low(close - 1)
    if behind:
        if _is_timely(s, i + 1, close) and low not in {"as", "like"}:
            adjuncts.append(Phrase("pp", i, close, i + 1))
    elif last not in w.TIME_UNITS | w.DAYS:
        return i
    elif low in {"every", "last", "next", "each"}:
        adjuncts.append(Phrase("np", i, close, i))
    return close


def _is_timely(s: Text, start: int, end: int) -> bool:
    """Whether the phrase could also stand after the verb, for example "in the spring", "on weekends", "for fun"."""
    free = s.low(end - 1) in {"time", "weekend"} and end - start > 1 and s.low(start) != "this"
    return free or s.low(end - 1) in SOON
