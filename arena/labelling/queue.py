"""The order in which people label: items on which judges disagree come first, mixed with a random sample."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol

from arena.core.hashing import seed_for, seeds_for

RANDOM_SHARE = 0.3


class Subject(Protocol):
    """An item that may be labelled, with the score and the threshold τ of each judge."""

    @property
    def subject(self) -> str: ...

    @property
    def scores(self) -> Sequence[tuple[float, float]]: ...


def lot(seed: int, subject: str) -> float:
    """A pseudo-random number in [0, 1) that depends only on the seed and the subject."""
    return seed_for("queue", seed, subject) / 2**63


def is_random(seed: int, subject: str, share: float = RANDOM_SHARE) -> bool:
    """Whether the subject belongs to the random sample. Only this sample gives unbiased estimates."""
    return lot(seed, subject) < share


def disagreement(scores: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """A sort key that is highest where judges disagree most. It holds how evenly the judges' verdicts are split,
    and how near the closest score is to its τ.
    """
    if not scores:
        return 0.0, 0.0
    if len(scores) == 1:
        [(score, tau)] = scores
        return 0.0, -abs(score - tau)
    share = sum(score > tau for score, tau in scores) / len(scores)
    return share * (1 - share), -min(abs(score - tau) for score, tau in scores)


def order(candidates: Iterable[Subject], seed: int, share: float = RANDOM_SHARE) -> list[str]:
    """The queue: items on which judges disagree come first, with the random sample mixed in evenly.

    The first n items therefore always contain a random sample, namely the items that are `is_random`.
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
