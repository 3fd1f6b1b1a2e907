"""The noun phrase that would be the answer: its words, its head noun, and the phrases around it."""

from __future__ import annotations

from dataclasses import dataclass

from inquirer.language.clause import Clause, Phrase
from inquirer.language.phrases import head, trimmed


@dataclass(frozen=True, slots=True)
class Noun:
    """A noun phrase as the possible answer.

    `low` holds its words in lower case without articles. `core` is its head noun, which the other words describe.
    """

    clause: Clause
    phrase: Phrase
    start: int
    low: tuple[str, ...]
    core: str

    @property
    def place(self) -> tuple[int, int]:
        return self.start, self.phrase.end

    @property
    def last(self) -> str:
        return self.low[-1]

    @property
    def opener(self) -> str:
        """The first word of the phrase, which may be a preposition."""
        return self.clause.words[self.phrase.start].lower

    @property
    def gerund(self) -> bool:
        return self.clause.tags[self.phrase.body] == "VBG"

    @property
    def before(self) -> tuple[Phrase, ...]:
        return self.clause.phrases[: self.clause.phrases.index(self.phrase)]

    @property
    def previous(self) -> Phrase | None:
        return self.before[-1] if self.before else None

    @property
    def following(self) -> list[Phrase]:
        return [p for p in self.clause.phrases if p.start >= self.phrase.end]

    @property
    def adjacent(self) -> bool:
        """Whether only adverbs, times and the like stand between the verb and this phrase."""
        return all(p.kind == "adv" or ending(self.clause, p) in {"time", "basis"} for p in self.before)

    @property
    def tags(self) -> tuple[str, ...]:
        return self.clause.tags[self.start : self.phrase.end]


def noun(clause: Clause, phrase: Phrase) -> Noun:
    start = trimmed(clause.words, phrase.body, phrase.end)
    low = tuple(x.lower for x in clause.words[start : phrase.end])
    return Noun(clause, phrase, start, low, head(clause.words, start, phrase.end))


def lower(clause: Clause, phrase: Phrase) -> list[str]:
    return [x.lower for x in clause.words[phrase.start : phrase.end]]


def opening(clause: Clause, phrase: Phrase) -> str:
    return clause.words[phrase.start].lower


def ending(clause: Clause, phrase: Phrase) -> str:
    return clause.words[phrase.end - 1].lower
