"""What the inquirer is made of: extractors find what to ask about, writers ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from arena.core.types import Entity, Kind, Question


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


class Factory(Protocol):
    """The object behind an entry point of `arena.entities` and `arena.questions`."""

    def __call__(self, settings: Mapping[str, Any]) -> Any: ...
