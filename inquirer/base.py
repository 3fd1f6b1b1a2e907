"""Defines the interfaces of the inquirer's parts.

Extractors find what to ask about, writers write questions, readers answer questions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Protocol, runtime_checkable

from arena.core import extras
from arena.core.errors import InputError, MissingPart
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
    """Answers a question from a text, or says that the text has no answer.

    An entry point of the group `arena.readers` creates a reader from its settings.
    """

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


def refuse_settings(part: str, settings: Mapping[str, Any]) -> None:
    """Raises an error if settings are given to a part that has no settings."""
    if settings:
        raise InputError(f"{part} has no settings: leave out {', '.join(sorted(settings))}.")


@dataclass(frozen=True)
class Part:
    """A factory made from a function. The parts that it creates load their models at the first use."""

    create: Callable[[Mapping[str, Any]], Any]
    what: str = ""
    packages: tuple[str, ...] = ()

    def __call__(self, settings: Mapping[str, Any]) -> Any:
        return self.create(settings)

    def revision(self, settings: Mapping[str, Any]) -> str:
        return str(self.create(settings).revision)

    def available(self, settings: Mapping[str, Any] = NOTHING) -> tuple[bool, str]:
        for package in self.packages:
            if find_spec(package) is None:
                return False, f"The package '{package}' is missing: {extras.command(package)}."
        try:
            self.create(settings)
        except MissingPart as error:
            return False, str(error)
        except InputError:
            if settings:  # no settings given: a missing required setting is no error
                raise
        return True, self.what
