"""What readers said about the other tournaments in the published export (`examples/first-leaderboard`).

Answers and messages of language models in these tournaments are training data of the last stage. Their labels are
those in the export, on which two readers agree, and those in a folder (`docs/readings/published`), by one reader
each. The tournament that is published as the leaderboard is for measuring only: nothing of it is returned, and
neither is any statement that was read there.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.training.judges.pairs import CONTRADICTION, NEUTRAL, NOT_CONTRADICTION, Pair
from arena.training.judges.readings import LABELS, Reading, readings
from arena.training.judges.speaker import kept_apart
from arena.training.judges.texts import Guard, normal, table

MEASURED = "first-leaderboard"
TRAINED = frozenset({"earlier-leaderboard", "earlier-interviews"})
SCRIPTED = frozenset({"finder", "steady", "wobbly", "moody"})
"""Bots whose sentences come from a script or from the persona library."""
SURE = 0.5
"""A judge's evidence counts as the readers' evidence if they see a contradiction too and its score is above this."""

Dialogue = Mapping[str, Any]


@dataclass(frozen=True)
class Published:
    """The dialogues of an export, and the labels of a folder by the ids of inquiries and of pairs of statements."""

    dialogues: Sequence[Dialogue] = ()
    answers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    pairs: Mapping[str, str] = field(default_factory=dict)


def published(export: Path | None, labels: Path | None = None) -> Published:
    if export is None:
        return Published()
    rows = tuple(dialogues(export))
    if labels is None:
        return Published(rows)
    answers = {row["id"]: row for row in table(labels / "answers.tsv")}
    return Published(rows, answers, {row["id"]: row["label"] for row in table(labels / "pairs.tsv")})


def pair_id(earlier: str, later: str) -> str:
    return hashlib.sha256(f"{earlier}\x1f{later}".encode()).hexdigest()[:16]


def dialogues(export: Path) -> Iterator[Dialogue]:
    with gzip.open(export, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def measured_texts(rows: Sequence[Dialogue]) -> frozenset[str]:
    """Every message of the measured tournament that readers read, or were asked about."""
    known = set()
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
                reading = Reading(
                    *asked, LABELS[read["label"]], read["relevant"] == "1", one["single_answer"]
                )
                if (
                    not reading.kept_apart
                ):  # chosen by a judge's doubt, so they are unfit to choose a threshold
                    answers.setdefault(reading)
    return list(answers)


def published_pairs(known: Published, guard: Guard) -> list[Pair]:
    """Return pairs of an earlier line (or a line of the persona) and a later statement of the same language model:
    those that a judge gave as evidence, with the readers' label of the pair or of the message, each once.
    """
    measured = measured_texts(known.dialogues)
    pairs: dict[tuple[str, str], int] = {}
    for row in others(known.dialogues):
        texts = {message["index"]: message["text"] for message in row["messages"]}
        for one in row["findings"]:
            message = texts[one["message"]]
            if not (kept_apart(message) or normal(message) in measured or guard.knows(message)):
                pairs |= _labelled(known, agreed(row, one["labels"]), one["verdicts"])
    return [Pair(earlier, later, label) for (earlier, later), label in pairs.items()]


def _labelled(
    known: Published, values: Mapping[str, Any] | None, verdicts: Sequence[Mapping[str, Any]]
) -> dict[tuple[str, str], int]:
    pairs = {}
    for verdict in verdicts:
        evidence = verdict["evidence"] or {}
        if not evidence.get("earlier"):
            continue
        pair = evidence["earlier"], evidence["later"]
        if (read := known.pairs.get(pair_id(*pair))) is not None:
            pairs[pair] = LABELS[read]
        elif values is not None and not values["contradicts"]:
            pairs[pair] = NOT_CONTRADICTION
        elif values is not None and (verdict["contradiction"] or 0) > SURE:
            pairs[pair] = CONTRADICTION
    return pairs


def real_answers(answers: Path | None, known: Published, data: Path, guard: Guard) -> list[Reading]:
    """Return all labelled answers of language models: those of a folder, and those of published dialogues."""
    return (readings(answers, data, guard) if answers else []) + published_answers(known, guard)
