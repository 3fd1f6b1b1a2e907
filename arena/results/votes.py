"""People's votes on a tournament's inquiries, and which inquiries were drawn by lot."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import numpy as np

from arena.core.types import Label
from arena.labelling.schemas import AIH, DECIDER, opinion
from arena.stats.counts import Floats

LABELS = ("contradicts", "relevant", "appropriate")  # AIH's three questions


def votes_of(labels: Sequence[Label]) -> dict[str, dict[str, float]]:
    """Return {question: {inquiry: 0 or 1}}: the final decision if there is one, else the majority. Ties are left
    out.
    """
    decided: dict[str, dict[str, float]] = {question: {} for question in LABELS}
    ballots: dict[str, dict[str, list[float]]] = {question: {} for question in LABELS}
    for label in labels:
        if label.schema != AIH:
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


def drawn_by_lot(
    labels: Sequence[Label], everything: Collection[str] = (), schema: str = AIH
) -> frozenset[str]:
    """Return the subjects that were drawn at random when they were handed out. They are a random sample.

    If everything in `everything` is labelled, nothing was selected, and all labelled subjects count.
    """
    labelled = {label.subject for label in labels if label.schema == schema}
    if everything and labelled.issuperset(everything):
        return frozenset(labelled)
    return frozenset(label.subject for label in labels if label.schema == schema and label.drawn)


def only(votes: Mapping[str, float], subjects: Collection[str]) -> dict[str, float]:
    return {key: vote for key, vote in votes.items() if key in subjects}


def ratings(
    labels: Sequence[Label], question: str = "contradicts", schema: str = AIH, choices: Sequence[str] = ()
) -> tuple[tuple[str, ...], tuple[str, ...], Floats]:
    """Return (people, subjects, matrix). The matrix (people × subjects) holds each person's answers; nan where
    there is no answer.

    Yes is 1 and no is 0. With `choices`, an answer is its position among the choices.
    """
    codes = {choice: float(code) for code, choice in enumerate(choices)}
    mine = [
        (label.person, label.subject, value)
        for label in labels
        if label.schema == schema
        and label.person != DECIDER
        and (value := _code(label.values.get(question), codes)) is not None
    ]
    people = tuple(sorted({person for person, _, _ in mine}))
    subjects = tuple(sorted({subject for _, subject, _ in mine}))
    rows = {person: i for i, person in enumerate(people)}
    columns = {subject: i for i, subject in enumerate(subjects)}
    table = np.full((len(people), len(subjects)), np.nan)
    for person, subject, value in mine:
        table[rows[person], columns[subject]] = value
    return people, subjects, table


def _code(value: object, codes: Mapping[str, float]) -> float | None:
    return codes.get(str(value)) if codes else opinion(value)


def aligned(rows: Mapping[str, int], votes: Mapping[str, float], size: int) -> Floats:
    """Return votes in the order of the inquiries; nan where an inquiry has no vote."""
    column: Floats = np.full(size, np.nan, float if votes else np.float32)
    for key, vote in votes.items():
        if (row := rows.get(key)) is not None:
            column[row] = vote
    return column
