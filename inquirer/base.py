"""Defines the interfaces of the inquirer's parts.

Extractors find what to ask about, writers write questions, readers answer questions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from arena.core import extras
from arena.core.errors import InputError, MissingPart
from arena.core.plugins import unknown
from arena.core.types import NOTHING, Entity, Kind, Question


class Extractor(Protocol):
    """Finds entities. An entry point of the group `arena.entities` creates an extractor from its settings."""

    revision: str

    async def extract(self, utterances: Sequence[str]) -> list[list[Entity]]:
        """Returns the entities of each utterance, in order of appearance. Questions have no entities."""
        ...


@dataclass(frozen=True, slots=True)
class Task:
    """One utterance with its entities and the kinds of questions that are wanted."""

    utterance: str
    entities: tuple[Entity, ...]
    kinds: tuple[Kind, ...]


class Writer(Protocol):
    """Writes questions. An entry point of the group `arena.questions` creates a writer from its settings."""

    revision: str

    async def write(self, tasks: Sequence[Task]) -> list[list[Question]]:
        """Returns each task's questions in the second person, best first."""
        ...


@runtime_checkable
class Calibrated(Protocol):
    """A writer whose scores are the probability that a person would ask the question.

    The setting `min_score` only applies to such writers.
    """

    calibrated: bool


@runtime_checkable
class FillsGaps(Protocol):
    """A writer that may be too slow for every message.

    With `gaps_only`, it only reads messages for which the writers before it have no question left.
    """

    gaps_only: bool


@runtime_checkable
class Closes(Protocol):
    """An extractor, writer or reader with a resource to close, such as a bot."""

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Span:
    text: str
    start: int
    end: int
    score: float


class Reader(Protocol):
    """Answers a question from a text. An entry point of the group `arena.readers` creates it from its settings."""

    revision: str

    def read(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Span | None]:
        """Returns the span that answers each (question, context) pair, or None if the context has no answer."""
        ...


@runtime_checkable
class Factory(Protocol):
    """The object behind an entry point of `arena.entities`, `arena.questions` or `arena.readers`.

    Calling the factory with settings returns an extractor, writer or reader. No model is loaded by that call.
    """

    def __call__(self, settings: Mapping[str, Any]) -> Any: ...

    def revision(self, settings: Mapping[str, Any]) -> str:
        """Returns the part's revision without loading a model."""
        ...

    def available(self, settings: Mapping[str, Any] = NOTHING) -> tuple[bool, str]:
        """Whether the part can work here, with one sentence: a description of the part, or what is missing."""
        ...


def complete(part: str, settings: Mapping[str, Any], defaults: Mapping[str, Any] = NOTHING) -> dict[str, Any]:
    """Returns the part's settings with their defaults.

    Raises an error for a setting that the part does not know. Where the default is true or false, or a whole number,
    the setting must be one, too.
    """
    wrong = sorted(set(settings) - set(defaults))
    if wrong and not defaults:
        raise InputError(f"The {part} has no settings: leave out {', '.join(wrong)}.")
    if wrong:
        raise InputError(unknown(f"setting of the {part}", wrong[0], sorted(defaults)))
    for name, value in settings.items():
        if type(defaults[name]) is bool and type(value) is not bool:
            raise InputError(f"'{name}' of the {part} must be true or false, not {value!r}.")
        if type(defaults[name]) is int and (type(value) is not int or value < 1):
            raise InputError(f"'{name}' of the {part} must be a whole number from 1, not {value!r}.")
    return {**defaults, **settings}


def hash_of_files(folder: Path, pattern: str) -> str:
    """Returns a hash of the files' names, sizes and first bytes. Large models cannot be read whole each time."""
    digest = hashlib.sha256()
    for path in sorted(folder.glob(pattern)):
        if path.is_file():
            digest.update(f"{path.relative_to(folder)} {path.stat().st_size}\n".encode())
            with path.open("rb") as file:
                digest.update(file.read(1 << 20))
    return digest.hexdigest()[:12]


@dataclass(frozen=True)
class Part:
    """A factory made from a function. The parts that it creates load their models at the first use."""

    create: Callable[[Mapping[str, Any]], Any]
    what: str = ""
    packages: tuple[str, ...] = ()
    needs: Callable[[Any], object] = bool
    """Raises `MissingPart` if a file is missing that the created part would load."""

    def __call__(self, settings: Mapping[str, Any]) -> Any:
        return self.create(settings)

    def revision(self, settings: Mapping[str, Any]) -> str:
        return str(self.create(settings).revision)

    def available(self, settings: Mapping[str, Any] = NOTHING) -> tuple[bool, str]:
        for package in self.packages:
            if find_spec(package) is None:
                return False, f"The package '{package}' is missing: {extras.command(package)}."
        try:
            self.needs(self.create(settings))
        except MissingPart as error:
            return False, str(error)
        except InputError:
            if settings:  # no settings given: a missing required setting is no error
                raise
        return True, self.what
