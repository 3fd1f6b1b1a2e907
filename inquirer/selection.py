"""Which of a turn's questions are asked, and how many turns later: pure, and decided by the generator given."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Literal

from arena.core.types import InquiryReport, Kind, Question

PerTurn = int | Literal["all"]


@dataclass(frozen=True, slots=True)
class Chosen:
    """A question to ask `distance` turns after what it is about was said."""

    question: Question
    kind: Kind
    distance: int

    @property
    def key(self) -> str:
        """What `asked` remembers, so that a dialogue holds no question twice."""
        return key(self.question)


def key(question: Question) -> str:
    text = " ".join(question.text.lower().split())
    return f"{Kind.ASK_TWICE}: {text}" if question.kind is Kind.ASK_TWICE else text


def candidates(
    inquest: InquiryReport, kinds: Sequence[Kind], asked: Set[str], partner: InquiryReport | None = None
) -> list[Question]:
    """What may be asked now: kinds that are wanted, nothing twice.

    `about_partner` comes from the partner's message, everything else from the bot's own.
    """
    seen = set(asked)
    result = []
    own = [q for q in inquest.questions if q.kind is not Kind.ABOUT_PARTNER]
    theirs = [q for q in partner.questions if q.kind is Kind.ABOUT_PARTNER] if partner else []
    for question in (*own, *theirs):
        if question.kind in kinds and key(question) not in seen:
            seen.add(key(question))
            result.append(question)
    return result


def duplicates(
    inquest: InquiryReport, kinds: Sequence[Kind], asked: Set[str], partner: InquiryReport | None = None
) -> int:
    """How many of this turn's questions are left out because the dialogue asked them before."""
    return len(candidates(inquest, kinds, frozenset(), partner)) - len(
        candidates(inquest, kinds, asked, partner)
    )


def select(
    inquest: InquiryReport,
    kinds: Sequence[Kind],
    distances: Sequence[int],
    per_turn: PerTurn,
    asked: Set[str],
    random: Random,
    partner: InquiryReport | None = None,
) -> list[Chosen]:
    """This turn's inquiries; the caller adds each one's `key` to `asked`.

    A number draws that many without repeating a question: first the kind, evenly over the kinds that have
    a question left, then the entity, then one of its questions, then the distance.
    `all` asks everything at every distance.
    """
    left = candidates(inquest, kinds, asked, partner)
    if per_turn == "all":
        return [Chosen(question, question.kind, d) for question, d in product(left, distances)]
    chosen: list[Chosen] = []
    while left and len(chosen) < per_turn:
        kind = random.choice([k for k in kinds if any(q.kind is k for q in left)])
        of_kind = [q for q in left if q.kind is kind]
        starts = sorted({(q.entity.start, q.entity.end) for q in of_kind})
        place = random.choice(starts)
        question = random.choice([q for q in of_kind if (q.entity.start, q.entity.end) == place])
        left.remove(question)
        chosen.append(Chosen(question, kind, random.choice(list(distances))))
    return chosen
