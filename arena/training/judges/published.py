"""What readers said about the other tournaments in the published export (`examples/first-leaderboard`).

Answers and statements of language models in these tournaments are training data of the last stage. Their labels are
those in the export, on which two readers agree, and those in a folder (`docs/readings/published`). The tournament
that is published as the leaderboard is for measuring only: nothing of it is returned, and neither is any statement
that was read there.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.core.errors import InputError
from arena.training.judges.pairs import CONTRADICTION, NEUTRAL, NOT_CONTRADICTION, Pair
from arena.training.judges.readings import LABELS, Reading, readings
from arena.training.judges.texts import Guard, normal, table

MEASURED = "first-leaderboard"
TRAINED = frozenset({"earlier-leaderboard", "earlier-interviews"})
SCRIPTED = frozenset({"finder", "steady", "wobbly", "moody"})
"""Bots whose sentences come from a script or from the persona library."""

NOT_C = "not C"
"""The label of pairs of which readers only said, of the whole message, that it contradicts nothing."""

Dialogue = Mapping[str, Any]


@dataclass(frozen=True)
class Published:
    """The dialogues of an export, the labels of a folder by the ids of inquiries, and its pairs of statements."""

    dialogues: Sequence[Dialogue] = ()
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    pairs: Sequence[Pair] = ()


def published(export: Path | None, labels: Path | None = None) -> Published:
    """Read an export and a folder of further labels."""
    if export is None and labels is not None:
        raise InputError("`--labels` belongs to published tournaments: name their file with `--published`.")
    if export is None:
        return Published()
    rows = _readable(export)
    if labels is None:
        return Published(rows)
    for name in ("answers.tsv", "pairs.tsv"):
        if not (labels / name).is_file():
            raise InputError(f"{labels} has no {name}: give a folder like docs/readings/published.")
    answers = {row["id"]: row for row in table(labels / "answers.tsv")}
    names = {**LABELS, NOT_C: NOT_CONTRADICTION}
    pairs = [Pair(row["earlier"], row["later"], names[row["label"]]) for row in table(labels / "pairs.tsv")]
    return Published(rows, answers, pairs)


def _readable(export: Path) -> Sequence[Dialogue]:
    try:
        return tuple(dialogues(export))
    except (gzip.BadGzipFile, EOFError, ValueError) as error:
        raise InputError(
            f"{export} is not an export in JSON lines, packed by gzip: write it with `arena export` and gzip."
        ) from error


def dialogues(export: Path) -> Iterator[Dialogue]:
    with gzip.open(export, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def measured_texts(rows: Sequence[Dialogue]) -> frozenset[str]:
    """Every message of the measured tournament that readers read, or were asked about."""
    known: set[str] = set()
    for row in rows:
        if row["release"] == MEASURED:
            texts = {message["index"]: message["text"] for message in row["messages"]}
            known.update(normal(texts[one["source"]]) for one in row["inquiries"] if one["labels"])
            known.update(normal(texts[one["message"]]) for one in row["findings"] if one["labels"])
    return frozenset(known)


def others(rows: Sequence[Dialogue]) -> Iterator[Dialogue]:
    """Yield the dialogues of language models in the tournaments that are not for measuring."""
    return (row for row in rows if row["release"] != MEASURED and row["tested"] not in SCRIPTED)


def agreed(row: Dialogue, labels: Sequence[Mapping[str, Any]]) -> Mapping[str, Any] | None:
    """Return the values of one label if two readers of a tournament for training agree about the contradiction."""
    values = [label["values"] for label in labels if row["release"] in TRAINED]
    verdicts = {value.get("contradicts") for value in values}
    return values[0] if len(values) > 1 and len(verdicts) == 1 and verdicts <= {True, False} else None


def published_answers(known: Published, guard: Guard) -> list[Reading]:
    """Return the language models' answers, each once. Labels of the export do not tell entailment from neutral, so
    an answer that keeps to its question without a contradiction is "no contradiction".
    """
    measured = measured_texts(known.dialogues)
    answers: dict[Reading, None] = {}
    for row in others(known.dialogues):
        texts = {message["index"]: message["text"] for message in row["messages"]}
        for one in row["inquiries"]:
            statement, answer = texts[one["source"]], one["answer"]
            if normal(statement) in measured or guard.knows(statement, answer):
                continue
            asked = statement, one["question"], answer
            if (values := agreed(row, one["labels"])) is not None:
                relevant = bool(values["relevant"])
                label = NOT_CONTRADICTION if relevant else NEUTRAL
                label = CONTRADICTION if values["contradicts"] else label
                answers.setdefault(Reading(*asked, label, relevant, one["single_answer"]))
            elif (read := known.answers.get(one["id"])) is not None:
                label, relevant = LABELS[read["label"]], read["relevant"] == "1"
                reading = Reading(*asked, label, relevant, one["single_answer"])
                # Chosen because a judge was in doubt, so these answers are unfit to choose a threshold.
                if not reading.kept_apart:
                    answers.setdefault(reading)
    return list(answers)


def published_pairs(known: Published, guard: Guard) -> list[Pair]:
    """Return the pairs of an earlier line (or a line of the persona) and a later statement of the same bot."""
    measured = measured_texts(known.dialogues)
    return [
        pair
        for pair in known.pairs
        if normal(pair.hypothesis) not in measured and not guard.knows(pair.premise, pair.hypothesis)
    ]


def real_answers(answers: Path | None, known: Published, data: Path, guard: Guard) -> list[Reading]:
    """Return all labelled answers of language models: those of a folder, and those of published dialogues."""
    return (readings(answers, data, guard) if answers else []) + published_answers(known, guard)
