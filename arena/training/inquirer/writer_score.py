"""Fits the score of the question writer `embedded` to readers' judgements.

    python -m arena.training.inquirer.writer_score draw FILE --adapter FOLDER --out POOL
    python -m arena.training.inquirer.writer_score fit POOL --readings FILE … --adapter FOLDER

`draw` lets the writer read FILE, one message per line, and writes a sheet for readers and `pool.jsonl`, which
records how likely each question was. `fit` reads the judgements and writes the score's weights beside the adapter.
The printed AUC is of predictions for messages that no fit had seen.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from arena.core.types import Kind, Question
from arena.training.inquirer.pool import COLUMNS, CRITERIA, Row
from arena.training.inquirer.score import FOLDS, auc, crossed, fit
from inquirer.base import Task
from inquirer.filters import well_formed
from inquirer.questions import embedded
from inquirer.questions.message_writer import MessageWriter, facts, located

KINDS = (Kind.WH, Kind.YES_NO_TRUE)
FEATURES = ("likelihood", "something")
PENALTY = 0.01  # two features need hardly any


def drawn(
    writer: MessageWriter, messages: Sequence[str]
) -> Iterator[tuple[str, Question, tuple[float, ...]]]:
    """Yield the best question about each message, with the facts that its score is made from."""
    for message, lines in zip(messages, writer.lines(messages), strict=True):
        for written in lines:
            question = located(Task(message, (), KINDS), written.line)
            if question and question.kind in KINDS and not well_formed(question):
                yield message, question, facts(written)
                break


def draw(file: Path, adapter: Path, out: Path, seed: int) -> None:
    writer = embedded.create({"adapter": str(adapter)})
    messages = [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    rows = list(drawn(writer, messages))
    Random(seed).shuffle(rows)
    out.mkdir(parents=True, exist_ok=True)
    (out / "criteria.txt").write_text(CRITERIA, encoding="utf-8")
    pool, sheet = [], ["\t".join(COLUMNS)]
    for message, question, values in rows:
        row = Row("embedded", message, question, dict(zip(FEATURES, values, strict=True)))
        pool.append(row.facts())
        sheet.append("\t".join([row.id, message, question.text, question.entity.text]))
    (out / "pool.jsonl").write_text("".join(json.dumps(row) + "\n" for row in pool), encoding="utf-8")
    (out / "sheet.tsv").write_text("\n".join(sheet) + "\n", encoding="utf-8")
    print(json.dumps({"messages": len(messages), "questions": len(rows)}))


def fitted(values: Any, appropriate: Any, seed: int) -> tuple[list[float], float]:
    """Return intercept and weights, and the AUC of predictions for messages that no fit had seen."""
    fold = np.random.default_rng(seed).permutation(len(appropriate)).astype(np.float64) % FOLDS
    penalty = np.full(values.shape[1], PENALTY)
    unseen = auc(appropriate, crossed(values, appropriate, fold, penalty))
    *weights, intercept = (round(float(w), 4) for w in fit(values, appropriate, penalty))
    return [intercept, *weights], unseen


def fit_score(pool: Path, readings: Sequence[Path], adapter: Path, seed: int) -> None:
    read: dict[str, float] = {}
    for path in readings:
        with path.open(encoding="utf-8", newline="") as file:
            read |= {
                row["id"]: float(row["appropriate"])
                for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE)
            }
    rows = [json.loads(line) for line in (pool / "pool.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [row for row in rows if row["id"] in read]
    values = np.array([[row["features"][name] for name in FEATURES] for row in rows])
    weights, unseen = fitted(values, np.array([read[row["id"]] for row in rows]), seed)
    path = adapter / embedded.FORMAT
    settings = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps({**settings, "score": weights}) + "\n", encoding="utf-8")
    print(json.dumps({"questions": len(rows), "auc": round(unseen, 3), "score": weights}))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parts = parser.add_subparsers(dest="part", required=True)
    drawing = parts.add_parser("draw")
    drawing.add_argument("file", type=Path)
    drawing.add_argument("--out", type=Path, required=True)
    fitting = parts.add_parser("fit")
    fitting.add_argument("pool", type=Path)
    fitting.add_argument("--readings", type=Path, nargs="+", required=True)
    for part in (drawing, fitting):
        part.add_argument("--adapter", type=Path, required=True)
    given = parser.parse_args(arguments)
    if given.part == "draw":
        draw(given.file, given.adapter, given.out, given.seed)
    else:
        fit_score(given.pool, given.readings, given.adapter, given.seed)


if __name__ == "__main__":
    main()
