"""Generates labelled cases: statement, question and answer about facts that people state about themselves."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from arena.training.judges.cases import (
    EVASIONS,
    Cases,
    after_denial,
    no_longer,
    open_question,
    yes_no,
)
from arena.training.judges.kinds import Kind, Value, article, fill, has_one_answer
from arena.training.judges.numbers import word
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT, Pair
from arena.training.judges.replies import swap
from arena.training.judges.statements import Stated, Statements
from arena.training.judges.style import sloppy
from judges.wording import hypothesis


@dataclass(frozen=True)
class Triple:
    """One case: statement, question and answer. They are stored separately, so that any format can be made from
    them.
    """

    statement: str
    question: str
    answer: str
    label: int
    kind: str = field(default="")
    case: str = field(default="")
    single: bool | None = None
    """Whether the question has one right answer; None if this is unknown."""

    def pair(self, told: bool = False) -> Pair:
        """Return the case in the judge's format. With `told`, the text says how many right answers the question has."""
        read = hypothesis(self.question, self.answer, self.single if told else None)
        topical = self.case not in AWAY if self.question and self.case else None
        return Pair(self.statement, read, self.label, topical)


AWAY = frozenset(("evasion", "unrelated"))
"""The names of the cases whose answer does not keep to its question."""


@dataclass(frozen=True)
class _Message:
    """A stated fact, and what else the message says."""

    stated: Stated
    second: str = ""
    """Another fact that the message states; empty if there is no other fact."""
    denies: bool = False
    former: bool = False
    """Whether the message says what no longer holds."""


