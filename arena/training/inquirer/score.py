"""Fits the score of questions to readers' judgements.

    python -m arena.training.inquirer.score --pool POOL.jsonl … --readings FOLDER … --out inquirer/weights/score.json

The pool is the output of `arena.training.inquirer.pool`. Readings are tables of id, appropriate and single (0
or 1). The fit is a logistic regression with a penalty that is chosen by cross-validation over messages. All
printed figures are predictions for messages that the fit had not seen.
"""

from __future__ import annotations

import argparse
import csv
import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from arena.core.types import Kind, Question
from arena.training.inquirer.pool import KINDS
from inquirer.base import Task
from inquirer.encoded_score import texts
from inquirer.entities.rules import entities
from inquirer.grammar.features import Features
from inquirer.questions.rules import drafts

FOLDS = 10
PENALTIES = (0.3, 1.0, 3.0, 10.0, 30.0)
SEEN = 8  # questions that must have a feature; rarer features say little
RULE_PENALTY = 0.5  # rules are penalised half as much as the features
ROUNDS = 60
Array = np.ndarray[Any, np.dtype[np.float64]]


@dataclass(frozen=True, slots=True)
class Reading:
    message: str
    source: str
    rule: str
    features: Mapping[str, float]
    appropriate: float  # the mean over the readers of the question
    question: str
    answer: str
    kind: str
    single: bool | None
    clause: str

    @property
    def drawn(self) -> bool:
        """Whether the default draw may choose this question: a yes/no question, or a fact with one right answer."""
        return self.kind != Kind.WH or self.single is True


def readings(pools: Sequence[Path], folders: Sequence[Path]) -> list[Reading]:
    """Return the questions of the pools that at least one reader judged."""
    grades: defaultdict[str, list[float]] = defaultdict(list)
    for path in sorted(p for folder in folders for p in folder.glob("*.tsv")):
        with path.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
                if row["appropriate"] in {"0", "1"}:
                    grades[row["id"]].append(float(row["appropriate"]))
    means = {}
    for pool in pools:
        for line in pool.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            known = (
                _known(row["message"]).get((row["question"], row["kind"])) if row["id"] in grades else None
            )
            if known is not None:
                question, features = known
                means[row["id"]] = Reading(
                    row["message"],
                    row["source"],
                    question.rule or "",
                    features,
                    float(np.mean(grades[row["id"]])),
                    row["question"],
                    row["answer"],
                    row["kind"],
                    question.single_answer,
                    texts(row["message"], question)[0],
                )
    return list(means.values())


@lru_cache(maxsize=1024)
def _known(message: str) -> dict[tuple[str, str], tuple[Question, Features]]:
    """Return the questions that the present grammar asks. The grammar may have changed since the pool was made."""
    task = Task(message, tuple(entities(message)), KINDS)
    return {(q.text, str(q.kind)): (q, facts) for q, facts in drafts(task)}


def with_round_trip(rows: Sequence[Reading]) -> list[Reading]:
    """Add the shipped reader's result to each wh-question: how well its answer matches the entity, and whether it
    gives no answer.
    """
    from inquirer.build import build
    from inquirer.filters import overlap

    reader = build({"entities": "rules", "round_trip": True}).reader
    assert reader is not None
    spans = reader.read([(row.question, row.message) for row in rows])
    result = []
    for row, span in zip(rows, spans, strict=True):
        asked = row.kind == "wh"
        trip = overlap(row.answer, span.text) if asked and span else 0.0
        known = {"round trip": trip, "unanswered": float(asked and span is None)}
        result.append(replace(row, features={**row.features, **known}))
    return result


def matrix(rows: Sequence[Reading], names: Sequence[str]) -> Array:
    column = {name: number for number, name in enumerate(names)}
    values = np.zeros((len(rows), len(names)))
    for number, row in enumerate(rows):
        for name, value in {**row.features, f"rule {row.rule}": 1.0}.items():
            if name in column:
                values[number, column[name]] = value
    return values


def fit(x: Array, y: Array, penalty: Array) -> Array:
    """Fit a penalised logistic regression by Newton's method. The last number of the result is the intercept,
    which has no penalty.
    """
    x = np.hstack([x, np.ones((len(x), 1))])
    ridge = np.diag(np.append(penalty, 1e-6))
    beta = np.zeros(x.shape[1])
    for _ in range(ROUNDS):
        p = 1 / (1 + np.exp(-np.clip(x @ beta, -30, 30)))
        step = np.linalg.solve(
            (x * (p * (1 - p) + 1e-9)[:, None]).T @ x + ridge, x.T @ (y - p) - ridge @ beta
        )
        beta = beta + step
        if float(np.abs(step).max()) < 1e-6:
            break
    return beta


