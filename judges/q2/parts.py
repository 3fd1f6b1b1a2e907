"""The interfaces of Q²'s parts, and the data classes that explain a Q² score."""

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
    """Writes questions that a given span of a text answers, the best question first."""

    @property
    def revision(self) -> str: ...

    def ask(self, tasks: Sequence[tuple[str, Span]], most: int) -> Sequence[Sequence[str]]: ...


class Reader(Protocol):
    """Answers a question from a text, or returns that the text has no answer."""

    @property
    def revision(self) -> str: ...

    def read(self, pairs: Sequence[tuple[str, str]]) -> Sequence[Span | None]: ...


class Inference(Protocol):
    """Scores (premise, hypothesis) pairs: one row of entailment, neutral and contradiction probabilities per pair."""

    @property
    def revision(self) -> str: ...

    def score(self, pairs: Sequence[tuple[str, str]]) -> Any: ...


class Resolver(Protocol):
    """Replaces each pronoun of a response by the noun phrase of an earlier message that it refers to."""

    @property
    def revision(self) -> str: ...

    def resolve(self, texts: Sequence[tuple[Sequence[str], str]]) -> Sequence[str]: ...


@dataclass(frozen=True, slots=True)
class Text:
    """A response, and the knowledge that it should be consistent with.

    `asked` is a question that the response answered in the dialogue, so that it need not be generated.
    """

    response: str
    knowledge: str
    history: tuple[str, ...] = ()
    asked: str | None = None


@dataclass(frozen=True, slots=True)
class Options:
    """The variants of Q² in both papers; the defaults are those of the EMNLP paper."""

    beams: int = 5
    """The number of questions that are generated for a span."""
    every: bool = False
    """Use every valid question of a span, instead of only the first valid question."""
    keep_personal: bool = False
    """Keep questions with I, you, my or your, which are needed to test consistency with a persona."""
    inference: bool = True
    """Compare unequal answers by NLI; otherwise by token F1 alone (the papers' "w/o NLI")."""
    graded: bool = False
    """Score by the mean over the classes' probabilities (entailment + neutral × F1), not by the likeliest class."""
    discard_unanswerable: bool = False
    """Leave out questions without an answer if another question has an answer (the preprint's starred row)."""
    fallback: bool = True
    """Score by end-to-end NLI if no valid question remains; otherwise give no score."""
    whole: bool = False
    """Also compare the whole texts by end-to-end NLI; the score is the mean of that and of the questions' score."""
    supported: bool = False
    """Where the whole texts are half of the score, a neutral verdict on them counts as 0 instead of 0.5."""
    response_first: bool = False
    """Take the response as premise and the knowledge as hypothesis in the end-to-end NLI."""


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
    """A question and its outcome.

    The outcome of a valid question is `equal`, `entailment`, `neutral`, `contradiction`, `f1` or `no_answer`. The
    outcome of a question that was filtered out is `personal` or `not_answered_by_response`. Only valid questions have a
    score.
    """

    span: str
    question: str
    outcome: str
    answer: str | None = None
    """The answer that the knowledge gives."""
    score: float | None = None

    @property
    def valid(self) -> bool:
        return self.score is not None


@dataclass(frozen=True, slots=True)
class Score:
    """The consistency of a response, in [0, 1]; None if there is no valid question and the fallback is off."""

    value: float | None
    checks: tuple[Check, ...]
    fallback: str | None = None
    """The class from the end-to-end NLI, if the score comes from it alone."""
    whole: float | None = None
    """The score of the whole texts, if it is half of the score."""

    @property
    def questions(self) -> int:
        return sum(check.valid for check in self.checks)

    @property
    def unanswered(self) -> int:
        return sum(check.outcome == "no_answer" for check in self.checks)
