"""The interfaces of Q²'s parts, and the values behind one of its scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from inquirer.base import Span

__all__ = [
    "Asker",
    "Check",
    "Finder",
    "Inference",
    "Options",
    "Parts",
    "Reader",
    "Resolver",
    "Score",
    "Span",
    "Text",
]


class Finder(Protocol):
    """Marks the informative spans of texts: named entities and noun phrases."""

    @property
    def revision(self) -> str: ...

    def find(self, texts: Sequence[str]) -> Sequence[Sequence[Span]]: ...


class Asker(Protocol):
    """Writes questions that a span of a text answers, best first."""

    @property
    def revision(self) -> str: ...

    def ask(self, tasks: Sequence[tuple[str, Span]], most: int) -> Sequence[Sequence[str]]: ...


class Reader(Protocol):
    """Answers a question from a text, or says that it cannot."""

    @property
    def revision(self) -> str: ...

    def read(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Span | None]: ...


class Inference(Protocol):
    """Scores (premise, hypothesis) pairs: a row of entailment, neutral, contradiction each."""

    @property
    def revision(self) -> str: ...

    def score(self, pairs: Sequence[tuple[str, str]]) -> Any: ...


class Resolver(Protocol):
    """Replaces the pronouns of a response by what they stand for in the messages before it."""

    @property
    def revision(self) -> str: ...

    def resolve(self, texts: Sequence[tuple[Sequence[str], str]]) -> Sequence[str]: ...


@dataclass(frozen=True, slots=True)
class Text:
    """One response and the knowledge that it should be consistent with.

    `asked` is a question that the response answered; it does not have to be generated.
    """

    response: str
    knowledge: str
    history: tuple[str, ...] = ()
    asked: str | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """The variants of both papers; the defaults are the EMNLP paper's."""

    beams: int = 5
    """Questions generated for a span."""
    every: bool = False
    """Use every valid question of a span, not the first one alone."""
    keep_personal: bool = False
    """Keep questions about I, you, my and your, as for persona consistency."""
    inference: bool = True
    """Compare by NLI what is not equal; otherwise by token F1 alone (the papers' "w/o NLI")."""
    graded: bool = False
    """Weigh the classes by their probabilities (entailment + neutral × F1) instead of taking the likeliest."""
    discard_unanswerable: bool = False
    """Leave out questions without an answer where another question has one (the preprint's starred row)."""
    fallback: bool = True
    """Score by end-to-end NLI where no valid question remains; otherwise give no score."""
    response_first: bool = False
    """Take the response as premise and the knowledge as hypothesis in that fallback."""


@dataclass(frozen=True, slots=True)
class Parts:
    finder: Finder
    asker: Asker
    reader: Reader
    inference: Inference
    resolver: Resolver | None = None

    @property
    def revision(self) -> str:
        revisions = [self.finder.revision, self.asker.revision, self.reader.revision, self.inference.revision]
        return "+".join(revisions + ([self.resolver.revision] if self.resolver else []))


@dataclass(frozen=True, slots=True)
class Check:
    """One question and its outcome.

    `outcome` is `equal`, `entailment`, `neutral`, `contradiction`, `f1` or `no_answer` for a valid question,
    `personal` or `not_answered_by_response` for one that was filtered out; only valid ones have a score.
    """

    span: str
    question: str
    outcome: str
    answer: str | None = None
    """What the knowledge answers."""
    score: float | None = None

    @property
    def valid(self) -> bool:
        return self.score is not None


@dataclass(frozen=True, slots=True)
class Score:
    """Consistency in [0, 1], or None if there is no question and the fallback is off."""

    value: float | None
    checks: tuple[Check, ...]
    fallback: str | None = None
    """The class of the end-to-end NLI, where it decided."""

    @property
    def questions(self) -> int:
        return sum(check.valid for check in self.checks)

    @property
    def unanswered(self) -> int:
        return sum(check.outcome == "no_answer" for check in self.checks)