class Generator:
    """Draws triples. `held` selects the facts that are never trained on, as in `Statements`."""

    def __init__(self, source: random.Random, held: bool) -> None:
        self.source = source
        self.facts = Statements(source, held)
        self.evasions = EVASIONS

    def triples(self, number: int, numbers: bool = False) -> list[Triple]:
        drawn: list[Triple] = []
        while len(drawn) < number:
            drawn.extend(self.group(numbers))
        return drawn[:number]

    def group(self, numbers: bool = False) -> Iterator[Triple]:
        """Yield cases with one utterance and several answers with different labels. With `numbers`, the fact is
        about a number.
        """
        pick, facts = self.source, self.facts
        kind = pick.choice([kind for kind in facts.kinds if kind.numbers] if numbers else facts.kinds)
        message = self._message(kind, *self._two_values(kind))
        stated = message.stated
        utterance = facts.utterance(stated.statement, message.second)
        partner = pick.random() < 0.07
        for question, answer, label, case in self._cases(message):
            premise, asked, reply = utterance, sloppy(question, pick), facts.dress(answer)
            if partner:
                asked, reply = swap(asked), swap(reply)
            elif pick.random() < 0.06 and case in ("other", "right") and question:
                short = facts.short(kind, stated.value, stated.slots)
                premise = hypothesis(asked, short)  # two answers to one question
            single = None
            if case in ("right", "other", "denied"):
                single = has_one_answer(kind, stated.statement, question)
            yield Triple(premise, asked, reply, label, kind.name, case, single)

    def _two_values(self, kind: Kind) -> tuple[Value, Value]:
        pick = self.source
        values = self.facts.values(kind)
        if kind.numbers and pick.random() < 0.5:
            values = values[:6]  # the most usual numbers
        value, other = pick.sample(list(values), 2)
        if kind.numbers and pick.random() < 0.5:  # nearly right numbers are the hard cases
            near = [v for v in values if v != value and abs(int(min(v.names)) - int(min(value.names))) < 4]
            other = pick.choice(near or [other])
        return value, other

    def _message(self, kind: Kind, value: Value, other: Value) -> _Message:
        pick, facts = self.source, self.facts
        slots = facts.slots(kind)
        denied = bool(kind.yn) and pick.random() < 0.10
        stated = Stated(kind, value, other, slots, facts.say(kind, value, slots))
        draw = pick.random()
        if denied:
            denial = fill(pick.choice(kind.none[:5]), facts.name(value), slots)
            return _Message(replace(stated, statement=denial), denies=True)
        if kind.was and pick.random() < 0.25:
            template = pick.choice(kind.was)
            template = template.replace("{o:a}", article(other.names[0])).replace("{o}", other.names[0])
            return _Message(replace(stated, statement=fill(template, facts.name(value), slots)), former=True)
        if value.sentences and pick.random() < 0.4:
            return _Message(replace(stated, statement=f"{pick.choice(value.sentences)}."))
        if draw < 0.17 and (rival := facts.rival(kind, value, slots)):
            return _Message(replace(stated, other=rival[1]), second=rival[0])
        return _Message(stated, second=facts.second(kind) if draw < 0.30 else "")

    def _cases(self, message: _Message) -> Cases:
        pick, kind = self.source, message.stated.kind
        if message.denies:
            return after_denial(self.facts, message.stated)
        if message.former and kind.yn and pick.random() < 0.5:
            return no_longer(self.facts, message.stated)
        if kind.yn and pick.random() < 0.36:
            return yes_no(self.facts, message.stated)
        return open_question(self.facts, message.stated)

    def counts(self, number: int) -> list[Triple]:
        """Return cases about small numbers with short answers, right or nearly right, for example "two" and
        "Three.".
        """
        pick = self.source
        able = [kind for kind in self.facts.kinds if kind.numbers and kind.numbers[0] <= 2]
        drawn: list[Triple] = []
        while len(drawn) < number:
            kind = pick.choice(able)
            value, slots = pick.randint(2, 9), self.facts.slots(kind)
            other = pick.choice([n for n in range(max(1, value - 3), value + 4) if n != value])
            statement = fill(
                pick.choice(kind.say), pick.choice((word(value), word(value), str(value))), slots
            )
            question = fill(pick.choice(kind.ask), word(value), slots)
            draw = pick.random()
            if draw < 0.35 and kind.slots:
                # For example "three cats and one dog": the wrong number occurs, but for something else
                beside = fill(
                    pick.choice(kind.say),
                    pick.choice((word(other), str(other))),
                    self.facts.elsewhere(kind, slots),
                )
                statement = self.facts.utterance(statement, beside)
            elif draw < 0.55:
                statement = self.facts.utterance(statement, self.facts.second(kind))
            for answered, label in ((value, ENTAILMENT), (other, CONTRADICTION)):
                bare = pick.choice((word(answered), word(answered), str(answered)))
                short = bare if pick.random() < 0.6 else fill(pick.choice(kind.short), bare, slots)
                answer = sloppy(short[:1].upper() + short[1:] + pick.choice((".", ".", "", "!")), pick)
                drawn.append(Triple(statement, question, answer, label, kind.name, "count"))
        return drawn[:number]

    def reading(self) -> tuple[str, str, str | None]:
        """Return a message, an open question, and the words that answer it; None if the message does not answer
        the question.
        """
        pick = self.source
        kind = pick.choice([kind for kind in self.facts.kinds if kind.name != "weekend_did"])
        value = pick.choice(list(self.facts.values(kind)))
        slots = self.facts.slots(kind)
        name = self.facts.name(value)
        statement = fill(pick.choice(kind.say), name, slots)
        rival = self.facts.rival(kind, value, slots) if pick.random() < 0.3 else None
        second = rival[0] if rival else self.facts.second(kind) if pick.random() < 0.35 else ""
        utterance = self.facts.utterance(statement, second)
        asked = fill(pick.choice(kind.ask), name, slots)
        if pick.random() < 0.25:
            foreign = pick.choice(
                [k for k in self.facts.kinds if k.name != kind.name and k.name not in second]
            )
            asked = fill(pick.choice(foreign.ask), "it", self.facts.slots(foreign))
            return statement if second else utterance, sloppy(asked, pick), None
        return utterance, sloppy(asked, pick), name
