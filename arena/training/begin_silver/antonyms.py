"""Adjectives and their opposites: WordNet's where it is installed, else a list of our own."""

from __future__ import annotations

import functools
from pathlib import Path


@functools.cache
def _listed() -> dict[str, str]:
    found: dict[str, str] = {}
    for line in Path(__file__).with_name("antonyms.txt").read_text(encoding="utf-8").splitlines():
        one, other = line.split()
        found.setdefault(one, other)
    for one, other in list(found.items()):
        found.setdefault(other, one)
    return found


def antonym(adjective: str, wordnet: bool = True) -> str | None:
    """The opposite of an adjective, if one is known."""
    low = adjective.lower()
    found = (_of_wordnet(low) if wordnet else None) or _listed().get(low)
    return found.capitalize() if found and adjective[:1].isupper() else found


@functools.cache
def _of_wordnet(adjective: str) -> str | None:
    try:
        from nltk.corpus import wordnet

        synsets = wordnet.synsets(adjective, pos="a")
    except (ImportError, LookupError):
        return None
    lemmas = (lemma for synset in synsets for lemma in synset.lemmas() if lemma.name().lower() == adjective)
    opposites = (other.name().replace("_", " ") for lemma in lemmas for other in lemma.antonyms())
    return next(opposites, None)


def source() -> str:
    """Which of the two is in use, for the record of a run."""
    return "WordNet" if _of_wordnet("first") else "list"
