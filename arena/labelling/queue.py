"""The order in which people label: first items on which judges disagree, mixed with a random share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from arena.core.hashing import seed_for, seeds_for

RANDOM_SHARE = 0.3


class Subject(Protocol):
    """An item that may be labelled, with each judge's (score, τ)."""

    @property
    def subject(self) -> str: ...

    @property
    def scores(self) -> Sequence[tuple[float, float]]: ...


def lot(seed: int, subject: str) -> float:
    """A number in [0, 1) that depends only on seed and subject."""
    return seed_for("queue", seed, subject) / 2**63


def is_random(seed: int, subject: str, share: float = RANDOM_SHARE) -> bool:
    """Whether the subject belongs to the random share, the only one that gives unbiased estimates."""
    return lot(seed, subject) < share


def disagreement(scores: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """A sort key: how split the judges' verdicts are, then how near the closest score is to its τ.

    Higher values come first.
    """
    if not scores:
        return 0.0, 0.0
    if len(scores) == 1:
        [(score, tau)] = scores
        return 0.0, -abs(score - tau)
    share = sum(score > tau for score, tau in scores) / len(scores)
    return share * (1 - share), -min(abs(score - tau) for score, tau in scores)


def order(candidates: Iterable[Subject], seed: int, share: float = RANDOM_SHARE) -> list[str]:
    """The queue: what judges disagree about first, with the random share mixed in evenly.

    The first n items therefore always contain a random sample: those that are `is_random`.
    """
    known = list(candidates)
    drawn: list[tuple[float, str]] = []
    rest: list[tuple[float, float, float, str]] = []
    for one, number in zip(known, seeds_for("queue", seed, last=(c.subject for c in known)), strict=True):
        if (chance := number / 2**63) < share:
            drawn.append((chance, one.subject))
        else:
            split, near = disagreement(one.scores)
            rest.append((-split, -near, chance, one.subject))
    drawn.sort()
    rest.sort()
    return list(_mixed([one[-1] for one in drawn], [one[-1] for one in rest], share))


def _mixed(drawn: Sequence[str], rest: Sequence[str], share: float) -> Iterator[str]:
    taken = [0, 0]
    for position in range(len(drawn) + len(rest)):
        due = taken[0] < share * (position + 1)
        from_drawn = taken[0] < len(drawn) and (due or taken[1] >= len(rest))
        yield drawn[taken[0]] if from_drawn else rest[taken[1]]
        taken[0 if from_drawn else 1] += 1
