"""In which order people label: what judges disagree about first, with a random share for unbiased estimates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from arena.hashing import seed_for

RANDOM_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Candidate:
    """A subject that may be labelled, with each judge's (score, τ)."""

    subject: str
    scores: tuple[tuple[float, float], ...] = ()


def lot(seed: int, subject: str) -> float:
    """A number in [0, 1) that only seed and subject decide."""
    return seed_for("queue", seed, subject) / 2**63


def is_random(seed: int, subject: str, share: float = RANDOM_SHARE) -> bool:
    """Whether the subject belongs to the random share: these alone give unbiased estimates."""
    return lot(seed, subject) < share


def disagreement(scores: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """How split the judges' verdicts are, then how near the nearest score is to its τ; more is more doubtful."""
    if not scores:
        return 0.0, 0.0
    share = sum(score > tau for score, tau in scores) / len(scores)
    return share * (1 - share), -min(abs(score - tau) for score, tau in scores)


def order(candidates: Iterable[Candidate], seed: int, share: float = RANDOM_SHARE) -> list[str]:
    """The queue: what judges disagree about first, with the random share mixed in evenly.

    Whoever labels the first n of it has labelled a random sample too: its members that are `is_random`.
    """
    lots = [(lot(seed, one.subject), one) for one in candidates]
    drawn = [
        one.subject
        for _, one in sorted((p for p in lots if p[0] < share), key=lambda p: (p[0], p[1].subject))
    ]
    rest = [p for p in lots if p[0] >= share]
    rest.sort(key=lambda p: (*(-x for x in disagreement(p[1].scores)), p[0], p[1].subject))
    return list(_mixed(drawn, [one.subject for _, one in rest], share))


def _mixed(drawn: Sequence[str], rest: Sequence[str], share: float) -> Iterator[str]:
    taken = [0, 0]
    for place in range(len(drawn) + len(rest)):
        due = taken[0] < share * (place + 1)
        from_drawn = taken[0] < len(drawn) and (due or taken[1] >= len(rest))
        yield drawn[taken[0]] if from_drawn else rest[taken[1]]
        taken[0 if from_drawn else 1] += 1
