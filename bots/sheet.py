"""The facts of a scripted bot, and the sentences that state them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path
from typing import Any

import yaml

from arena.core.errors import InputError
from arena.core.hashing import digest, generator
from arena.core.source_map import safe_load

KEYS = {"id", "values", "says", "cues", "answers", "denies"}


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9']+", text.lower())


@dataclass(frozen=True)
class Fact:
    id: str
    values: tuple[str, ...]
    says: tuple[str, ...]
    cues: tuple[frozenset[str], ...]
    answers: tuple[str, ...]
    denies: tuple[str, ...]

    def fits(self, words: frozenset[str]) -> int:
        """Returns how well a question fits this fact.

        This is the size of the largest cue whose words all occur in the question.
        """
        return max((len(cue) for cue in self.cues if cue <= words), default=0)


@dataclass(frozen=True)
class Sheet:
    """Facts with their true values."""

    facts: tuple[Fact, ...]
    seed: int

    @cached_property
    def truth(self) -> dict[str, str]:
        return {fact.id: generator("sheet", self.seed, fact.id).choice(fact.values) for fact in self.facts}

    @cached_property
    def by_sentence(self) -> dict[str, str]:
        """The facts by the sentences with which the bot states them."""
        return {say(form, self.truth[fact.id]): fact.id for fact in self.facts for form in fact.says}

    @cached_property
    def _by_id(self) -> dict[str, Fact]:
        return {fact.id: fact for fact in self.facts}

    def fact(self, id: str) -> Fact:
        return self._by_id[id]

    def mentioned(self, message: str) -> list[str]:
        """Returns the facts that a message of the bot states, in order."""
        ids = (self.by_sentence.get(sentence) for sentence in re.split(r"(?<=[.!?])\s+", message))
        return [id for id in ids if id is not None]

    def asked(self, question: str, recent: Sequence[str]) -> Fact | None:
        """Returns the fact that a question is about. If several facts fit, the fact that was stated last."""
        words = frozenset(_words(question))
        scores = {fact.id: fact.fits(words) for fact in self.facts}
        best = max(scores.values(), default=0)
        if best == 0:
            return None
        for id in recent:
            if scores.get(id, 0) > 0:
                return self.fact(id)
        return next(fact for fact in self.facts if scores[fact.id] == best)


def say(form: str, value: str) -> str:
    return form.replace("{v}", value).replace("{V}", value[0].upper() + value[1:])


@lru_cache
def load(path: str | None, seed: int) -> Sheet:
    """Loads the shipped sheet, or the user's."""
    return Sheet(_read(path), seed)


@lru_cache(maxsize=8)
def _read(path: str | None) -> tuple[Fact, ...]:
    return _facts(text(path), path or "the shipped sheet")


def text(path: str | None) -> str:
    if path is None:
        return resources.files("bots").joinpath("sheet.yaml").read_text(encoding="utf-8")
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The fact sheet {path} cannot be read ({error}); check the path.") from error


def revision(path: str | None) -> str:
    return digest(text(path))[:16]


def _facts(source: str, name: str) -> tuple[Fact, ...]:
    try:
        entries: Any = safe_load(source)
    except yaml.YAMLError as error:
        raise InputError(f"{name} is not valid YAML: {error}; fix it.") from error
    if not isinstance(entries, list) or not entries:
        raise InputError(f"{name} must be a list of facts with the keys {', '.join(sorted(KEYS))}.")
    facts = []
    for number, entry in enumerate(entries, 1):
        if not isinstance(entry, dict) or set(entry) != KEYS:
            raise InputError(f"{name}: fact {number} needs exactly the keys {', '.join(sorted(KEYS))}.")
        lists = {key: tuple(str(item) for item in entry[key]) for key in KEYS - {"id"}}
        if len(set(lists["values"])) < 2 or not all(lists.values()):
            raise InputError(f"{name}: fact {number} needs two values or more and no empty list.")
        cues = tuple(frozenset(_words(cue)) for cue in lists.pop("cues"))
        facts.append(Fact(str(entry["id"]), cues=cues, **lists))
    return tuple(facts)
