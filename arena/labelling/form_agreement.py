"""How far people agree on BEGIN's form: question by question as in the paper (section 2.3), and on the classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena.stats import agreement
from db.statistics import Said
from judges.begin import protocol
from judges.begin.protocol import FORM
from judges.begin.taxonomy import FIVE

CLASS = "class"


@dataclass(frozen=True, slots=True)
class Row:
    """α is Krippendorff's: of intervals for answers from 1 to 5, of names for the others."""

    question: str
    people: int
    items: int
    """Rated by two or more: sentences, or whole responses for the class."""
    unanimous: float
    alpha: float


def rows(said: Sequence[Said]) -> list[Row]:
    """One for each question that two people answered of the same sentence, and one for the class."""
    found = []
    for question in FORM:
        given: dict[tuple[str, str], float] = {}
        for label in said:
            for sentence in range(protocol.sentence_count(label.values)):
                answer = protocol.of_sentence(label.values, sentence).get(question.name)
                if answer is not None:
                    item = protocol.field(label.subject, sentence)
                    given[label.person, item] = float(question.scale.index(str(answer)))
        found.append(_row(question.name, given, "nominal" if question.name == "aside" else "interval"))
    classes = {
        (label.person, label.subject): float(FIVE.index(told))
        for label in said
        if (told := protocol.label_of(label.values)) is not None
    }
    found.append(_row(CLASS, classes, "nominal"))
    return [row for row in found if row.items]


def _row(name: str, given: dict[tuple[str, str], float], level: str) -> Row:
    people, items = (sorted({key[place] for key in given}) for place in (0, 1))
    table = np.full((len(people), len(items)), np.nan)
    at = {item: place for place, item in enumerate(items)}
    for (person, item), value in given.items():
        table[people.index(person), at[item]] = value
    seen = agreement.people(people, table) if people else None
    if seen is None or not seen.items:
        return Row(name, len(people), 0, float("nan"), float("nan"))
    return Row(
        name, len(people), seen.items, seen.share_unanimous, agreement.krippendorff_alpha(table, level)
    )
