"""Reads a user's file of answers with people's scores, for ConsisTest's Tables 4 and 9."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from arena.core.errors import InputError
from arena.core.types import Case, Kind
from arena.validation.rows import rows
from judges import words

NAMES = ("scored.csv", "scored.tsv", "scored.jsonl")
COLUMNS = "fact, question, truth, response, type (wh or yn), score and, if there is one, second_score"


@dataclass(frozen=True, slots=True)
class Scored:
    fact: str
    question: str
    truth: str
    response: str
    yes_no: bool
    score: float
    second: float | None


def find(path: Path) -> Path | None:
    """Return the path itself if it is a file, else the first of the file names NAMES that exists in the folder;
    None if there is no such file.
    """
    if path.is_file():
        return path
    return next((path / name for name in NAMES if (path / name).is_file()), None)


def load(path: Path) -> list[Scored]:
    answers = []
    for row in rows(path):
        kind = row.text("type").lower()
        if kind not in ("wh", "yn"):
            raise row.wrong(f"has the type '{kind}' instead of wh or yn")
        values = []
        for name in ("score", "second_score"):
            judgement = str(row.values.get(name) or "").strip()
            try:
                value = float(judgement) if judgement else None
            except ValueError:
                value = -1.0
            if value is not None and not 0.0 <= value <= 1.0:
                raise row.wrong(f"has the {name} '{judgement}' instead of a number from 0 to 1")
            values.append(value)
        if values[0] is None:
            raise row.wrong("has no score")
        answers.append(
            Scored(
                fact=row.text("fact", "c"),
                question=row.text("question", "q"),
                truth=row.text("truth", "a"),
                response=row.text("response"),
                yes_no=kind == "yn",
                score=values[0],
                second=values[1],
            )
        )
    if not answers:
        raise InputError(f"{path} holds no scored answer: its columns are {COLUMNS}.")
    return answers


def case(item: Scored) -> Case:
    kind = Kind.WH
    if item.yes_no:
        polarity = words.polarity(item.truth)
        positive = not words.negative(item.truth) if polarity is None else polarity
        kind = Kind.YES_NO_TRUE if positive else Kind.YES_NO_FALSE
    return Case(
        source=item.fact, question=item.question, answer=item.response, kind=kind, expected=item.truth
    )
