"""The interviewer's material: facts with questions and follow-ups, reactions, introductions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from importlib import resources
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from arena.core.errors import InputError
from arena.core.hashing import digest
from arena.core.source_map import safe_load

HOLE = "{1}"


@dataclass(frozen=True, slots=True)
class Question:
    """A phrasing of a question. `again` marks a question for a fact that was asked for before."""

    fact: str
    text: str
    again: bool = False

    def repeated(self) -> Question:
        return replace(self, again=True)


@dataclass(frozen=True, slots=True)
class Asked:
    """The fact that a message of the interviewer asked for."""

    fact: str
    follow: bool = False
    again: bool = False


@dataclass(frozen=True)
class FollowUp:
    """Questions to ask after an answer that matches a pattern."""

    when: re.Pattern[str]
    asks: tuple[str, ...]
    refused: bool = False  # only asked after a refusal

    def questions(self, fact: str, answer: str) -> list[Question]:
        fits = self.when.search(answer)
        if fits is None:
            return []
        word = fits.group(1).lower() if self.when.groups else ""
        return [Question(fact, ask.replace(HOLE, word)) for ask in self.asks]


@dataclass(frozen=True)
class Fact:
    """A fact that the interviewer wants to know."""

    id: str
    topic: str
    asks: tuple[str, ...]
    cues: tuple[str, ...]
    mine: str
    early: bool = False
    once: bool = False  # not asked for a second time
    known: re.Pattern[str] | None = None
    follow: tuple[FollowUp, ...] = field(default=())

    @property
    def questions(self) -> list[Question]:
        return [Question(self.id, ask) for ask in self.asks]

    def is_known(self, texts: str) -> bool:
        """Whether the partner has stated the fact without a question for it."""
        return self.known is not None and self.known.search(texts) is not None


@dataclass(frozen=True)
class Interview:
    """All questions and lines of an interviewer."""

    facts: tuple[Fact, ...]
    reactions: Mapping[str, tuple[str, ...]]
    deflect: tuple[str, ...]
    leads: tuple[str, ...]
    back: tuple[str, ...]

    @cached_property
    def _by_id(self) -> dict[str, Fact]:
        return {fact.id: fact for fact in self.facts}

    @cached_property
    def _follow_patterns(self) -> list[tuple[re.Pattern[str], str]]:
        return [
            (re.compile(re.escape(ask[1:]).replace(re.escape(HOLE), r"\w+")), fact.id)
            for fact in self.facts
            for follow in fact.follow
            for ask in follow.asks
        ]

    def fact(self, id: str | None) -> Fact | None:
        return None if id is None else self._by_id.get(id)

    def topic(self, id: str | None) -> str | None:
        fact = self.fact(id)
        return None if fact is None else fact.topic

    def questions(self, id: str) -> list[Question]:
        fact = self.fact(id)
        return [] if fact is None else fact.questions

    def follow_ups(self, id: str, answer: str, refused: bool = False) -> list[Question]:
        """Returns the follow-up questions for an answer, from the first follow-up whose pattern matches."""
        fact = self.fact(id)
        for follow in fact.follow if fact else ():
            if follow.refused is refused and (questions := follow.questions(id, answer)):
                return questions
        return []

    def answers(self, id: str, message: str) -> bool:
        """Whether a message may answer a question for this fact. False if the message only matches another fact."""
        fact = self.fact(id)
        if fact is None or fact.is_known(message):
            return True
        return not any(other.is_known(message) for other in self.facts)

    def asked(self, message: str) -> Asked | None:
        """Returns the fact that a message of the interviewer asked for.

        The message is recognised by its wording, or an opener by the fact's cues.
        """
        again = any(line in message for line in self.back)
        for fact in self.facts:
            if any(ask[1:] in message for ask in fact.asks):
                return Asked(fact.id, again=again)
        for pattern, id in self._follow_patterns:
            if pattern.search(message):
                return Asked(id, follow=True)
        meant = self.meant(message) if "?" in message else None
        return None if meant is None else Asked(meant.id)

    def meant(self, question: str) -> Fact | None:
        """Returns the fact that the partner's question asks for."""
        words = question.lower()
        return next((fact for fact in self.facts if any(cue in words for cue in fact.cues)), None)


# ── the file ──────────────────────────────────────────────────────────────────────────────────────


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _FollowForm(_Strict):
    when: str
    asks: list[str] = Field(min_length=1)
    refused: bool = False

    @field_validator("when")
    @classmethod
    def _pattern(cls, value: str) -> str:
        return _checked(value)


class _FactForm(_Strict):
    id: str = Field(min_length=1)
    topic: str = Field(min_length=1)
    early: bool = False
    once: bool = False
    asks: list[str] = Field(min_length=2)
    cues: list[str] = Field(min_length=1)
    known: str | None = None
    mine: str
    follow: list[_FollowForm] = []

    @field_validator("known")
    @classmethod
    def _pattern(cls, value: str | None) -> str | None:
        return None if value is None else _checked(value)


class _Form(_Strict):
    facts: list[_FactForm] = Field(min_length=1)
    reactions: dict[str, list[str]]
    deflect: list[str] = Field(min_length=1)
    leads: list[str] = Field(min_length=1)
    back: list[str] = Field(min_length=1)

    @field_validator("reactions")
    @classmethod
    def _all(cls, value: dict[str, list[str]]) -> dict[str, list[str]]:
        from bots.hearing import KINDS

        missing = [kind for kind in KINDS if not value.get(kind)]
        if missing:
            raise ValueError(f"has no lines for {', '.join(missing)}")
        return value


def _checked(pattern: str) -> str:
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"is not a pattern ({error})") from None
    return pattern


@lru_cache(maxsize=8)
def load(path: str | None) -> Interview:
    """Loads the shipped interview, or the user's."""
    name = path or "the shipped interview"
    try:
        form = _Form.model_validate(safe_load(text(path)))
    except yaml.YAMLError as error:
        raise InputError(f"{name} is not valid YAML: {error}; correct it.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise InputError(f"{name}, {where}: {first['msg']}; correct it.") from error
    ids = [fact.id for fact in form.facts]
    twice = next((id for id in ids if ids.count(id) > 1), None)
    if twice:
        raise InputError(f"{name} has two facts called '{twice}'; rename one.")
    return Interview(
        tuple(_fact(fact) for fact in form.facts),
        {kind: tuple(lines) for kind, lines in form.reactions.items()},
        tuple(form.deflect),
        tuple(form.leads),
        tuple(form.back),
    )


def _fact(form: _FactForm) -> Fact:
    follow = tuple(FollowUp(re.compile(f.when, re.IGNORECASE), tuple(f.asks), f.refused) for f in form.follow)
    known = re.compile(form.known, re.IGNORECASE) if form.known else None
    cues = tuple(cue.lower() for cue in form.cues)
    return Fact(form.id, form.topic, tuple(form.asks), cues, form.mine, form.early, form.once, known, follow)


def text(path: str | None) -> str:
    if path is None:
        return resources.files("bots").joinpath("interview.yaml").read_text(encoding="utf-8")
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"The interview {path} cannot be read ({error}); check the path.") from error


def revision(path: str | None) -> str:
    return digest(text(path))[:16]
