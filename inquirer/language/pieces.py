"""Splits a sentence at the boundaries between clauses."""

from __future__ import annotations

from collections.abc import Sequence

from inquirer.language import words as w
from inquirer.language.clause import Phrase
from inquirer.language.subject import lead_end, subject_end
from inquirer.language.tags import ADJECTIVES, BE, FINITE, NOUNS, VERBAL
from inquirer.language.tokens import Token
from inquirer.language.verbs import base

BREAKS = {",", "-", "–", "—", ":", "(", ")"}
PERSONAL = {"i", "he", "she", "we", "they", "it", "my", "his", "her", "their"}
HELD_BY = {"RB", "CC", "IN", "TO", "WRB", "WP", "DT", "UH"}
SKIPPED = {"then", "now", "yes", ",", "and", "but", "so"}


def pieces(words: Sequence[Token], tags: Sequence[str]) -> list[tuple[str, int, int]]:
    """Returns joiner, start and end of each part of the sentence.

    A conjunction or comma before a new clause begins a part.
    """
    cuts = [(0, words[0].lower if words and words[0].lower in w.JOINERS else "")]
    for i in range(1, len(words) - 1):
        joiner = _joiner(words, tags, cuts[-1], i)
        if joiner is not None:
            cuts.append((i, joiner))
    ends = [c[0] for c in cuts[1:]] + [len(words)]
    return [(joiner, start, end) for (start, joiner), end in zip(cuts, ends, strict=True) if end > start]


def _joiner(words: Sequence[Token], tags: Sequence[str], cut: tuple[int, str], i: int) -> str | None:
    """Returns the joiner of the clause that begins at `i`, or None if no clause begins there."""
    low = words[i].lower
    if low in w.JOINERS and clause_follows(words, tags, i + 1) and not _held(words, tags, cut[0], i):
        return low
    if low in {"and", "but", "then", "&"} and (
        _verb_follows(words, tags, i + 1) or (low == "and" and _goes_on(words, tags, cut[0], i))
    ):
        return "and"
    if low in w.RELATIVE and tags[i - 1] in NOUNS | {","} and tags[i + 1] in FINITE | {"RB"}:
        return low if tags[i] in {"WP", "WDT", "IN"} else None
    parted = low in BREAKS and words[i + 1].lower not in w.JOINERS and clause_follows(words, tags, i + 1)
    if parted and not _adjunct(words, tags, cut, i + 1):
        return ","
    if low in PERSONAL and _runs_on(words, tags, i) and not _adjunct(words, tags, cut, i):
        return ","
    return None


def _adjunct(words: Sequence[Token], tags: Sequence[str], cut: tuple[int, str], i: int) -> bool:
    """Whether only a time stands between the last cut and `i`. The time then belongs to the following words."""
    adjuncts: list[Phrase] = []
    return lead_end(words, tags, cut[0], len(words), cut[1], adjuncts) >= i and bool(adjuncts)


def _runs_on(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    """Whether a clause begins at `i` without a comma before it, as in "i love my job i am a nurse".

    Text in written English is not split this way, for example "It is a house I built for a family".
    """
    before, tag = words[i - 1].lower, tags[i - 1]
    related = words[i].text == "I" and tag in NOUNS and words[i + 1].lower not in BE
    if related and words[0].text[:1].isupper():
        return False
    led = words[0].lower in w.LEADING and not any(x.text == "," for x in words[:i])
    if led and tag in {"RP", "VBN", *NOUNS} and clause_follows(words, tags, i):
        return True
    if before in w.JOINERS | w.RELATIVE | BREAKS | w.EMPTY_HEADS or tag in HELD_BY:
        return False
    if tag not in NOUNS | ADJECTIVES | {"PRP", "CD"} or not clause_follows(words, tags, i):
        return False
    # a relative clause without its pronoun (the lamp my parents had) ends the sentence with its verb
    last = len(words)
    while last > i and tags[last - 1] in {"RB", ","}:
        last -= 1
    return last - i > 3 or tags[last - 1] not in {"VBD", "VBP", "VBZ", "IN", "VB", "TO", "MD"}


def _held(words: Sequence[Token], tags: Sequence[str], start: int, i: int) -> bool:
    """Whether the joiner does not begin a clause, as in "my wife and i are …", "europe is where i …"."""
    low = words[i].lower
    nominal = NOUNS | ADJECTIVES | {"DT", "PRP$", "CD"}
    if low == "and" and words[i + 1].lower == "i" and words[start].lower in {"my", "me"}:
        return not any(t in FINITE for t in tags[start:i])
    if low == "and" and tags[i + 1] in nominal and words[start].lower != low:
        spoken = tags[start : i - 1] if words[i - 1].lower == "me" else tags[start:i]  # me and my dog are …
        return all(t in nominal | {"UH", ","} for t in spoken)
    return low == "where" and words[i - 1].lower in BE


def _goes_on(words: Sequence[Token], tags: Sequence[str], start: int, i: int) -> bool:
    """Whether a verb in its base form continues with the same subject, as in "i play games and go to the gym"."""
    if i + 2 >= len(words) or tags[i + 1] != "VB" or base(words[i + 1].lower) != words[i + 1].lower:
        return False
    low = [x.lower for x in words[start:i]]
    plain = next((tags[k] for k in range(start, i) if tags[k] in FINITE), "") == "VBP"
    return plain and bool({"i", "we", "they"} & set(low)) and "to" not in low and tags[i - 1] not in VERBAL


def _verb_follows(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    while i < len(words) and (tags[i] == "RB" or words[i].lower in {"then", "now"}):
        i += 1
    return i < len(words) and tags[i] in FINITE


def clause_follows(words: Sequence[Token], tags: Sequence[str], i: int) -> bool:
    """Whether a subject and its verb begin at `i`."""
    while i < len(words) and (tags[i] in {"RB", "UH"} or words[i].lower in SKIPPED):
        i += 1
    end = subject_end(words, tags, i)
    if end == i:
        return False
    while end < len(words) and tags[end] == "RB":
        end += 1
    return end < len(words) and (tags[end] in FINITE or words[end].lower in BE)
