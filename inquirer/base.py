"""What the inquirer is made of: extractors find what to ask about, writers ask."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Protocol, runtime_checkable

from arena.core import extras
from arena.core.errors import InputError, MissingPart
from arena.core.types import NOTHING, Entity, Kind, Question


class Extractor(Protocol):
    """Entry points of the group `arena.entities`: called with the settings, they give one of these."""

    revision: str

    async def extract(self, utterances: Sequence[str]) -> list[list[Entity]]:
        """Entities of each utterance, in order of appearance; none for questions."""
        ...


@dataclass(frozen=True, slots=True)
class Task:
    """One utterance, what was found in it and which kinds are wanted."""

    utterance: str
    entities: tuple[Entity, ...]
    kinds: tuple[Kind, ...]


class Writer(Protocol):
    """Entry points of the group `arena.questions`: called with the settings, they give one of these."""

    revision: str

    async def write(self, tasks: Sequence[Task]) -> list[list[Question]]:
        """Questions of each task in the second person, best first."""
        ...


@runtime_checkable
class Calibrated(Protocol):
    """A writer whose scores say how likely a person would ask the question; `min_score` applies to these alone."""

    calibrated: bool


@runtime_checkable
class Closes(Protocol):
    """An extractor, writer or reader that holds something open, such as a bot."""

    async def close(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Span:
    text: str
    start: int
    end: int
    score: float


class Reader(Protocol):
    """Entry points of the group `arena.readers`: answers a question from a text, or says that it cannot."""

    revision: str

    def read(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Span | None]:
        """The span of each (question, context) that answers it, None for no answer."""
        ...


@runtime_checkable
class Factory(Protocol):
    """The object behind an entry point of `arena.entities`, `arena.questions` and `arena.readers`.

    Called with the settings, it gives an extractor, writer or reader that has loaded nothing yet.
    """

    def __call__(self, settings: Mapping[str, Any]) -> Any: ...

    def revision(self, settings: Mapping[str, Any]) -> str:
        """The part's revision, without loading a model."""
        ...

    def available(self, settings: Mapping[str, Any] = NOTHING) -> tuple[bool, str]:
        """Whether the part can work here, and one sentence: what it is, or what to do."""
        ...


def refuse_settings(part: str, settings: Mapping[str, Any]) -> None:
    """For parts without settings."""
    if settings:
        raise InputError(f"{part} has no settings: leave out {', '.join(sorted(settings))}.")


@dataclass(frozen=True)
class Part:
    """A factory from a function whose products load their models at the first use."""

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
            if settings:  # without any, only what cannot do without them is wrong
                raise
        return True, self.what
