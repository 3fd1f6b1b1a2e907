"""Picks the clearest contradiction of a tournament, to show as an example."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from db.repository import Repository


@dataclass(frozen=True, slots=True)
class Highlight:
    """A bot's statement, the question, the answer, and the judge's score."""

    bot: str
    source: str
    question: str
    answer: str
    score: float


def clearest(
    repository: Repository, tournament: str, judge: str, bots: Collection[str], least: float = 0.5
) -> Highlight | None:
    """Return the contradiction about which the judge is most certain. Questions about facts with one right answer
    come first.
    """
    best: tuple[tuple[bool, float], Highlight] | None = None
    for record in repository.records(tournament):
        if record.tested not in bots:
            continue
        scores = {v.inquiry: v.judgement.contradiction for v in record.verdicts if v.judge == judge}
        for inquiry in record.inquiries:
            score = scores.get(inquiry.id)
            if score is None or score < least or inquiry.answer is None:
                continue
            rank = (inquiry.single_answer is True, score)
            if best is None or rank > best[0]:
                source = record.messages[inquiry.source].text
                best = rank, Highlight(record.tested, source, inquiry.question, inquiry.answer, score)
    return None if best is None else best[1]
