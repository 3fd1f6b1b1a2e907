"""Reads the clauses of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from inquirer.language import words as w
from inquirer.language.clause import Clause, Phrase
from inquirer.language.complements import caused, complements
from inquirer.language.lists import listed
from inquirer.language.pieces import clause_follows, pieces
from inquirer.language.subject import finite_ahead, lead_end, subject_end
from inquirer.language.tags import BE, FINITE, NOUNS, VERBAL, tagged
from inquirer.language.tokens import Token
from inquirer.language.verb_groups import chained, helps, verb_soon
from inquirer.language.verbs import base

REPORTING = listed("reporting")
LEFT_BEFORE = {"just", "currently", "still", ",", "only", "also", "really", "yes", "and"}
UNREAD = {"lets", "let", "please", "thanks", "gotta", "gonna", "wanna", "happy"}
BRIEF = 8  # most words of a clause that only gives a time


@lru_cache(maxsize=4096)  # extractor, writer and filter read the same sentences
def clauses(words: tuple[Token, ...]) -> tuple[Clause, ...]:
    """Returns those clauses of a sentence that could be parsed."""
    words = _spelt_out(words)
    tags = tuple(tagged(words))
    result: list[Clause] = []
    for joiner, start, end in pieces(words, tags):
        clause = _read(words, tags, start, end, joiner, result[-1] if result else None)
        if clause is None:
            continue
        if clause.joiner in w.TIMED and result and clause.end - clause.start <= BRIEF + 1:
            sub = Phrase("sub", clause.start, clause.end, clause.start + 1)
            result[-1] = replace(result[-1], phrases=(*result[-1].phrases, sub))
        opener = result[0] if len(result) == 1 else None
        if opener is not None and clause.joiner in {"", ","} and _opens(words, opener):
            sub = Phrase(
                "sub", opener.start, opener.end - (words[opener.end - 1].lower == ","), opener.start + 1
            )
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


def _opens(words: Sequence[Token], clause: Clause) -> bool:
    """Whether the clause introduces the main clause, for example "when i was ten ,"."""
    brief = clause.end - clause.start <= BRIEF
    return brief and clause.joiner in w.LEADING and words[clause.start].lower == clause.joiner


def _read(
    words: tuple[Token, ...], tags: tuple[str, ...], start: int, end: int, joiner: str, before: Clause | None
) -> Clause | None:
    adjuncts: list[Phrase] = []
    i = lead_end(words, tags, start, end, joiner, adjuncts)
    denied = any(words[k].lower in {"not", "never"} for k in range(start, min(i, end)))  # not sure i am
    if denied or (i < end and words[i].lower in UNREAD):
        return None
    close = min(subject_end(words, tags, i), end)
    if close > i and close < end and not finite_ahead(words, tags, close, end):
        close = i
    borrowed = _borrowed(tags, i, end, joiner, before) if close <= i else ()
    if borrowed is None:
        return None
    subject = (i, max(close, i))
    group = _verbs(words, tags, subject[1], end)
    if group is None:
        return None
    lemma = base(words[group.verb].lower)
    start_of_clause = group.end + (group.end < end and words[group.end].lower == "that")
    if lemma in REPORTING and clause_follows(words[:end], tags[:end], start_of_clause):
        own = bool(borrowed) or words[subject[0]].lower in {"i", "you"}
        reported = own and lemma != "wish" and group.negation is None
        inner = _read(words, tags, group.end, end, joiner, before) if reported else None  # i think that …
        return replace(inner, start=start) if inner and lemma not in {"hope", "say", "hear"} else inner
    return _whole(words, tags, (start, end), subject, group, adjuncts, joiner, borrowed)


def _whole(
    words: tuple[Token, ...],
    tags: tuple[str, ...],
    bounds: tuple[int, int],
    subject: tuple[int, int],
    group: _Verbs,
    adjuncts: Sequence[Phrase],
    joiner: str,
    borrowed: tuple[Token, ...],
) -> Clause:
    """Returns the clause with its further verbs and their complements."""
    (start, end), lemma = bounds, base(words[group.verb].lower)
    chain = chained(words, tags, group.verb, group.end, end)
    last = chain[1] if chain[1] > chain[0] else group.end
    if last + 1 < end and words[last].lower == "and" and tags[last + 1] == tags[group.verb] == "VBN":
        last += 2  # born and raised in ohio
    deepest = base(words[chain[1] - 1].lower) if chain[1] > chain[0] else lemma
    phrases = (*caused(tags, deepest, complements(words, tags, last, end)), *adjuncts)
    return Clause(
        words, tags, start, end, subject, tuple(group.auxiliaries), group.negation, tuple(group.adverbs),
        group.verb, chain, phrases, joiner, borrowed,
    )  # fmt: skip


def _borrowed(
    tags: Sequence[str], i: int, end: int, joiner: str, before: Clause | None
) -> tuple[Token, ...] | None:
    """Returns the subject for a clause without its own subject, as in "i play games and go to the gym"."""
    if i >= end or before is None or joiner not in {"and", "but"} or tags[i] not in FINITE | {"VB"}:
        return None
    modal = any(before.tags[k] == "MD" for k in before.auxiliaries)
    wished = before.chain[1] > before.chain[0] and before.words[before.chain[0]].lower == "to"
    meant = modal or (wished and before.tags[before.verb] != "VBD")
    return None if meant and tags[i] in {"VB", "VBP"} else before.subject_words


def _denied_next(words: Sequence[Token], i: int, end: int) -> bool:
    """Whether the next word is `not`, as in "i'm really not" or "we are definitely not"."""
    return i + 1 < end and words[i + 1].lower == "not"


@dataclass(slots=True)
class _Verbs:
    """A verb with its auxiliaries, adverbs and negation, and the end of the verb group."""

    verb: int
    auxiliaries: list[int]
    adverbs: list[int]
    negation: int | None
    end: int


def _verbs(words: Sequence[Token], tags: Sequence[str], i: int, end: int) -> _Verbs | None:
    """Returns the verb with its auxiliaries, for example "have not always been working"."""
    verb: int | None = None
    group = _Verbs(0, [], [], None, i)
    while i < end:
        if words[i].lower in {"n't", "nt", "not", "never"}:
            group.negation = i
        elif tags[i] == "RB" or (words[i].lower in {"all", "both", "each"} and verb is None):
            if verb is not None and not (verb_soon(words, tags, verb, i, end) or _denied_next(words, i, end)):
                break
            group.adverbs.append(i)
        elif tags[i] == "MD" or tags[i] in VERBAL:
            if verb is not None and not helps(words, tags, verb, i):
                break
            if verb is not None and tags[i] == "VBG" and words[verb - 1].lower in listed("pursuits"):
                break  # my hobby is painting
            if verb is not None:
                group.auxiliaries.append(verb)
            verb = i
        else:
            break
        i += 1
    if verb is None or tags[verb] == "MD" or words[verb].lower in UNREAD:
        return None
    group.verb, group.end = verb, i
    return group
