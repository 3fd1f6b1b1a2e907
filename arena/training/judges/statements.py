"""States generated facts: draws their values, and words them as sentences, short answers and messages."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from arena.training.judges.kinds import Kind, Value, fill, kinds
from arena.training.judges.numbers import word
from arena.training.judges.style import CHAT, CLOSINGS, GREETINGS, OPENINGS, sloppy

_LIKES = ("dislike", "like_yn")


@dataclass(frozen=True)
class Stated:
    """A fact that a message states, and another value of the same sort."""

    kind: Kind
    value: Value
    other: Value
    slots: dict[str, str]
    statement: str


class Statements:
    """Draws facts and their wordings.

    `held` selects the facts that are never trained on: the held-out kinds, and every fifth value of the other
    kinds.
    """

    def __init__(self, source: random.Random, held: bool) -> None:
        self.source = source
        self.held = held
        everything = kinds()
        self.kinds = (
            [kind for kind in everything if kind.held] * 2 + everything
            if held
            else [kind for kind in everything if not kind.held]
        )

    def values(self, kind: Kind) -> Sequence[Value]:
        if kind.numbers:
            low, high = kind.numbers
            numbers = []
            for number in range(low, high + 1):
                names = (str(number), word(number))
                numbers.append(Value(names if self.source.random() < 0.5 else names[::-1]))
            return numbers
        if kind.held or len(kind.values) < 10:
            return kind.values
        return [value for index, value in enumerate(kind.values) if (index % 5 == 4) == self.held]

    def slots(self, kind: Kind) -> dict[str, str]:
        return {name: self.source.choice(options) for name, options in kind.slots.items()}

    def name(self, value: Value, broad: bool = False) -> str:
        names = value.names + (value.broad if broad else ())
        return names[0] if self.source.random() < 0.6 else self.source.choice(names)

    def say(self, kind: Kind, value: Value, slots: dict[str, str], broad: bool = False) -> str:
        if value.sentences and self.source.random() < 0.25:
            return f"{self.source.choice(value.sentences)}."
        return fill(self.source.choice(kind.say), self.name(value, broad), slots)

    def short(self, kind: Kind, value: Value, slots: dict[str, str], broad: bool = False) -> str:
        text = fill(self.source.choice(kind.short), self.name(value, broad), slots)
        return text[:1].upper() + text[1:] + self.source.choice([".", "", ".", "!"])

    def dress(self, answer: str) -> str:
        """Add chat around an answer without changing its meaning."""
        draw = self.source.random()
        if draw < 0.14:
            answer = f"{self.source.choice(OPENINGS)} {answer}"
        if 0.10 < draw < 0.26:
            answer = f"{answer} {self.source.choice(CLOSINGS)}"
        return sloppy(answer, self.source)

    def utterance(self, statement: str, second: str) -> str:
        """Put the statement into a message, often with a second fact or with chat around it."""
        pick = self.source
        draw = pick.random()
        if second:
            first = statement.rstrip(".")
            forms = [
                f"{first} and {second}",
                f"{first}. {second}",
                f"{second} {statement}",
                f"{first}, {second}",
            ]
            forms += [f"{second.rstrip('.')} and {first}", f"{first} but {second}"]
            statement = pick.choice(forms)
        elif draw < 0.25:
            statement = f"{pick.choice(GREETINGS)} {statement}"
        if 0.15 < draw < 0.40:
            statement = f"{statement.rstrip()} {pick.choice(CHAT)}"
        return sloppy(statement, pick)

    def elsewhere(self, kind: Kind, slots: dict[str, str]) -> dict[str, str]:
        return {
            name: self.source.choice([o for o in options if o != slots[name]])
            for name, options in kind.slots.items()
        }

    def foreign(self, kind: Kind, fits: Callable[[Kind], object] = bool) -> Kind:
        """Return another kind of fact. Facts about likes are left out, because they may overlap with any other kind."""
        others = [k for k in self.kinds if k.name != kind.name and fits(k) and k.name not in _LIKES]
        return self.source.choice(others)

    def second(self, kind: Kind) -> str:
        """Return a fact of another kind, unrelated to the first fact."""
        other = self.foreign(kind, lambda other: other.open)
        return self.say(other, self.source.choice(self.values(other)), self.slots(other))

    def rival(self, kind: Kind, value: Value, slots: dict[str, str]) -> tuple[str, Value] | None:
        """Return a second fact of a similar kind, and its value. This value is a wrong answer to a question about
        the first fact.
        """
        pick = self.source
        bound = next((k for k in self.kinds if k.name == kind.rival), None)
        if kind.slots and (bound is None or pick.random() < 0.5):
            rival = pick.choice([v for v in self.values(kind) if v.names[0] not in value.names])
            return self.say(kind, rival, self.elsewhere(kind, slots)), rival
        if bound is None:
            return None
        rival = pick.choice(
            [v for v in self.values(bound) if not set(v.names + v.broad) & set(value.names + value.broad)]
        )
        return self.say(bound, rival, self.slots(bound)), rival
