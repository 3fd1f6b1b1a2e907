"""Generated cases with labels: statement, question and answer about facts people state about themselves."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from arena.training.judges.kinds import Kind, Value, article, fill, kinds, listed
from arena.training.judges.numbers import word
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, Pair
from arena.training.judges.replies import no, swap, yes
from arena.training.judges.style import CHAT, CLOSINGS, GREETINGS, OPENINGS, sloppy
from judges.wording import hypothesis


@dataclass(frozen=True)
class Triple:
    """One case: statement, question and answer; separate, so that any format can be made of them."""

    statement: str
    question: str
    answer: str
    label: int
    kind: str = field(default="")
    case: str = field(default="")
    single: bool | None = None
    """Whether the question has one right answer, where that is known."""

    def pair(self, told: bool = False) -> Pair:
        """The case in the judge's format; `told` adds how many answers the question has."""
        read = hypothesis(self.question, self.answer, self.single if told else None)
        topical = self.case not in AWAY if self.question and self.case else None
        return Pair(self.statement, read, self.label, topical)


AWAY = frozenset(("evasion", "unrelated"))
"""Cases whose answer does not keep to the question."""
_FAVORITE = re.compile(
    r"(?i)favou?rite|\bmost\b|\bbest\b|better|biggest|prefer|native|mother tongue|dream|ur fav"
)


def has_one_answer(kind: Kind, statement: str, question: str) -> bool | None:
    """Whether another value contradicts the stated one."""
    if not kind.open and not kind.loose:
        return True
    if _FAVORITE.search(statement) and _FAVORITE.search(question):
        return True
    return None if kind.once or kind.loose else False


