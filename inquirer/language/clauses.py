"""Splits a sentence at the boundaries between clauses, and reads its clauses."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase, Text
from inquirer.language.complements import caused, chained, complements, verb_group
from inquirer.language.phrases import finite_ahead, lead_end, subject_end
from inquirer.language.tagger import ADJECTIVES, FINITE, NOUNS, VERBAL, tagged
from inquirer.language.tokens import Token
from inquirer.language.verbs import base

BREAKS = {",", "-", "–", "—", ":", "(", ")"}
HELD_BY = {"RB", "CC", "IN", "TO", "WRB", "WP", "DT", "UH"}
NOMINAL = NOUNS | ADJECTIVES | {"DT", "PRP$", "CD"}
Cut = tuple[int, str]  # where a clause begins, and its joiner


def pieces(s: Text) -> list[tuple[str, int, int]]:
    """Returns joiner, start and end of each part of the sentence, which a joiner or comma before a clause begins."""
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
    return "," if low in w.PERSONAL and _runs_on(s, i) and not _adjunct(s, cut, i) else None


def _adjunct(s: Text, cut: Cut, i: int) -> bool:
    """Whether only a time stands between the last cut and `i`. The time then belongs to the following words."""
    adjuncts: list[Phrase] = []
    return lead_end(s, *cut, adjuncts) >= i and bool(adjuncts)


def _runs_on(s: Text, i: int) -> bool:
    """Whether a clause begins at `i` without a comma before it, as in "i love my job i am a nurse".

    Text in written English is not split this way, for example "It is a house I built for a family".
    """
    before, tag, first = s.low(i - 1), s.tag(i - 1), s.words[0]
    related = s.words[i].text == "I" and tag in NOUNS and s.low(i + 1) not in w.BE
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
    return low == "where" and s.low(i - 1) in w.BE


def _goes_on(s: Text, start: int, i: int) -> bool:
    """Whether a verb in its base form continues with the same subject, as in "i play games and go to the gym"."""
    verb, low = s.low(i + 1), s.lows(start, i)
    if i + 2 >= len(s) or s.tag(i + 1) != "VB" or base(verb) != verb:
        return False
    plain = next((tag for tag in s.tags[start:i] if tag in FINITE), "") == "VBP"
    return plain and bool({"i", "we", "they"} & set(low)) and "to" not in low and s.tag(i - 1) not in VERBAL


def clause_follows(s: Text, i: int) -> bool:
    """Whether a subject and its verb begin at `i`."""
    i = s.after(i, {"RB", "UH"}, w.SKIPPED)
    end = subject_end(s, i)
    verb = s.after(end, {"RB"})
    return end > i and (s.tag(verb) in FINITE or s.low(verb) in w.BE)


BRIEF = 8  # most words of a clause that only gives a time


@lru_cache(maxsize=4096)  # extractor, writer and filter read the same sentences
def clauses(words: tuple[Token, ...]) -> tuple[Clause, ...]:
    """Returns those clauses of a sentence that could be parsed."""
    words = _spelt_out(words)
    s = Text(words, tuple(tagged(words)))
    result: list[Clause] = []
    for joiner, start, end in pieces(s):
        clause = _read(s.until(end), start, joiner, result[-1] if result else None)
        if clause is None:
            continue
        clause = replace(clause, words=s.words, tags=s.tags)
        if clause.joiner in w.TIMED and result and clause.end - clause.start <= BRIEF + 1:
            sub = Phrase("sub", clause.start, clause.end, clause.start + 1)
            result[-1] = replace(result[-1], phrases=(*result[-1].phrases, sub))
        opener = result[0] if len(result) == 1 and clause.joiner in {"", ","} else None
        if opener and opener.end - opener.start <= BRIEF and opener.joiner in w.LEADING:  # when i was ten ,
            end = opener.end - (s.low(opener.end - 1) == ",")
            sub = Phrase("sub", opener.start, end, opener.start + 1)
            clause = replace(clause, phrases=(*clause.phrases, sub))
        result.append(clause)
    return tuple(result)


def _spelt_out(words: tuple[Token, ...]) -> tuple[Token, ...]:
    """Adds the missing subject of "just cooking dinner", "went home" or "love being outdoors".

    The added word has a width of 0, so that positions in the text stay the same.
    """
    tags = tagged(words)
    i = next((k for k, x in enumerate(words) if tags[k] != "UH" and x.lower not in w.LEFT_BEFORE), len(words))
    if i + 1 >= len(words):
        return words
    place = words[i].start
    own: tuple[Token, ...] = (Token("i", "i", place, place),)
    low, following = words[i].lower, tags[i + 1]
    if tags[i] == "VBG" and not any(t in FINITE for t in tags) and words[-1].text != ",":
        own = (*own, Token("am", "am", place, place))
    elif low in w.LEFT_ALONE:
        if following not in {"VBG", "TO", "PRP$"} | NOUNS or "you" in words[i + 1].lower:
            return words
    elif tags[i] != "VBD" or low in w.BE or following in {"PRP", "NNP"}:
        return words
    return (*words[:i], *own, *words[i:])


def _read(s: Text, start: int, joiner: str, before: Clause | None) -> Clause | None:
    """Returns the clause from `start` to the end of the text, or None if it could not be parsed."""
    adjuncts: list[Phrase] = []
    i = lead_end(s, start, joiner, adjuncts)
    if {"not", "never"} & set(s.lows(start, i)) or s.low(i) in w.UNREAD:
        return None  # not sure i am
    close = subject_end(s, i)
    if i < close < len(s) and not finite_ahead(s, close):
        close = i
    borrowed = _borrowed(s, i, joiner, before) if close <= i else ()
    group = verb_group(s, close)
    if borrowed is None or group is None:
        return None
    lemma = base(s.low(group.verb))
    if lemma in w.REPORTING and clause_follows(s, group.end + (s.low(group.end) == "that")):
        own = bool(borrowed) or s.low(i) in {"i", "you"}
        reported = own and lemma != "wish" and group.negation is None
        inner = _read(s, group.end, joiner, before) if reported else None  # i think that …
        return replace(inner, start=start) if inner and lemma not in {"hope", "say", "hear"} else inner
    verb = group.verb
    chain = chained(s, verb, group.end)
    last = chain[1] if chain[1] > chain[0] else group.end
    if s.low(last) == "and" and s.tag(last + 1) == s.tag(verb) == "VBN":
        last += 2  # born and raised in ohio
    deepest = base(s.low(chain[1] - 1)) if chain[1] > chain[0] else lemma
    phrases = (*caused(s, deepest, complements(s, last)), *adjuncts)
    return Clause(
        s.words, s.tags, start, len(s), (i, close), tuple(group.auxiliaries), group.negation, tuple(group.adverbs),
        verb, chain, phrases, joiner, borrowed,
    )  # fmt: skip


def _borrowed(s: Text, i: int, joiner: str, before: Clause | None) -> tuple[Token, ...] | None:
    """Returns the subject for a clause without its own subject, as in "i play games and go to the gym"."""
    if before is None or joiner not in {"and", "but"} or s.tag(i) not in FINITE | {"VB"}:
        return None
    modal = any(before.tags[k] == "MD" for k in before.auxiliaries)
    wished = before.chained and before.low(before.chain[0]) == "to"
    meant = modal or (wished and before.tags[before.verb] != "VBD")
    return None if meant and s.tag(i) in {"VB", "VBP"} else before.subject_words
