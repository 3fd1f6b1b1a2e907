"""Agreement of people on BEGIN's form: for each question, as in the paper (section 2.3), and for the classes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena.core.types import Label
from arena.stats import agreement
from judges.begin import protocol
from judges.begin.protocol import FORM
from judges.begin.taxonomy import FIVE

CLASS = "class"


@dataclass(frozen=True, slots=True)
class Row:
    """The agreement on one question. α is Krippendorff's alpha: interval distances for answers from 1 to 5, else
    nominal ones.
    """

    question: str
    people: int
    items: int
    """The number of items that at least two people rated. An item is a sentence, or for the class a whole response."""
    unanimous: float
    alpha: float


def rows(labels: Sequence[Label]) -> list[Row]:
    """One row for the class, and one for each question that two people answered for the same sentence."""
    result = []
    for question in FORM:
        given: dict[tuple[str, str], float] = {}
        for label in labels:
            for sentence in range(protocol.sentence_count(label.values)):
                answer = protocol.of_sentence(label.values, sentence).get(question.name)
                if answer is not None:
                    item = protocol.field(label.subject, sentence)
                    given[label.person, item] = float(question.scale.index(str(answer)))
        result.append(_row(question.name, given, "nominal" if question.name == "aside" else "interval"))
    classes = {
        (label.person, label.subject): float(FIVE.index(label_class))
        for label in labels
        if (label_class := protocol.label_of(label.values)) is not None
    }
    result.append(_row(CLASS, classes, "nominal"))
    return [row for row in result if row.items]


def _row(name: str, given: dict[tuple[str, str], float], level: str) -> Row:
    people, items = (sorted({key[side] for key in given}) for side in (0, 1))
    table = np.full((len(people), len(items)), np.nan)
    at = {item: side for side, item in enumerate(items)}
    for (person, item), value in given.items():
        table[people.index(person), at[item]] = value
    seen = agreement.people(people, table) if people else None
    if seen is None or not seen.items:
        return Row(name, len(people), 0, float("nan"), float("nan"))
    return Row(
        name, len(people), seen.items, seen.share_unanimous, agreement.krippendorff_alpha(table, level)
    )
