"""Real answers of language models that readers labelled. The judge learns from them last, and its τ is chosen on
some of them.

A folder of readings holds `answers.jsonl` and the tables `*.reader1.tsv` and `*.reader2.tsv` with the readers'
columns. Each line of `answers.jsonl` holds an answer, its question and the place of its statement. Statements
are looked up in their conversations, so that the texts stay with their authors.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.core.hashing import digest
from arena.training.judges.conversations import conversations
from arena.training.judges.pairs import CONTRADICTION, ENTAILMENT, NEUTRAL, Pair
from arena.training.judges.texts import Guard, table
from arena.training.judges.triples import Triple
from judges.wording import hypothesis

LABELS: Mapping[str, int] = {"E": ENTAILMENT, "N": NEUTRAL, "C": CONTRADICTION}
KEPT_APART = 5
"""One of this many messages is never trained on. These messages are used to choose checkpoint, temperature and τ."""
TOLD = 0.5
"""The share of the training pairs that say how many right answers the rule expects."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer, and the labels on which its readers agreed."""

    statement: str
    question: str
    answer: str
    label: int
    relevant: bool
    single_answer: bool | None
    """Whether the question has one right answer, by the rule that wrote the question. Readers' opinions on this
    are never used.
    """

    @property
    def kept_apart(self) -> bool:
        return int(digest(self.statement)[:8], 16) % KEPT_APART == 0

    def pair(self, told: bool) -> Pair:
        text = hypothesis(self.question, self.answer, self.single_answer if told else None)
        return Pair(self.statement, text, self.label, self.relevant)

    def triple(self) -> Triple:
        return Triple(self.statement, self.question, self.answer, self.label, single=self.single_answer)


def readings(folder: Path, data: Path, guard: Guard) -> list[Reading]:
    """Return the answers that have the same label from all of their readers."""
    columns = [dict(_columns(folder, reader)) for reader in ("reader1", "reader2")]
    lines = {key: [text for _, text in messages] for key, _, messages in conversations(data)}
    agreed = []
    for line in (folder / "answers.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        opinions = [column[row["id"]] for column in columns if row["id"] in column]
        statement = lines.get(row["conversation"], [])[row["message"] : row["message"] + 1]
        if not opinions or not statement or len({opinion["label"] for opinion in opinions}) > 1:
            continue
        if opinions[0]["label"] not in LABELS or guard.knows(statement[0], row["answer"]):
            continue
        agreed.append(
            Reading(
                statement[0],
                row["question"],
                row["answer"],
                LABELS[opinions[0]["label"]],
                all(opinion["relevant"] == "1" for opinion in opinions),
                row["single_answer"],
            )
        )
    return agreed


def _columns(folder: Path, reader: str) -> Iterator[tuple[str, dict[str, str]]]:
    for path in sorted(folder.glob(f"*.{reader}.tsv")):
        for row in table(path):
            yield row["id"], row


def training_pairs(rows: Sequence[Reading], source: random.Random) -> list[Pair]:
    """Return two pairs for each answer that is not held out. Each pair states the rule's number of right answers
    with the probability TOLD.
    """
    pairs = []
    for row in rows:
        if not row.kept_apart:
            pairs += [row.pair(told=source.random() < TOLD), row.pair(told=source.random() < TOLD)]
    return pairs
