"""Selects which of a turn's questions are asked, and how many turns later.

The given generator is the only source of randomness.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from itertools import product
from random import Random
from typing import Literal

from arena.core.types import InquiryReport, Kind, Question

PerTurn = int | Literal["all"]
Prefer = Literal["single", "any"]
NEARLY = 0.05  # of the score
OWN_FACTS = (Kind.WH, Kind.YES_NO_TRUE, Kind.YES_NO_FALSE)  # the kinds among which `prefer` chooses


@dataclass(frozen=True, slots=True)
class Chosen:
    """A question that is asked `distance` turns after the statement that it is about."""

    question: Question
    kind: Kind
    distance: int

    @property
    def key(self) -> str:
        """The key under which `asked` stores a question, so that a dialogue does not repeat the question."""
        return key(self.question)


def key(question: Question) -> str:
    text = " ".join(question.text.lower().split())
    return f"{Kind.ASK_TWICE}: {text}" if question.kind is Kind.ASK_TWICE else text


def candidates(
    inquest: InquiryReport, kinds: Sequence[Kind], asked: Set[str], partner: InquiryReport | None = None
) -> list[Question]:
    """Returns the questions that may be asked now: questions of wanted kinds, without repetitions.

    `about_partner` questions come from the partner's message, all others from the bot's own message.
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
    """Returns the number of this turn's questions that are left out because the dialogue has asked them before."""
    every = candidates(inquest, kinds, frozenset(), partner)
    return len(every) - len(candidates(inquest, kinds, asked, partner))


def select(
    inquest: InquiryReport,
    kinds: Sequence[Kind],
    distances: Sequence[int],
    per_turn: PerTurn,
    asked: Set[str],
    random: Random,
    partner: InquiryReport | None = None,
    prefer: Prefer = "any",
) -> list[Chosen]:
    """Selects this turn's inquiries. The caller adds the `key` of each inquiry to `asked`.

    If `per_turn` is a number, that many questions are drawn without repetition. Each draw chooses a kind, with
    equal probability for all kinds that have a question left, then an entity, one of its questions, and a distance.
    With `per_turn="all"`, every question is asked at every distance.

    With `prefer="single"`, the wh-questions and yes/no questions about the bot's own facts count as one kind. Only
    the best available group is used: first questions for facts with one right answer, then yes/no questions, then
    questions for facts with several right answers. The last group is only used if `kinds` has no yes/no questions,
    which would be better. Within the group, only questions that score nearly as high as the best question are
    drawn.
    """
    left = candidates(inquest, kinds, asked, partner)
    if per_turn == "all":
        return [Chosen(question, question.kind, d) for question, d in product(left, distances)]
    chosen: list[Chosen] = []
    while left and len(chosen) < per_turn:
        groups = _single_first(kinds, left) if prefer == "single" else _by_kind(kinds, left)
        if not groups:
            break
        group = random.choice(groups)
        places = sorted({(q.entity.start, q.entity.end) for q in group})
        place = random.choice(places)
        question = random.choice([q for q in group if (q.entity.start, q.entity.end) == place])
        left.remove(question)
        chosen.append(Chosen(question, question.kind, random.choice(list(distances))))
    return chosen


def _by_kind(kinds: Sequence[Kind], questions: Sequence[Question]) -> list[list[Question]]:
    groups = [[q for q in questions if q.kind is kind] for kind in kinds]
    return [group for group in groups if group]


def _single_first(kinds: Sequence[Kind], questions: Sequence[Question]) -> list[list[Question]]:
    groups = _by_kind([kind for kind in kinds if kind not in OWN_FACTS], questions)
    own = [q for q in questions if q.kind in OWN_FACTS]
    single = [q for q in own if q.kind is Kind.WH and q.single_answer]
    polar = [q for q in own if q.kind is not Kind.WH]
    if Kind.YES_NO_TRUE in kinds:
        own = [q for q in own if q.single_answer is not False]
    preferred = single or polar or own
    least = max((q.score for q in preferred), default=0.0) - NEARLY  # good questions before doubtful ones
    best = [q for q in preferred if q.score >= least]
    return [best, *groups] if best else groups
