"""Exports people's answers to BEGIN's form in the format that `arena validate begin` reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from arena.core.safe_text import clean
from arena.core.types import Label
from db import Database
from db.grounded import Responses
from judges.begin.protocol import label_of

COLUMNS = ("knowledge", "message", "response", "begin_label")


def votes(labels: Sequence[Label]) -> Mapping[str, str | None]:
    """The class that most people gave each response. It is None in case of a tie, or if no answers lead to a class."""
    counts: dict[str, Counter[str]] = {}
    for label in labels:
        counted = counts.setdefault(label.subject, Counter())
        label_class = label_of(label.values)
        if label_class is not None:
            counted[str(label_class)] += 1
    return {subject: _most(counted) for subject, counted in counts.items()}


def _most(counted: Counter[str]) -> str | None:
    first = counted.most_common(2)
    if not first or (len(first) == 2 and first[0][1] == first[1][1]):
        return None
    return first[0][0]


def write_tsv(store: Database, labels: Sequence[Label], out: TextIO) -> tuple[int, int]:
    """Write the file. Returns the number of responses written, and the number of responses left out without a class."""
    decided = votes([label for label in labels if label.schema == "begin"])
    known = {subject: label for subject, label in decided.items() if label is not None}
    responses = Responses(store).responses(sorted(known))
    out.write("\t".join(COLUMNS) + "\n")
    for one in sorted(responses, key=lambda each: each.subject):
        row: tuple[Any, ...] = (one.knowledge, one.previous, one.text, known[one.subject])
        out.write("\t".join(clean(cell) for cell in row) + "\n")
    return len(responses), len(decided) - len(responses)
