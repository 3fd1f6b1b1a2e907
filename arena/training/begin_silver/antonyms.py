"""Finds antonyms of adjectives, in WordNet if it is installed, else in a list of our own."""

from __future__ import annotations

import functools
from pathlib import Path


@functools.cache
def _listed() -> dict[str, str]:
    opposites: dict[str, str] = {}
    for line in Path(__file__).with_name("antonyms.txt").read_text(encoding="utf-8").splitlines():
        one, other = line.split()
        opposites.setdefault(one, other)
    for one, other in list(opposites.items()):
        opposites.setdefault(other, one)
    return opposites


def antonym(adjective: str, wordnet: bool = True) -> str | None:
    """Return the antonym of an adjective; None if no antonym is known."""
    low = adjective.lower()
    opposite = (_of_wordnet(low) if wordnet else None) or _listed().get(low)
    return opposite.capitalize() if opposite and adjective[:1].isupper() else opposite


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
    """Return which source of antonyms is in use, for the record of a run."""
    return "WordNet" if _of_wordnet("first") else "list"
