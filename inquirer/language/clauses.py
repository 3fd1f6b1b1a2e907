"""Reads the clauses of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.complements import caused, complements
from inquirer.language.lists import listed
from inquirer.language.pieces import clause_follows, pieces
from inquirer.language.subject import finite_ahead, lead_end, subject_end
from inquirer.language.tags import BE, FINITE, NOUNS, tagged
from inquirer.language.text import Text
from inquirer.language.tokens import Token
from inquirer.language.verb_groups import Verbs, chained, verb_group
from inquirer.language.verbs import base

REPORTING = listed("reporting")
LEFT_BEFORE = {"just", "currently", "still", ",", "only", "also", "really", "yes", "and"}
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
        opener = result[0] if len(result) == 1 else None
        if opener is not None and clause.joiner in {"", ","} and _opens(s, opener):
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
    i = next((k for k, x in enumerate(words) if tags[k] != "UH" and x.lower not in LEFT_BEFORE), len(words))
    if i + 1 >= len(words):
        return words
    place = words[i].start
    own: tuple[Token, ...] = (Token("i", "i", place, place),)
    low, following = words[i].lower, tags[i + 1]
    if tags[i] == "VBG" and not any(t in FINITE for t in tags) and words[-1].text != ",":
        own = (*own, Token("am", "am", place, place))
    elif low in listed("left-alone"):
        if following not in {"VBG", "TO", "PRP$"} | NOUNS or "you" in words[i + 1].lower:
            return words
    elif tags[i] != "VBD" or low in BE or following in {"PRP", "NNP"}:
        return words
    return (*words[:i], *own, *words[i:])


def _opens(s: Text, clause: Clause) -> bool:
    """Whether the clause introduces the main clause, for example "when i was ten ,"."""
    brief = clause.end - clause.start <= BRIEF
    return brief and clause.joiner in w.LEADING and s.low(clause.start) == clause.joiner


def _read(s: Text, start: int, joiner: str, before: Clause | None) -> Clause | None:
    """Returns the clause from `start` to the end of the text, or None if it could not be parsed."""
    adjuncts: list[Phrase] = []
    i = lead_end(s, start, len(s), joiner, adjuncts)
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
    if lemma in REPORTING and clause_follows(s, group.end + (s.low(group.end) == "that")):
        own = bool(borrowed) or s.low(i) in {"i", "you"}
        reported = own and lemma != "wish" and group.negation is None
        inner = _read(s, group.end, joiner, before) if reported else None  # i think that …
        return replace(inner, start=start) if inner and lemma not in {"hope", "say", "hear"} else inner
    return _whole(s, start, (i, close), group, adjuncts, joiner, borrowed)


def _whole(
    s: Text,
    start: int,
    subject: tuple[int, int],
    group: Verbs,
    adjuncts: Sequence[Phrase],
    joiner: str,
    borrowed: tuple[Token, ...],
) -> Clause:
    """Returns the clause with its further verbs and their complements."""
    end, verb = len(s), group.verb
    chain = chained(s, verb, group.end)
    last = chain[1] if chain[1] > chain[0] else group.end
    if last + 1 < end and s.low(last) == "and" and s.tag(last + 1) == s.tag(verb) == "VBN":
        last += 2  # born and raised in ohio
    deepest = base(s.low(chain[1] - 1 if chain[1] > chain[0] else verb))
    phrases = (*caused(s, deepest, complements(s, last, end)), *adjuncts)
    return Clause(
        s.words, s.tags, start, end, subject, tuple(group.auxiliaries), group.negation, tuple(group.adverbs),
        verb, chain, phrases, joiner, borrowed,
    )  # fmt: skip


def _borrowed(s: Text, i: int, joiner: str, before: Clause | None) -> tuple[Token, ...] | None:
    """Returns the subject for a clause without its own subject, as in "i play games and go to the gym"."""
    if before is None or joiner not in {"and", "but"} or s.tag(i) not in FINITE | {"VB"}:
        return None
    modal = any(before.tags[k] == "MD" for k in before.auxiliaries)
    wished = before.chain[1] > before.chain[0] and before.words[before.chain[0]].lower == "to"
    meant = modal or (wished and before.tags[before.verb] != "VBD")
    return None if meant and s.tag(i) in {"VB", "VBP"} else before.subject_words
