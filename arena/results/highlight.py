"""The one contradiction to show to somebody who has never seen any."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from db.repository import Repository


@dataclass(frozen=True, slots=True)
class Highlight:
    """What a bot said, what it was asked, what it answered, and how sure the judge is."""

    bot: str
    source: str
    question: str
    answer: str
    score: float


def clearest(
    repository: Repository, tournament: str, judge: str, bots: Collection[str], least: float = 0.5
) -> Highlight | None:
    """The contradiction of one of the bots that the judge is surest of; facts with one right answer come first."""
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
