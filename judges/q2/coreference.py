"""Replaces pronouns in a response by the nouns they refer to: the preprint's first step, with any resolver."""

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
    """A simple resolver: a pronoun stands for the last noun phrase before it with the same number (singular or plural).

    It searches from the newest message backwards. It ignores gender and meaning, so a trained resolver is more
    accurate.
    """

    revision = "first-mention-1"

    def resolve(self, texts: Sequence[tuple[Sequence[str], str]]) -> list[str]:
        return [resolved(history, response) for history, response in texts]


def resolved(history: Sequence[str], response: str) -> str:
    """The response, with each pronoun replaced for which a noun phrase fits."""
    candidates = _candidates(history)

    def named(match: re.Match[str]) -> str:
        before = _candidates([response[: match.start()]])
        wanted = match.group().lower() == "they"
        for name, plural in [*reversed(before), *reversed(candidates)]:
            if plural is wanted:
                return name
        return match.group()

    return _SUBJECT.sub(named, response)


def _candidates(texts: Sequence[str]) -> list[tuple[str, bool]]:
    """Return the noun phrases in order of mention, and for each whether it is plural."""
    candidates = []
    for text in texts:
        for words in sentences(text):
            tags = tagged(words)
            for start, end in noun_phrases(words, tags):
                if tags[end - 1] in {"NN", "NNP"} | _PLURAL:
                    candidates.append(
                        (text[words[start].start : words[end - 1].end], tags[end - 1] in _PLURAL)
                    )
    return candidates


def resolver(name: str | None) -> Resolver | None:
    """The resolver that the setting names: `rules`, none, or a custom resolver as MODULE:OBJECT."""
    if name is None:
        return None
    if name == "rules":
        return FirstMention()
    module, colon, attribute = name.partition(":")
    try:
        loaded = getattr(import_module(module), attribute) if colon else None
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"The coreference step '{name}' does not load ({error}): name MODULE:OBJECT."
        ) from None
    if not hasattr(loaded, "resolve") or not hasattr(loaded, "revision"):
        raise InputError(
            f"The coreference step '{name}' has no `resolve` and `revision`: name rules or MODULE:OBJECT."
        )
    resolver_found: Resolver = loaded  # type: ignore[assignment]
    return resolver_found