def predict(x: Array, beta: Array) -> Array:
    chance: Array = 1 / (1 + np.exp(-np.clip(x @ beta[:-1] + beta[-1], -30, 30)))
    return chance


def log_loss(y: Array, p: Array) -> float:
    """Return the log loss, which is low if scores match the shares of appropriate questions."""
    safe = np.clip(p, 1e-6, 1 - 1e-6)
    return float(-(y * np.log(safe) + (1 - y) * np.log(1 - safe)).mean())


def auc(y: Array, p: Array) -> float:
    """Return the probability that an appropriate question scores above an inappropriate question. Ties count half."""
    good, bad = p[y >= 0.5], p[y < 0.5]
    if not len(good) or not len(bad):
        return float("nan")
    wins = (good[:, None] > bad[None, :]).sum() + 0.5 * (good[:, None] == bad[None, :]).sum()
    return float(wins / (len(good) * len(bad)))


def folds(rows: Sequence[Reading], seed: int) -> Array:
    """Return the fold of each question. All questions about one message are in the same fold."""
    messages = sorted({row.message for row in rows})
    order = np.random.default_rng(seed).permutation(len(messages))
    of = {message: order[number] % FOLDS for number, message in enumerate(messages)}
    return np.array([of[row.message] for row in rows])


def crossed(x: Array, y: Array, fold: Array, penalty: Array) -> Array:
    """Return every question's score, predicted by a fit that has not seen its message."""
    estimates = np.zeros(len(y))
    for number in range(FOLDS):
        out = fold == number
        estimates[out] = predict(x[out], fit(x[~out], y[~out], penalty))
    return estimates


def table(rows: Sequence[Reading], y: Array, p: Array) -> dict[str, Any]:
    """Return how many questions each threshold keeps, and how many of them are appropriate: over all questions,
    by source, and for the default draw.
    """
    result: dict[str, Any] = {
        "auc": round(auc(y, p), 4),
        "n": len(y),
        "appropriate": round(float(y.mean()), 4),
    }
    for least in (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9):
        asked = p >= least
        right = round(float(y[asked].mean()), 3) if asked.any() else None
        result[f"from {least}"] = [round(float(asked.mean()), 3), right]
    bins = [(p >= low) & (p < low + 0.1) for low in np.arange(0, 1, 0.1)]
    result["calibration"] = [
        [round(float(p[b].mean()), 2), round(float(y[b].mean()), 2), int(b.sum())] for b in bins if b.any()
    ]
    drawn = np.array([row.drawn for row in rows])
    if not drawn.all():
        result["default draw"] = table([r for r in rows if r.drawn], y[drawn], p[drawn])
    sources = sorted({row.source for row in rows})
    if len(sources) > 1:
        for source in sources:
            own = np.array([row.source == source for row in rows])
            result[source] = table([r for r in rows if r.source == source], y[own], p[own])
    return result


def options(about: str | None) -> argparse.ArgumentParser:
    """Return a parser of the options that all fits of readings have."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pool", type=Path, nargs="+", required=True)
    parser.add_argument("--readings", type=Path, nargs="+", required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    return parser


def main(arguments: Sequence[str] | None = None) -> None:
    parser = options(__doc__)
    parser.add_argument("--round-trip", action="store_true", help="only print what the reader would add")
    given = parser.parse_args(arguments)
    rows = readings(given.pool, given.readings)
    if given.round_trip:
        rows = with_round_trip(rows)
    seen = Counter(name for row in rows for name in (*row.features, f"rule {row.rule}"))
    names = sorted(name for name, count in seen.items() if count >= SEEN)
    x, y = matrix(rows, names), np.array([row.appropriate for row in rows])
    weights = np.array([RULE_PENALTY if name.startswith("rule ") else 1.0 for name in names])
    fold = folds(rows, given.seed)
    tried = {size: crossed(x, y, fold, size * weights) for size in PENALTIES}
    best = min(PENALTIES, key=lambda size: log_loss(y, tried[size]))
    beta = fit(x, y, best * weights)
    model = {
        "about": f"logistic regression on {len(rows)} questions that were read; penalty {best}",
        "intercept": round(float(beta[-1]), 4),
        "weights": {name: round(float(value), 4) for name, value in zip(names, beta[:-1], strict=True)},
    }
    if not given.round_trip:
        given.out.write_text(json.dumps(model, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print(json.dumps({"penalty": best, **table(rows, y, tried[best])}, indent=1))


if __name__ == "__main__":
    main()
