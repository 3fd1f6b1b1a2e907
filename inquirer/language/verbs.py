"""Verb forms. Irregular forms come from a list, all others from spelling rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from inquirer.language import words as w

PAST_OF: dict[str, str] = {}
BASE_OF: dict[str, str] = dict(w.pairs("verb-forms"))
for _base, _past, _done in w.rows("irregular.tsv"):
    PAST_OF[_base] = _past
    BASE_OF.setdefault(_past, _base)
    BASE_OF.setdefault(_done, _base)
BASES = set(PAST_OF) | w.VERBS
DOUBLED = set("bdgmnprt")
DOUBLE_VOWEL = re.compile(r"[aeiou]{2}[^aeiouvcg]\Z")  # rain, need: verbs without a silent e
E_ENDINGS = tuple(sorted(w.SILENT_E))


@lru_cache(maxsize=1)
def known() -> frozenset[str]:
    """Returns the verbs that occur in text. They decide where spelling is ambiguous."""
    return frozenset((Path(__file__).parents[1] / "weights" / "verbs.txt").read_text().split()) | BASES


@lru_cache(maxsize=8192)
def base(word: str) -> str:
    """Returns the base form of a verb."""
    word = word.lower()
    if word in BASE_OF:
        return BASE_OF[word]
    for candidate in _candidates(word):
        if candidate in known():
            return candidate
    return next(_candidates(word), word) if word not in known() else word


def _candidates(word: str) -> Iterator[str]:
    if word.endswith("ies") and len(word) > 4:
        yield word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        yield word[:-2]
        yield word[:-1]
    elif word.endswith("s") and not word.endswith("ss"):
        yield word[:-1]
        yield word[:-2] if word.endswith("uses") else word[:-1]
    elif word.endswith("ied") and len(word) > 4:
        yield word[:-3] + "y"
        yield word[:-2].rstrip("i") + "i"  # skied
    elif word.endswith("ed") and len(word) > 3:
        yield from _stem(word[:-2])
    elif word.endswith("ing") and len(word) > 4:
        yield from _stem(word[:-3])


def _stem(stem: str) -> Iterator[str]:
    if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] in DOUBLED | {"l", "s", "z", "f"}:
        if stem in w.KEPT_DOUBLE or stem[-1] in "lszf":
            yield stem
            yield stem[:-1]
        else:
            yield stem[:-1]
            yield stem
    elif stem.endswith(E_ENDINGS) and len(stem) > 2 and not DOUBLE_VOWEL.search(stem):
        yield stem + "e"
        yield stem
    else:
        yield stem
        yield stem + "e"


def third(verb: str) -> str:
    """Returns the third person singular."""
    special = {"be": "is", "have": "has", "do": "does", "go": "goes"}
    if verb in special:
        return special[verb]
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "sh", "ch", "x", "z", "o")) else "s")