class Generator:
    """Draws triples.

    `held` selects what is never trained on: the held-out kinds, and every fifth value of the others.
    """

    def __init__(self, source: random.Random, held: bool) -> None:
        self.source = source
        self.held = held
        self.all = kinds()
        self.kinds = (
            [kind for kind in self.all if kind.held] * 2 + self.all
            if held
            else [k for k in self.all if not k.held]
        )
        self.evasions = listed("evasions")
        self.unrelated = listed("unrelated")

    def _values(self, kind: Kind) -> Sequence[Value]:
        if kind.numbers:
            low, high = kind.numbers
            found = []
            for number in range(low, high + 1):
                names = (str(number), word(number))
                found.append(Value(names if self.source.random() < 0.5 else names[::-1]))
            return found
        if kind.held or len(kind.values) < 10:
            return kind.values
        part = [value for index, value in enumerate(kind.values) if (index % 5 == 4) == self.held]
        return part

    def _slots(self, kind: Kind) -> dict[str, str]:
        return {name: self.source.choice(options) for name, options in kind.slots.items()}

    def _name(self, value: Value, broad: bool = False) -> str:
        names = value.names + (value.broad if broad else ())
        return names[0] if self.source.random() < 0.6 else self.source.choice(names)

    def _say(self, kind: Kind, value: Value, slots: dict[str, str], broad: bool = False) -> str:
        if value.said and self.source.random() < 0.25:
            return f"{self.source.choice(value.said)}."
        return fill(self.source.choice(kind.say), self._name(value, broad), slots)

    def _short(self, kind: Kind, value: Value, slots: dict[str, str], broad: bool = False) -> str:
        text = fill(self.source.choice(kind.short), self._name(value, broad), slots)
        return text[:1].upper() + text[1:] + self.source.choice([".", "", ".", "!"])

    def _dress(self, answer: str) -> str:
        """Adds chat around an answer without changing its meaning."""
        draw = self.source.random()
        if draw < 0.14:
            answer = f"{self.source.choice(OPENINGS)} {answer}"
        if 0.10 < draw < 0.26:
            answer = f"{answer} {self.source.choice(CLOSINGS)}"
        return sloppy(answer, self.source)

    def _utterance(self, statement: str, second: str) -> str:
        """The statement within a message: often with a second fact or with chat around it."""
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

    def _elsewhere(self, kind: Kind, slots: dict[str, str]) -> dict[str, str]:
        return {
            name: self.source.choice([o for o in options if o != slots[name]])
            for name, options in kind.slots.items()
        }

    def _second(self, kind: Kind) -> str:
        """A fact of another kind, unrelated to the first."""
        pick = self.source
        other = pick.choice(
            [k for k in self.kinds if k.name != kind.name and k.open and k.name not in ("dislike", "like_yn")]
        )
        return self._say(other, pick.choice(self._values(other)), self._slots(other))

    def _rival(self, kind: Kind, value: Value, slots: dict[str, str]) -> tuple[str, Value] | None:
        """A second fact of the same kind, and its value, which is a wrong answer about the first."""
        pick = self.source
        bound = next((k for k in self.kinds if k.name == kind.rival), None)
        if kind.slots and (bound is None or pick.random() < 0.5):
            rival = pick.choice([v for v in self._values(kind) if v.names[0] not in value.names])
            return self._say(kind, rival, self._elsewhere(kind, slots)), rival
        if bound is None:
            return None
        rival = pick.choice(
            [v for v in self._values(bound) if not set(v.names + v.broad) & set(value.names + value.broad)]
        )
        return self._say(bound, rival, self._slots(bound)), rival

    def group(self, numbers: bool = False) -> Iterator[Triple]:
        """One utterance with one question and several answers with different labels; optionally about a number."""
        pick = self.source
        kind = pick.choice([kind for kind in self.kinds if kind.numbers] if numbers else self.kinds)
        values = self._values(kind)
        if kind.numbers and pick.random() < 0.5:
            values = values[:6]  # the numbers that people mostly have of things
        value, other = pick.sample(list(values), 2)
        if kind.numbers and pick.random() < 0.5:  # near misses are the hard ones
            near = [v for v in values if v != value and abs(int(min(v.names)) - int(min(value.names))) < 4]
            other = pick.choice(near or [other])
        slots = self._slots(kind)
        denied = bool(kind.yn) and pick.random() < 0.10
        statement = self._say(kind, value, slots)
        second, draw, former = "", pick.random(), ""
        if denied:
            statement = fill(pick.choice(kind.none[:5]), self._name(value), slots)
        elif kind.was and pick.random() < 0.25:
            former = pick.choice(kind.was)
            former = former.replace("{o:a}", article(other.names[0])).replace("{o}", other.names[0])
            statement = fill(former, self._name(value), slots)
        elif value.said and pick.random() < 0.4:
            statement = f"{pick.choice(value.said)}."
        elif draw < 0.17 and (rival := self._rival(kind, value, slots)):
            second, other = rival
        elif draw < 0.30:
            second = self._second(kind)
        utterance = self._utterance(statement, second)
        partner = pick.random() < 0.07
        if denied:
            cases = self._after_denial(kind, value, slots, statement)
        elif former and kind.yn and pick.random() < 0.5:
            cases = self._no_longer(kind, other, slots)
        elif kind.yn and pick.random() < 0.36:
            cases = self._yes_no(kind, value, other, slots)
        else:
            cases = self._open(kind, statement, value, other, slots)
        for question, answer, label, case in cases:
            premise, asked, said = utterance, sloppy(question, pick), self._dress(answer)
            if partner:
                asked, said = swap(asked), swap(said)
            elif pick.random() < 0.06 and case in ("other", "right") and question:
                premise = hypothesis(asked, self._short(kind, value, slots))  # two answers to one question
            single = (
                has_one_answer(kind, statement, question) if case in ("right", "other", "denied") else None
            )
            yield Triple(premise, asked, said, label, kind.name, case, single)

    def _open(
        self, kind: Kind, statement: str, value: Value, other: Value, slots: dict[str, str]
    ) -> Iterator[tuple[str, str, int, str]]:
        pick = self.source
        question = fill(pick.choice(kind.ask), self._name(value), slots)
        if pick.random() < 0.07:
            question = ""
        long = pick.random() < 0.45 or not question
        right = self._say if long else self._short
        yield question, right(kind, value, slots, True), ENTAILMENT, "right"
        if pick.random() < 0.5:
            yield (
                question,
                (self._short if long and question else self._say)(kind, value, slots),
                ENTAILMENT,
                "right",
            )
        wrong, single = pick.random(), has_one_answer(kind, statement, question)
        if wrong < 0.62 and single is not None:
            text = (self._say if pick.random() < 0.4 or not question else self._short)(kind, other, slots)
            denied = single if question else single and bool(_FAVORITE.search(text) or not kind.open)
            yield question, text, CONTRADICTION if denied else NEUTRAL, "other"
        if wrong > 0.45:
            yield question, fill(pick.choice(kind.none), self._name(value), slots), CONTRADICTION, "denied"
        draw = pick.random()
        if draw < 0.30:
            yield question, pick.choice(self.evasions), NEUTRAL, "evasion"
        elif draw < 0.40:
            yield question, pick.choice(self.unrelated), NEUTRAL, "unrelated"
        elif draw < 0.55:
            yield question, self._second(kind), NEUTRAL, "unrelated"
        elif draw < 0.80 and kind.slots and question:
            elsewhere = self._elsewhere(kind, slots)
            asked = fill(pick.choice(kind.ask), self._name(value), elsewhere)
            named = any("{" + name + "}" in template for name in elsewhere for template in kind.ask)
            if named and asked != question:
                yield (
                    asked,
                    (self._short if pick.random() < 0.6 else self._say)(kind, other, elsewhere),
                    NEUTRAL,
                    "elsewhere",
                )
        elif draw < 0.92:
            foreign = pick.choice(
                [k for k in self.kinds if k.name != kind.name and k.name not in ("dislike", "like_yn")]
            )
            far = self._slots(foreign)
            found = pick.choice(self._values(foreign))
            asked = fill(pick.choice(foreign.ask), self._name(found), far)
            yield (
                asked,
                (self._short if pick.random() < 0.6 else self._say)(foreign, found, far),
                NEUTRAL,
                "foreign",
            )

    def _yes_no(
        self, kind: Kind, value: Value, other: Value, slots: dict[str, str]
    ) -> Iterator[tuple[str, str, int, str]]:
        pick = self.source
        any_of = "How many {x} do you have?" in kind.ask
        if any_of and pick.random() < 0.3:
            question = fill("Do you have any {x}?", "any", slots)
            yield question, yes(question, pick), ENTAILMENT, "yes"
            yield question, no(question, pick), CONTRADICTION, "no"
            return
        if kind.denying and pick.random() < 0.4:
            question = fill(pick.choice(kind.denying), self._name(value), slots)
            yield question, yes(question, pick), CONTRADICTION, "yes"
            yield question, no(question, pick), ENTAILMENT, "no"
            return
        draw = pick.random()
        if draw < 0.55:
            question = fill(pick.choice(kind.yn), self._name(value, True), slots)
            long = f" {self._say(kind, value, slots)}" if pick.random() < 0.3 else ""
            yield question, yes(question, pick) + long, ENTAILMENT, "yes"
            denied = (
                f" {fill(pick.choice(kind.none), self._name(value), slots)}" if pick.random() < 0.3 else ""
            )
            yield question, no(question, pick) + denied, CONTRADICTION, "no"
        elif draw < 0.85:
            question = fill(pick.choice(kind.yn), self._name(other), slots)
            if kind.open:
                if "favorite" not in question:
                    yield question, pick.choice([yes, no])(question, pick), NEUTRAL, "open"
                return
            long = f" {self._say(kind, other, slots)}" if pick.random() < 0.3 else ""
            yield question, yes(question, pick) + long, CONTRADICTION, "yes"
            right = f" {self._say(kind, value, slots)}" if pick.random() < 0.4 else ""
            yield question, no(question, pick) + right, ENTAILMENT, "no"
        else:
            foreign = pick.choice(
                [
                    k
                    for k in self.kinds
                    if k.name != kind.name and k.yn and k.name not in ("dislike", "like_yn")
                ]
            )
            question = fill(
                pick.choice(foreign.yn), self._name(pick.choice(self._values(foreign))), self._slots(foreign)
            )
            yield question, pick.choice([yes, no])(question, pick), NEUTRAL, "foreign"

    def _after_denial(
        self, kind: Kind, value: Value, slots: dict[str, str], statement: str
    ) -> Iterator[tuple[str, str, int, str]]:
        """For a statement that is itself a denial: answers that name the thing contradict it."""
        pick = self.source
        if pick.random() < 0.5:
            question = fill(pick.choice(kind.yn), self._name(value), slots)
            yield question, no(question, pick), ENTAILMENT, "denial kept"
            yield question, yes(question, pick), CONTRADICTION, "denial broken"
        else:
            question = fill(pick.choice(kind.ask), self._name(value), slots)
            form = self._say if pick.random() < 0.5 else self._short
            yield question, form(kind, value, slots), CONTRADICTION, "denial broken"
            yield question, statement, ENTAILMENT, "denial kept"
        if pick.random() < 0.3:
            yield question, pick.choice(self.evasions), NEUTRAL, "evasion"

    def reading(self) -> tuple[str, str, str | None]:
        """A message, an open question and the words that answer it, or none if it does not."""
        pick = self.source
        kind = pick.choice([kind for kind in self.kinds if kind.name != "weekend_did"])
        value = pick.choice(list(self._values(kind)))
        slots = self._slots(kind)
        name = self._name(value)
        statement = fill(pick.choice(kind.say), name, slots)
        rival = self._rival(kind, value, slots) if pick.random() < 0.3 else None
        second = rival[0] if rival else self._second(kind) if pick.random() < 0.35 else ""
        utterance = self._utterance(statement, second)
        asked = fill(pick.choice(kind.ask), name, slots)
        if pick.random() < 0.25:
            foreign = pick.choice([k for k in self.kinds if k.name != kind.name and k.name not in second])
            asked = fill(pick.choice(foreign.ask), "it", self._slots(foreign))
            return statement if second else utterance, sloppy(asked, pick), None
        return utterance, sloppy(asked, pick), name

    def _no_longer(
        self, kind: Kind, former: Value, slots: dict[str, str]
    ) -> Iterator[tuple[str, str, int, str]]:
        """A question whether the former value still holds."""
        pick = self.source
        question = fill(pick.choice(kind.yn), self._name(former), slots)
        if question.startswith("Do you "):
            question = pick.choice([question, question.replace("Do you ", "Do you still ", 1)])
        kept = [
            "Not anymore.",
            "No, not anymore.",
            "not any more",
            "I used to.",
            "No, that's over.",
            no(question, pick),
        ]
        broken = ["Yes, still.", "Yes, every day.", "I still do.", yes(question, pick), yes(question, pick)]
        yield question, pick.choice(kept), ENTAILMENT, "no"
        yield question, pick.choice(broken), CONTRADICTION, "yes"

    def triples(self, number: int, numbers: bool = False) -> list[Triple]:
        found: list[Triple] = []
        while len(found) < number:
            found.extend(self.group(numbers))
        return found[:number]

    def counts(self, number: int) -> list[Triple]:
        """Small numbers with bare answers, right or nearly right: "two" and "Three."."""
        pick = self.source
        able = [kind for kind in self.kinds if kind.numbers and kind.numbers[0] <= 2]
        found: list[Triple] = []
        while len(found) < number:
            kind = pick.choice(able)
            value, slots = pick.randint(2, 9), self._slots(kind)
            other = pick.choice([n for n in range(max(1, value - 3), value + 4) if n != value])
            statement = fill(
                pick.choice(kind.say), pick.choice((word(value), word(value), str(value))), slots
            )
            question = fill(pick.choice(kind.ask), word(value), slots)
            draw = pick.random()
            if (
                draw < 0.35 and kind.slots
            ):  # "three cats and one dog": the wrong number is there, of something else
                beside = fill(
                    pick.choice(kind.say),
                    pick.choice((word(other), str(other))),
                    self._elsewhere(kind, slots),
                )
                statement = self._utterance(statement, beside)
            elif draw < 0.55:
                statement = self._utterance(statement, self._second(kind))
            for said, label in ((value, ENTAILMENT), (other, CONTRADICTION)):
                bare = pick.choice((word(said), word(said), str(said)))
                short = bare if pick.random() < 0.6 else fill(pick.choice(kind.short), bare, slots)
                answer = sloppy(short[:1].upper() + short[1:] + pick.choice((".", ".", "", "!")), pick)
                found.append(Triple(statement, question, answer, label, kind.name, "count"))
        return found[:number]
