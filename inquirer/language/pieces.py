"""Splits a sentence at the boundaries between clauses."""

from __future__ import annotations

from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.subject import lead_end, subject_end
from inquirer.language.tags import ADJECTIVES, BE, FINITE, NOUNS, VERBAL
from inquirer.language.text import Text
from inquirer.language.verbs import base

BREAKS = {",", "-", "–", "—", ":", "(", ")"}
PERSONAL = {"i", "he", "she", "we", "they", "it", "my", "his", "her", "their"}
HELD_BY = {"RB", "CC", "IN", "TO", "WRB", "WP", "DT", "UH"}
SKIPPED = {"then", "now", "yes", ",", "and", "but", "so"}
NOMINAL = NOUNS | ADJECTIVES | {"DT", "PRP$", "CD"}
Cut = tuple[int, str]  # where a clause begins, and its joiner


def pieces(s: Text) -> list[tuple[str, int, int]]:
    """Returns joiner, start and end of each part of the sentence.

    A conjunction or comma before a new clause begins a part.
    """
    cuts = [(0, s.low(0) if s.low(0) in w.JOINERS else "")]
    for i in range(1, len(s) - 1):
        joiner = _joiner(s, cuts[-1], i)
        if joiner is not None:
            cuts.append((i, joiner))
    ends = [c[0] for c in cuts[1:]] + [len(s)]
    return [(joiner, start, end) for (start, joiner), end in zip(cuts, ends, strict=True) if end > start]


def _joiner(s: Text, cut: Cut, i: int) -> str | None:
    """Returns the joiner of the clause that begins at `i`, or None if no clause begins there."""
    low, following = s.low(i), s.tag(i + 1)
    if low in w.JOINERS and clause_follows(s, i + 1) and not _held(s, cut[0], i):
        return low
    verb = s.tag(s.after(i + 1, {"RB"}, {"then", "now"}))
    if low in {"and", "but", "then", "&"} and (verb in FINITE or (low == "and" and _goes_on(s, cut[0], i))):
        return "and"
    if low in w.RELATIVE and s.tag(i - 1) in NOUNS | {","} and following in FINITE | {"RB"}:
        return low if s.tag(i) in {"WP", "WDT", "IN"} else None
    parted = low in BREAKS and s.low(i + 1) not in w.JOINERS and clause_follows(s, i + 1)
    if parted and not _adjunct(s, cut, i + 1):
        return ","
    return "," if low in PERSONAL and _runs_on(s, i) and not _adjunct(s, cut, i) else None


def _adjunct(s: Text, cut: Cut, i: int) -> bool:
    """Whether only a time stands between the last cut and `i`. The time then belongs to the following words."""
    adjuncts: list[Phrase] = []
    return lead_end(s, cut[0], len(s), cut[1], adjuncts) >= i and bool(adjuncts)


def _runs_on(s: Text, i: int) -> bool:
    """Whether a clause begins at `i` without a comma before it, as in "i love my job i am a nurse".

    Text in written English is not split this way, for example "It is a house I built for a family".
    """
    before, tag, first = s.low(i - 1), s.tag(i - 1), s.words[0]
    related = s.words[i].text == "I" and tag in NOUNS and s.low(i + 1) not in BE
    if (related and first.text[:1].isupper()) or not clause_follows(s, i):
        return False
    if first.lower in w.LEADING and "," not in s.lows(0, i) and tag in {"RP", "VBN", *NOUNS}:
        return True
    if before in w.JOINERS | w.RELATIVE | BREAKS | w.EMPTY_HEADS or tag in HELD_BY:
        return False
    if tag not in NOUNS | ADJECTIVES | {"PRP", "CD"}:
        return False
    # a relative clause without its pronoun (the lamp my parents had) ends the sentence with its verb
    last = len(s)
    while last > i and s.tag(last - 1) in {"RB", ","}:
        last -= 1
    return last - i > 3 or s.tag(last - 1) not in {"VBD", "VBP", "VBZ", "IN", "VB", "TO", "MD"}


def _held(s: Text, start: int, i: int) -> bool:
    """Whether the joiner does not begin a clause, as in "my wife and i are …", "europe is where i …"."""
    low, first = s.low(i), s.low(start)
    if low == "and" and s.low(i + 1) == "i" and first in {"my", "me"}:
        return not any(t in FINITE for t in s.tags[start:i])
    if low == "and" and s.tag(i + 1) in NOMINAL and first != low:
        spoken = s.tags[start : i - (s.low(i - 1) == "me")]  # me and my dog are …
        return all(t in NOMINAL | {"UH", ","} for t in spoken)
    return low == "where" and s.low(i - 1) in BE


def _goes_on(s: Text, start: int, i: int) -> bool:
    """Whether a verb in its base form continues with the same subject, as in "i play games and go to the gym"."""
    verb, low = s.low(i + 1), s.lows(start, i)
    if i + 2 >= len(s) or s.tag(i + 1) != "VB" or base(verb) != verb:
        return False
    plain = next((tag for tag in s.tags[start:i] if tag in FINITE), "") == "VBP"
    return plain and bool({"i", "we", "they"} & set(low)) and "to" not in low and s.tag(i - 1) not in VERBAL


def clause_follows(s: Text, i: int) -> bool:
    """Whether a subject and its verb begin at `i`."""
    i = s.after(i, {"RB", "UH"}, SKIPPED)
    end = subject_end(s, i)
    verb = s.after(end, {"RB"})
    return end > i and (s.tag(verb) in FINITE or s.low(verb) in BE)
