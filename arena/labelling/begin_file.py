"""People's answers to BEGIN's form as a file like the published ones, which `arena validate begin` reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, TextIO

from sqlalchemy import Engine

from arena.core.safe_text import clean
from arena.core.types import Label
from db.grounded import Responses
from judges.begin.protocol import label_of

COLUMNS = ("knowledge", "message", "response", "begin_label")


def votes(labels: Sequence[Label]) -> Mapping[str, str | None]:
    """The majority's class of each response; None where people tie or their answers reach no class."""
    said: dict[str, Counter[str]] = {}
    for label in labels:
        counted = said.setdefault(label.subject, Counter())
        told = label_of(label.values)
        if told is not None:
            counted[str(told)] += 1
    return {subject: _most(counted) for subject, counted in said.items()}


def _most(counted: Counter[str]) -> str | None:
    first = counted.most_common(2)
    if not first or (len(first) == 2 and first[0][1] == first[1][1]):
        return None
    return first[0][0]


def write_tsv(engine: Engine, labels: Sequence[Label], out: TextIO) -> tuple[int, int]:
    """How many responses were written, and how many have no class."""
    decided = votes([label for label in labels if label.schema == "begin"])
    known = {subject: label for subject, label in decided.items() if label is not None}
    responses = Responses(engine).responses(sorted(known))
    out.write("\t".join(COLUMNS) + "\n")
    for one in sorted(responses, key=lambda each: each.subject):
        row: tuple[Any, ...] = (one.knowledge, one.previous, one.text, known[one.subject])
        out.write("\t".join(clean(cell) for cell in row) + "\n")
    return len(responses), len(decided) - len(responses)
