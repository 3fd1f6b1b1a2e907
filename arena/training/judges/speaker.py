"""Pairs of statements by one speaker, which the checks `history` and `persona` compare.

Three sources: statements of one side of a conversation, which contradict nothing; two facts of one kind; and the
pairs in `written/`, which a language model wrote for this project.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.core.hashing import digest
from arena.training.judges.conversations import conversations
from arena.training.judges.drills.several import LIKED
from arena.training.judges.kinds import fill, has_one_answer, names_one
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, NOT_CONTRADICTION, Pair
from arena.training.judges.readings import KEPT_APART, LABELS, TOLD
from arena.training.judges.statements import Statements
from arena.training.judges.style import sloppy
from arena.training.judges.texts import Guard, table
from judges import words
from judges.assertions import assertions, near_copies, of_persona
from judges.wording import hypothesis

WRITTEN = Path(__file__).parent / "written"


def kept_apart(key: str) -> bool:
    """Whether a conversation or a written pair is never trained on. Scales and thresholds are fitted to these."""
    return int(digest(key)[:8], 16) % KEPT_APART == 0


def agreeing(data: Path, guard: Guard, source: random.Random) -> list[Pair]:
    """Return a pair for each later statement in the conversations: an earlier statement of the same speaker or a
    line of its persona, half of the time the one that shares most words. Authors of conversations contradict
    themselves rarely.
    """
    pairs = []
    for key, personas, lines in conversations(data):
        if kept_apart(key):
            continue
        for seat in (0, 1):
            facts = of_persona(personas[seat])
            before: list[str] = []
            for who, text in lines:
                statements = assertions(text) if who == seat else []
                for later in statements:
                    for earlier in (before, facts):
                        others = [one for one in earlier if not near_copies(one, later)]
                        if others and not guard.knows(later):
                            pairs.append(Pair(_one_of(others, later, source), later, NOT_CONTRADICTION))
                before += statements
    return pairs


def _one_of(earlier: Sequence[str], later: str, source: random.Random) -> str:
    if source.random() < 0.5:
        return source.choice(earlier)
    own = set(words.content(later))
    return max(earlier, key=lambda one: (len(own & set(words.content(one))), source.random()))


def two_facts(source: random.Random, number: int) -> list[Pair]:
    """Return pairs of generated facts of one kind. Two values contradict each other if a person has one of them
    at a time.
    """
    return [pair for pair, _ in zip(_two_facts(source), range(number), strict=False)]


def _two_facts(source: random.Random) -> Iterator[Pair]:
    facts = Statements(source, held=False)
    while True:
        kind = source.choice(facts.kinds)
        values = list(facts.values(kind))
        if len(values) < 2:
            continue
        value, other = source.sample(values, 2)
        slots = facts.slots(kind)
        first, second = facts.say(kind, value, slots), facts.say(kind, other, slots)
        draw = source.random()
        if draw < 0.50:
            single = has_one_answer(kind, first, second)
            if single is None or (single and _only_liked(first, second)):
                continue
            label = CONTRADICTION if single else NEUTRAL
        elif draw < 0.62:
            second, label = facts.say(kind, value, slots), ENTAILMENT
        elif draw < 0.72 and kind.was:
            template = source.choice(kind.was).replace("{o:a}", other.names[0]).replace("{o}", other.names[0])
            second, label = fill(template, facts.name(value), slots), ENTAILMENT
        elif draw < 0.86:
            second, label = facts.second(kind), NEUTRAL
        else:
            second, label = fill(source.choice(kind.none), facts.name(value), slots), CONTRADICTION
            if len(second.split()) < 4:
                continue
        if source.random() < 0.5:
            first, second = facts.utterance(first, ""), facts.utterance(second, "")
        yield Pair(sloppy(first, source), sloppy(second, source), label)


def _only_liked(first: str, second: str) -> bool:
    """Whether a text says that something is liked, but not that it is the favorite. One may like two colors."""
    return any(LIKED.search(text) and not names_one(text) for text in (first, second))


@dataclass(frozen=True, slots=True)
class Written:
    """A pair of statements, or an inquiry, that a language model wrote for this project, with its label."""

    earlier: str
    question: str
    later: str
    label: int
    single: bool | None
    relevant: bool | None

    @property
    def kept_apart(self) -> bool:
        return kept_apart(self.earlier)

    def pair(self, told: bool) -> Pair:
        later = hypothesis(self.question, self.later, self.single if told else None)
        return Pair(self.earlier, later, self.label, self.relevant)

    def swapped(self) -> Pair:
        """The two statements in the other order. What contradicts stays a contradiction; whether the new first one
        implies the second is not known.
        """
        label = CONTRADICTION if self.label == CONTRADICTION else NOT_CONTRADICTION
        return Pair(self.later, self.earlier, label)


def written(folder: Path = WRITTEN) -> list[Written]:
    known = {"": None, "0": False, "1": True}
    return [
        Written(
            row["earlier"],
            row["question"],
            row["later"],
            LABELS[row["label"]],
            known[row["single"]],
            known[row["relevant"]],
        )
        for path in sorted(folder.glob("*.tsv"))
        for row in table(path)
    ]


def written_pairs(source: random.Random, rows: Sequence[Written]) -> list[Pair]:
    """Return two pairs for each row that is not kept apart: statements in both orders; inquiries that state the
    number of right answers with the probability TOLD.
    """
    pairs = []
    for row in rows:
        if not row.kept_apart:
            again = row.pair(told=source.random() < TOLD) if row.question else row.swapped()
            pairs += [row.pair(told=source.random() < TOLD), again]
    return pairs
