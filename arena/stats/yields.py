"""Computes the amount of judged material: questions, answers and findings per 100 replies and per minute."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Yield:
    """The yields of a tournament. A yield is None if its denominator is 0."""

    inquiries_per_100_replies: float | None
    inquiries_per_100_planned: float | None  # per planned replies, so that ending early gains nothing
    answers_per_100_replies: float | None
    findings_per_100_replies: float | None
    findings_per_minute: float | None


def of(replies: int, planned: int, inquiries: int, answers: int, findings: int, seconds: float) -> Yield:
    """Compute the yields from sums over a tournament's dialogues. Seconds are the machine's seconds for playing
    and judging.
    """
    return Yield(
        _per(inquiries, replies, 100),
        _per(inquiries, planned, 100),
        _per(answers, replies, 100),
        _per(findings, replies, 100),
        _per(findings, seconds, 60),
    )


def _per(number: float, of: float, times: float) -> float | None:
    return None if of <= 0 else round(times * number / of, 2)
