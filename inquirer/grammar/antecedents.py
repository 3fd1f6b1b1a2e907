"""Resolves `he`, `she`, `it` and `they` if the previous clause named one of the speaker's people or animals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from inquirer.language import words as w
from inquirer.language.clause import Clause
from inquirer.language.phrases import head
from inquirer.language.tokens import Token
from inquirer.language.verbs import base

PRONOUNS = dict(w.pairs("pronouns"))
ANIMALS = w.PETS | w.BREEDS


def resolved(clause: Clause, earlier: Clause | None) -> Clause:
    """Replaces a pronoun by its only possible antecedent in the previous clause, for example `he` by `my dad`."""
    subject = clause.subject_words
    who = PRONOUNS.get(subject[0].lower, "") if subject else ""
    owned = who and subject[0].lower in w.POSSESSIVE and len(subject) > 1
    if not who or earlier is None or not (owned or len(subject) == 1):
        return clause
    meant = [tokens for tokens in _named(earlier) if _agrees(tokens[-1].lower, who)]
    if len(meant) != 1:
        return clause
    place = subject[0].start
    words = tuple(replace(x, start=place, end=place) for x in meant[0])
    if owned:
        words = (*words, Token("'s", "'s", place, place), *subject[1:])
    at = clause.subject[1]
    return replace(clause, subject=(at, at), borrowed=words)


def _named(clause: Clause) -> Iterator[tuple[Token, ...]]:
    """Finds the speaker's people and animals in the clause and puts `my` before each: "my dad", "i have a dog"."""
    subject = clause.subject_words
    low = [x.lower for x in subject]
    if low[0] in {"my", "our"} and "and" not in low and low[-1] in w.PEOPLE | ANIMALS:
        yield subject
    has = low in (["i"], ["we"]) and base(clause.low(clause.verb)) in w.HAVING
    for phrase in clause.phrases:
        if phrase.kind not in {"np", "pp"}:
            continue
        words = clause.words[phrase.body : phrase.end]
        first, core = words[0], head(clause.words, phrase.body, phrase.end)
        mine = first.lower in {"my", "our"}
        if core == words[-1].lower and core in w.PEOPLE | ANIMALS and (mine or (has and phrase.kind == "np")):
            yield words if mine else (Token("my", "my", first.start, first.start), words[-1])


def _agrees(core: str, who: str) -> bool:
    several = core in w.PLURALS or (core.endswith("s") and core.removesuffix("s") in w.PEOPLE | ANIMALS)
    if who == "they":
        return several
    if who == "it":
        return core in ANIMALS and not several
    return not several and core not in w.listed("women" if who == "he" else "men")
