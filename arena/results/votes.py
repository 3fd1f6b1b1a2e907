"""What people's labels say of a tournament's inquiries: their votes, and which of them the lot chose."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from arena.labelling.schemas import DECIDER, opinion
from arena.stats.counts import Floats
from db.statistics import Said

LABELS = ("contradicts", "relevant", "appropriate")  # AIH's three questions


def votes_of(said: Sequence[Said]) -> dict[str, dict[str, float]]:
    """{question: {inquiry: 0 or 1}}: the final decision where there is one, else the majority; ties stay out."""
    decided: dict[str, dict[str, float]] = {question: {} for question in LABELS}
    ballots: dict[str, dict[str, list[float]]] = {question: {} for question in LABELS}
    for label in said:
        if label.subject_type != "inquiry":
            continue
        for question in LABELS:
            value = opinion(label.values.get(question))
            if value is None:
                continue
            if label.person == DECIDER:
                decided[question][label.subject] = value
            else:
                ballots[question].setdefault(label.subject, []).append(value)
    return {
        question: {
            key: float(sum(values) * 2 > len(values))
            for key, values in by_inquiry.items()
            if sum(values) * 2 != len(values)
        }
        | decided[question]
        for question, by_inquiry in ballots.items()
    }


def drawn_by_lot(said: Sequence[Said], everything: Collection[str] = ()) -> frozenset[str]:
    """Inquiries that the lot chose when they were handed out: a random sample, as the doubtful ones are not.

    Where `everything` that can be labelled is, nobody has chosen: all count.
    """
    labelled = {label.subject for label in said if label.subject_type == "inquiry"}
    if everything and labelled.issuperset(everything):
        return frozenset(labelled)
    return frozenset(label.subject for label in said if label.subject_type == "inquiry" and label.drawn)


def only(votes: Mapping[str, float], subjects: Collection[str]) -> dict[str, float]:
    return {key: vote for key, vote in votes.items() if key in subjects}


def ratings(
    said: Sequence[Said], question: str = "contradicts"
) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    """(people, inquiries, people × inquiries): who said what, nan where nothing was said."""
    mine = [
        (label.person, label.subject, value)
        for label in said
        if label.subject_type == "inquiry"
        and label.person != DECIDER
        and (value := opinion(label.values.get(question))) is not None
    ]
    people = tuple(sorted({person for person, _, _ in mine}))
    subjects = tuple(sorted({subject for _, subject, _ in mine}))
    rows = {person: i for i, person in enumerate(people)}
    columns = {subject: i for i, subject in enumerate(subjects)}
    table = np.full((len(people), len(subjects)), np.nan)
    for person, subject, value in mine:
        table[rows[person], columns[subject]] = value
    return people, subjects, table


def aligned(rows: Mapping[str, int], votes: Mapping[str, float], size: int) -> Floats:
    """Votes in the order of the inquiries; nan where there is none."""
    found: Floats = np.full(size, np.nan, float if votes else np.float32)
    for key, vote in votes.items():
        if (row := rows.get(key)) is not None:
            found[row] = vote
    return found
