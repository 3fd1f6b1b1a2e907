"""Reads the clauses of a sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from inquirer.language.borrowing import borrowed_subject
from inquirer.language.clause import Clause, Phrase
from inquirer.language.complements import caused, complements
from inquirer.language.joiners import LEADING, TIMED
from inquirer.language.lead import lead_end
from inquirer.language.mending import BE, VERBAL, mended
from inquirer.language.omissions import spelt_out
from inquirer.language.pieces import clause_follows, pieces
from inquirer.language.subject import finite_ahead, stands_alone, subject_end
from inquirer.language.tagger import tag
from inquirer.language.tokens import Token
from inquirer.language.verb_groups import chained, helps, verb_soon
from inquirer.language.verbs import base

REPORTING = {
    "think", "guess", "believe", "hope", "mean", "suppose", "bet", "hear", "say", "swear", "know", "feel",
    "imagine", "wish",
}  # fmt: skip
PURSUITS = {
    "hobby", "hobbies", "passion", "fear", "dream", "goal", "joy", "job", "thing", "enjoyment", "love",
    "interest", "interests", "weakness", "pleasure", "activity", "pastime", "power", "favorite", "plan",
    "profession", "career",
}  # fmt: skip
SAYING = {"say", "think", "believe", "claim", "insist", "know", "hope"}


@lru_cache(maxsize=4096)  # extractor, writer and filter read the same sentences
def clauses(words: tuple[Token, ...]) -> tuple[Clause, ...]:
    """The clauses of one sentence that could be read."""
    tokens_ = spelt_out(words)
    tags = tuple(mended(tokens_, tag(tokens_)))
    result: list[Clause] = []
    for joiner, start, end in pieces(tokens_, tags):
        clause = _read(tokens_, tags, start, end, joiner, result[-1] if result else None)
        if clause is None:
            continue
        if clause.joiner in TIMED and result and not _names_new_fact(clause):
            main = result[-1]
            sub = Phrase("sub", clause.start, clause.end, clause.start + 1)
            result[-1] = replace(main, phrases=(*main.phrases, sub))
        opener = result[0] if len(result) == 1 else None
        if opener is not None and clause.joiner in {"", ","} and _opens(tokens_, opener):
            end = opener.end - (tokens_[opener.end - 1].lower == ",")
            sub = Phrase("sub", opener.start, end, opener.start + 1)
            clause = replace(clause, phrases=(*clause.phrases, sub))
        result.append(clause)
    return tuple(result)


def _opens(words: Sequence[Token], clause: Clause) -> bool:
    """`when i was ten ,` before what it is about."""
    brief = clause.end - clause.start <= 8
    return brief and clause.joiner in LEADING and words[clause.start].lower == clause.joiner


def _names_new_fact(clause: Clause) -> bool:
    return clause.end - clause.start > 9


def inner(clause: Clause, start: int) -> Clause | None:
    """The clause that begins at `start` within another."""
    return _read(clause.words, clause.tags, start, clause.end, "", None)


def _read(
    words: tuple[Token, ...], tags: tuple[str, ...], start: int, end: int, joiner: str, before: Clause | None
) -> Clause | None:
    adjuncts: list[Phrase] = []
    i = lead_end(words, tags, start, end, joiner, adjuncts)
    borrowed: tuple[Token, ...] = ()
    if any(words[k].lower in {"not", "never"} for k in range(start, min(i, end))):
        return None  # not sure i am
    if i < end and words[i].lower in {"lets", "let", "please", "thanks", "gotta", "gonna", "wanna", "happy"}:
        return None
    close = min(subject_end(words, tags, i), end)
    if close > i and i < end and close < end and not finite_ahead(words, tags, close, end):
        close = i
    if close <= i:
        close = i
        taken = borrowed_subject(words, tags, i, end, joiner, before)
        if taken is None:
            return None
        borrowed = taken
    subject = (i, close)
    auxiliaries: list[int] = []
    adverbs: list[int] = []
    negation: int | None = None
    verb: int | None = None
    i = close
    while i < end:
        if words[i].lower in {"n't", "nt", "not", "never"}:
            negation = i
        elif tags[i] == "RB" or (words[i].lower in {"all", "both", "each"} and verb is None):
            if verb is not None and not verb_soon(words, tags, verb, i, end):
                break
            adverbs.append(i)
        elif tags[i] == "MD" or tags[i] in VERBAL:
            if verb is not None:
                if not helps(words, tags, verb, i) or (
                    tags[i] == "VBG"
                    and close > subject[0]
                    and (words[close - 1].lower in PURSUITS or _relative_inside(words, *subject))
                ):
                    break
                auxiliaries.append(verb)
            verb = i
        else:
            break
        i += 1
    if (
        verb is None
        or tags[verb] == "MD"
        or words[verb].lower in {"gotta", "gonna", "wanna", "lets", "please"}
    ):
        return None
    if close > subject[0] and not stands_alone(words, tags, *subject):
        return None
    lemma = base(words[verb].lower)
    wished = lemma == "wish" and negation is None and _could(words, tags, i, end)
    if lemma in REPORTING - ({"wish"} if wished else set()) and clause_follows(
        words[:end], tags[:end], i + (i < end and words[i].lower == "that")
    ):
        reported = not borrowed and words[subject[0]].lower not in {"i", "you"}
        if reported and lemma in SAYING and negation is None and not auxiliaries:
            said = i + (words[i].lower == "that")
            told = Phrase("told", said, end - (words[end - 1].text == ","), said)
            return Clause(
                words,
                tags,
                start,
                end,
                subject,
                (),
                None,
                tuple(adverbs),
                verb,
                (i, i),
                (told,),
                joiner,
                borrowed,
            )
        if lemma in {"wish"} or negation is not None or reported:
            return None
        inner = _read(words, tags, i, end, joiner, before)
        return (
            replace(inner, start=start) if inner and lemma not in {"hope", "wish", "say", "hear"} else inner
        )
    chain = chained(words, tags, verb, i, end)
    if wished:
        chain = (i, i + 3 - (tags[i + 1] == "VBD"))  # what do you wish you could have?
    behind = chain[1] if chain[1] > chain[0] else i
    joined = behind + 1 < end and words[behind].lower == "and" and tags[behind + 1] == "VBN"
    if joined and tags[verb] == "VBN" and auxiliaries:
        behind += 2  # born and raised in ohio
    found = complements(words, tags, behind, end)
    deepest = base(words[chain[1] - 1].lower) if chain[1] > chain[0] else lemma
    phrases = (*caused(tags, deepest, found), *adjuncts)
    return Clause(
        words,
        tags,
        start,
        end,
        subject,
        tuple(auxiliaries),
        negation,
        tuple(adverbs),
        verb,
        chain,
        phrases,
        joiner,
        borrowed,
    )


def _could(words: Sequence[Token], tags: Sequence[str], i: int, end: int) -> bool:
    low = [x.lower for x in words[i : i + 2]]
    if i + 1 >= end or low[0] != "i":
        return False
    past = tags[i + 1] == "VBD" and low[1] not in BE
    return past or (low[1] == "could" and i + 2 < end and tags[i + 2] in {"VB", "VBP"})


def _relative_inside(words: Sequence[Token], start: int, end: int) -> bool:
    return any(x.lower == "i" for x in words[start + 1 : end - 1])
