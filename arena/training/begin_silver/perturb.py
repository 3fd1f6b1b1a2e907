"""The paper's perturbations. Perturbed evidence makes a generator hallucinate; perturbed responses contradict the
evidence.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.training.begin_silver.antonyms import antonym
from inquirer.language import words as w
from inquirer.language.tokens import Token
from inquirer.language.verbs import PAST_OF, base, third
from judges.q2.grammar import (
    BE,
    DO,
    HAVE,
    MODAL,
    NEGATION,
    Clause,
    clauses,
    noun_phrases,
    sentences,
    tagged,
)

PARTICIPLE_OF = {verb: participle for verb, _, participle in w.rows("irregular.tsv")}


def past(verb: str) -> str:
    regular = re.sub(r"(?<![aeiou])y$", "i", verb).removesuffix("e") + "ed"
    return PAST_OF.get(verb, regular)


INFLECTED: Mapping[str, Callable[[str], str]] = {
    "VBZ": third,
    "VBD": past,
    "VBN": lambda verb: PARTICIPLE_OF.get(verb, past(verb)),
    "VBG": lambda verb: (verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb) + "ing",
    "VBP": lambda verb: verb,
}
_YEAR = re.compile(r"(?:1[0-9]|20)\d\d$")


@dataclass(frozen=True, slots=True)
class Change:
    text: str
    changed: tuple[tuple[str, str], ...]
    """The replacements, each as a pair of the old text and the new text."""


@dataclass
class Pool:
    """All verbs (by tense) and all names (by type) that occur in the evidence."""

    verbs: dict[str, list[str]] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, texts: Iterable[str]) -> Pool:
        pool = cls()
        for text in texts:
            for kind, verb in _verbs(text):
                pool.verbs.setdefault(kind, []).append(base(verb.lower))
            for kind, low, high in names(text):
                pool.names.setdefault(kind, []).append(text[low:high])
        pool.verbs = {kind: sorted(set(words)) for kind, words in pool.verbs.items()}
        pool.names = {kind: sorted(set(words)) for kind, words in pool.names.items()}
        return pool


def _verbs(text: str) -> list[tuple[str, Token]]:
    """Return the full verbs with their tags. Auxiliaries are left out, because they are not replaced."""
    verbs = []
    for tokens in sentences(text):
        for token, kind in zip(tokens, tagged(tokens), strict=True):
            if kind in INFLECTED and token.lower not in BE | HAVE | DO | MODAL:
                verbs.append((kind, token))
    return verbs


def names(text: str) -> list[tuple[str, int, int]]:
    """Return years, numbers, places and other names, with their positions in the text."""
    result = []
    for tokens in sentences(text):
        tags = tagged(tokens)
        position = 0
        while position < len(tokens):
            word = tokens[position]
            if _YEAR.match(word.text):
                result.append(("DATE", word.start, word.end))
            elif word.lower in w.MONTHS and word.text[0].isupper():
                result.append(("MONTH", word.start, word.end))
            elif tags[position] == "CD" and word.text[0].isdigit():
                result.append(("NUMBER", word.start, word.end))
            elif (
                word.text[0].isupper()
                and (position or word.lower in w.CITIES)
                and tags[position] in {"NNP", "NN"}
            ):
                end = position
                while end < len(tokens) and tokens[end].text[0].isupper() and tokens[end].text.isalpha():
                    end += 1
                end = max(end, position + 1)
                kind = "PLACE" if any(t.lower in w.CITIES for t in tokens[position:end]) else "NAME"
                result.append((kind, word.start, tokens[end - 1].end))
                position = end
                continue
            position += 1
    return result


def _replaced(text: str, changes: Sequence[tuple[int, int, str]]) -> Change | None:
    """Replace several spans. The last span is replaced first, so that the positions of the others stay valid."""
    pieces = []
    result = text
    for low, high, new in sorted(changes, reverse=True):
        pieces.append((text[low:high], new))
        result = result[:low] + new + result[high:]
    return Change(result, tuple(reversed(pieces))) if pieces and result != text else None


def swap_subject_and_object(text: str) -> Change | None:
    """Swap subject and object. For example, `Baking chocolate contains cocoa` becomes `Cocoa contains baking
    chocolate`.
    """
    for tokens in sentences(text):
        tags = tagged(tokens)
        for clause in clauses(tokens, tags):
            parts = _subject_and_object(clause)
            if parts:
                (low, high), (start, end) = parts
                one, other = text[low:high], text[start:end]
                upper = one[:1].isupper() and low == tokens[0].start
                other = other[:1].upper() + other[1:] if upper else other
                one = one if _is_name(clause, high) else one[:1].lower() + one[1:]
                return _replaced(text, [(low, high, other), (start, end, one)])
    return None


def _is_name(clause: Clause, high: int) -> bool:
    return any(word.end == high and tag == "NNP" for word, tag in zip(clause.words, clause.tags, strict=True))


def _subject_and_object(clause: Clause) -> tuple[tuple[int, int], tuple[int, int]] | None:
    subject, rest = clause.words[: clause.verb], clause.words[clause.rest :]
    if not subject or any(word.start < 0 for word in clause.words) or subject[0].lower in w.PERSONS:
        return None
    phrases = noun_phrases(rest, clause.tags[clause.rest :])
    if not phrases:
        return None
    first, last = phrases[0]
    if first and rest[first - 1].lower in {"a", "an", "the"}:
        first -= 1
    low, high = subject[0].start, subject[-1].end
    start, end = rest[first].start, rest[last - 1].end
    return ((low, high), (start, end)) if high <= start else None


def replace_verbs(text: str, pool: Pool, draw: random.Random, most: int = 2) -> Change | None:
    """Replace up to two verbs by other verbs in the same tense."""
    verbs = _verbs(text)
    chosen = draw.sample(verbs, min(most, len(verbs)))
    changes = []
    for kind, token in chosen:
        others = [verb for verb in pool.verbs.get(kind, ()) if verb != base(token.lower)]
        if others:
            changes.append((token.start, token.end, INFLECTED[kind](draw.choice(others))))
    return _replaced(text, changes)


def swap_entities(text: str, pool: Pool, draw: random.Random, most: int = 2) -> Change | None:
    """Replace up to two names by other names of the same type from other evidence."""
    entities = names(text)
    changes = []
    for kind, low, high in draw.sample(entities, min(most, len(entities))):
        others = [name for name in pool.names.get(kind, ()) if name not in text]
        if others:
            changes.append((low, high, draw.choice(others)))
    return _replaced(text, changes)


def negate(text: str) -> Change | None:
    """Negate the sentence. For example, `It is worth much` becomes `It is not worth much`, and `It cost much`
    becomes `It did not cost much`.
    """
    for tokens in sentences(text):
        for clause in clauses(tokens, tagged(tokens)):
            verbs = clause.words[clause.verb : clause.rest]
            if verbs[0].start < 0 or any(verb.lower in NEGATION for verb in clause.words):
                continue
            first = verbs[0]
            if clause.auxiliary:
                return _replaced(text, [(first.end, first.end, " not")])
            helper = {"VBZ": "does", "VBD": "did"}.get(clause.tags[clause.verb], "do")
            plain = base(first.lower)
            return _replaced(text, [(first.start, first.end, f"{helper} not {plain}")])
    return None


def oppose(text: str, wordnet: bool = True) -> Change | None:
    """Replace adjectives by their antonyms."""
    changes = []
    for tokens in sentences(text):
        tags = tagged(tokens)
        for index, token in enumerate(tokens):
            after = tags[index + 1] if index + 1 < len(tokens) else ""
            noun = tags[index][:2] == "NN" and after[:2] == "NN"
            adjectival = tags[index][:2] == "JJ" or noun
            other = antonym(token.text, wordnet) if adjectival else None
            if other:
                changes.append((token.start, token.end, other))
    return _replaced(text, changes)
