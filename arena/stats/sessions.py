"""Summarises people's scores of chats (AIH, Table 2) and their marks on utterances."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True, slots=True)
class Scores:
    """The mean score of each person for each bot. `mean` averages over people, and `chats` counts the scored chats."""

    bots: tuple[str, ...]  # most consistent first
    people: tuple[str, ...]
    by_person: Mapping[str, Mapping[str, float]]
    mean: Mapping[str, float]
    chats: Mapping[str, int]


def scores(given: Iterable[tuple[str, str, float]]) -> Scores:
    """Summarise (person, bot, score) triples, one per chat."""
    table: dict[str, dict[str, list[float]]] = {}
    for person, bot, score in given:
        table.setdefault(bot, {}).setdefault(person, []).append(score)
    means = {
        bot: {person: float(np.mean(votes)) for person, votes in by.items()} for bot, by in table.items()
    }
    overall = {bot: float(np.mean(list(by.values()))) for bot, by in means.items()}
    people = sorted({person for by in means.values() for person in by})
    return Scores(
        tuple(sorted(overall, key=lambda bot: (-overall[bot], bot))),
        tuple(people),
        {person: {bot: by[person] for bot, by in means.items() if person in by} for person in people},
        overall,
        {bot: sum(len(votes) for votes in by.values()) for bot, by in table.items()},
    )


@dataclass(frozen=True, slots=True)
class Marks:
    """Counts of one bot's marked utterances. An utterance is inconsistent if most people who marked it say so."""

    bot: str
    utterances: int
    inconsistent: int
    open: int  # ties
    chats: int
    people: int

    @property
    def per_chat(self) -> float:
        return self.inconsistent / self.chats if self.chats else float("nan")

    @property
    def rate(self) -> float:
        decided = self.utterances - self.open
        return self.inconsistent / decided if decided else float("nan")


@dataclass
class _Tally:
    votes: dict[tuple[str, int], list[bool]] = field(default_factory=dict)
    people: set[str] = field(default_factory=set)


def marks(given: Iterable[tuple[str, str, str, int, bool]]) -> tuple[Marks, ...]:
    """Summarise tuples (person, bot, chat, utterance, inconsistent). The worst bot comes last."""
    tallies: dict[str, _Tally] = {}
    for person, bot, chat, index, inconsistent in given:
        tally = tallies.setdefault(bot, _Tally())
        tally.votes.setdefault((chat, index), []).append(inconsistent)
        tally.people.add(person)
    result = []
    for bot, tally in tallies.items():
        shares = np.array([np.mean(votes) for votes in tally.votes.values()])
        result.append(
            Marks(
                bot,
                len(shares),
                int((shares > 0.5).sum()),
                int((shares == 0.5).sum()),
                len({chat for chat, _ in tally.votes}),
                len(tally.people),
            )
        )
    return tuple(sorted(result, key=lambda m: (m.rate, m.bot)))


@dataclass(frozen=True, slots=True)
class Work:
    """The progress of labelling: items with a label, items with enough labels, and each person's work."""

    begun: int
    complete: int
    by_person: tuple[tuple[str, int, float], ...]  # name, labels, median seconds (nan where unknown)


def progress(labels: Iterable[tuple[str, str, float | None]], wanted: int) -> Work:
    """Summarise tuples (item, person, seconds), one per label."""
    items: Counter[str] = Counter()
    spent: dict[str, list[float]] = {}
    for item, person, seconds in labels:
        items[item] += 1
        spent.setdefault(person, []).append(float("nan") if seconds is None else seconds)
    people = tuple((person, len(took), _median(took)) for person, took in sorted(spent.items()))
    return Work(len(items), sum(number >= wanted for number in items.values()), people)


def _median(values: list[float]) -> float:
    """The median of the known values. A mean would be useless, because people take breaks in the middle of an item."""
    known = [value for value in values if np.isfinite(value)]
    return float(np.median(known)) if known else float("nan")
