"""Pronouns of a response by what they stand for: the preprint's preparatory step, as a place for any resolver."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module

from arena.core.errors import InputError
from judges.q2.grammar import noun_phrases, sentences, tagged
from judges.q2.parts import Resolver

_SUBJECT = re.compile(r"\b(it|he|she|they)\b(?!['’])", re.IGNORECASE)
_PLURAL = {"NNS", "NNPS"}


class FirstMention:
    """A rule of thumb: a pronoun stands for the last noun phrase of its number before it.

    It looks from the newest message backwards; it knows no gender and no meaning, so a trained resolver does better.
    """

    revision = "first-mention-1"

    def resolve(self, texts: Sequence[tuple[Sequence[str], str]]) -> list[str]:
        return [resolved(history, response) for history, response in texts]


def resolved(history: Sequence[str], response: str) -> str:
    """The response with its pronouns replaced where something fits."""
    found = _candidates(history)

    def named(match: re.Match[str]) -> str:
        before = _candidates([response[: match.start()]])
        wanted = match.group().lower() == "they"
        for name, plural in [*reversed(before), *reversed(found)]:
            if plural is wanted:
                return name
        return match.group()

    return _SUBJECT.sub(named, response)


def _candidates(texts: Sequence[str]) -> list[tuple[str, bool]]:
    """Noun phrases in order of mention, and whether they are plural."""
    found = []
    for text in texts:
        for words in sentences(text):
            tags = tagged(words)
            for start, end in noun_phrases(words, tags):
                if tags[end - 1] in {"NN", "NNP"} | _PLURAL:
                    found.append((text[words[start].start : words[end - 1].end], tags[end - 1] in _PLURAL))
    return found


def resolver(name: str | None) -> Resolver | None:
    """`rules`, nothing, or MODULE:OBJECT of a resolver of one's own."""
    if name is None:
        return None
    if name == "rules":
        return FirstMention()
    module, colon, attribute = name.partition(":")
    try:
        found = getattr(import_module(module), attribute) if colon else None
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"The coreference step '{name}' does not load ({error}): name MODULE:OBJECT."
        ) from None
    if not hasattr(found, "resolve") or not hasattr(found, "revision"):
        raise InputError(
            f"The coreference step '{name}' has no `resolve` and `revision`: name rules or MODULE:OBJECT."
        )
    made: Resolver = found  # type: ignore[assignment]
    return made
