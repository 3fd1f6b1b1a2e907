"""The paper's perturbations: of evidence, to make a generator hallucinate; of responses, to contradict."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from arena.training.begin_silver.antonyms import antonym
from inquirer.language import words as w
from inquirer.language.tokens import Token
from inquirer.language.verbs import PARTICIPLE_OF, base, past, third
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
    """What became what."""


@dataclass
class Pool:
    """Verbs by tense and names by type, of all the evidence there is."""

    verbs: dict[str, list[str]] = field(default_factory=dict)
    names: dict[str, list[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, texts: Iterable[str]) -> Pool:
        pool = cls()
        for text in texts:
            for kind, found in _verbs(text):
                pool.verbs.setdefault(kind, []).append(base(found.lower))
            for kind, low, high in names(text):
                pool.names.setdefault(kind, []).append(text[low:high])
        pool.verbs = {kind: sorted(set(found)) for kind, found in pool.verbs.items()}
        pool.names = {kind: sorted(set(found)) for kind, found in pool.names.items()}
        return pool


def _verbs(text: str) -> list[tuple[str, Token]]:
    """Full verbs with their tags; auxiliaries carry no content to replace."""
    found = []
    for tokens in sentences(text):
        for token, kind in zip(tokens, tagged(tokens), strict=True):
            if kind in INFLECTED and token.lower not in BE | HAVE | DO | MODAL:
                found.append((kind, token))
    return found


def names(text: str) -> list[tuple[str, int, int]]:
    """Years, numbers, places and other names, with their places in the text."""
    found = []
    for tokens in sentences(text):
        tags = tagged(tokens)
        place = 0
        while place < len(tokens):
            word = tokens[place]
            if _YEAR.match(word.text):
                found.append(("DATE", word.start, word.end))
            elif word.lower in w.MONTHS and word.text[0].isupper():
                found.append(("MONTH", word.start, word.end))
            elif tags[place] == "CD" and word.text[0].isdigit():
                found.append(("NUMBER", word.start, word.end))
            elif (
                word.text[0].isupper() and (place or word.lower in w.CITIES) and tags[place] in {"NNP", "NN"}
            ):
                end = place
                while end < len(tokens) and tokens[end].text[0].isupper() and tokens[end].text.isalpha():
                    end += 1
                end = max(end, place + 1)
                kind = "PLACE" if any(t.lower in w.CITIES for t in tokens[place:end]) else "NAME"
                found.append((kind, word.start, tokens[end - 1].end))
                place = end
                continue
            place += 1
    return found


def _replaced(text: str, changes: Sequence[tuple[int, int, str]]) -> Change | None:
    """Every stretch replaced, from the end so that places stay right."""
    said = []
    result = text
    for low, high, new in sorted(changes, reverse=True):
        said.append((text[low:high], new))
        result = result[:low] + new + result[high:]
    return Change(result, tuple(reversed(said))) if said and result != text else None


def swap_subject_and_object(text: str) -> Change | None:
    """`Baking chocolate contains cocoa` becomes `Cocoa contains baking chocolate`."""
    for tokens in sentences(text):
        tags = tagged(tokens)
        for clause in clauses(tokens, tags):
            found = _subject_and_object(clause)
            if found:
                (low, high), (start, end) = found
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
    """Up to two verbs by others of the same tense."""
    found = _verbs(text)
    chosen = draw.sample(found, min(most, len(found)))
    changes = []
    for kind, token in chosen:
        others = [verb for verb in pool.verbs.get(kind, ()) if verb != base(token.lower)]
        if others:
            changes.append((token.start, token.end, INFLECTED[kind](draw.choice(others))))
    return _replaced(text, changes)


def swap_entities(text: str, pool: Pool, draw: random.Random, most: int = 2) -> Change | None:
    """Up to two names by others of the same type, from other evidence."""
    found = names(text)
    changes = []
    for kind, low, high in draw.sample(found, min(most, len(found))):
        others = [name for name in pool.names.get(kind, ()) if name not in text]
        if others:
            changes.append((low, high, draw.choice(others)))
    return _replaced(text, changes)


def negate(text: str) -> Change | None:
    """`It is worth much` becomes `It is not worth much`; `It cost much` becomes `It did not cost much`."""
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
    """Adjectives by their antonyms."""
    changes = []
    for tokens in sentences(text):
        tags = tagged(tokens)
        for place, token in enumerate(tokens):
            after = tags[place + 1] if place + 1 < len(tokens) else ""
            noun = tags[place][:2] == "NN" and after[:2] == "NN"
            adjectival = tags[place][:2] == "JJ" or noun
            other = antonym(token.text, wordnet) if adjectival else None
            if other:
                changes.append((token.start, token.end, other))
    return _replaced(text, changes)
