"""Evaluates judges on any table of utterance pairs of one speaker, labelled as contradiction or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.core.errors import InputError
from arena.core.types import Case
from arena.validation.base import Report, binary, standing
from arena.validation.rows import Row, rows
from arena.validation.scoring import Scored


@dataclass(frozen=True, slots=True)
class Pair:
    earlier: str
    question: str
    later: str
    contradiction: bool


def load(path: Path) -> list[Pair]:
    if not path.is_file():
        raise InputError(
            f"{path} is not there: give a TSV with the columns earlier_utterance, later_utterance and contradiction."
        )
    items = [of_row(row) for row in rows(path)]
    if not items:
        raise InputError(f"{path} holds no pair: it has only a head; add rows.")
    return items


def of_row(row: Row) -> Pair:
    label = row.text("contradiction")
    if label not in ("0", "1"):
        raise row.wrong(f"has the contradiction '{label}' instead of 0 or 1")
    question = str(row.values.get("question") or "").strip()
    return Pair(row.text("earlier_utterance"), question, row.text("later_utterance"), label == "1")


def case(pair: Pair) -> Case:
    return Case(source=pair.earlier, question=pair.question, answer=pair.later)


FOUR = ("auc", "f1", "accuracy", "best_accuracy", "tau", "coverage")


def report(name: str, items: Sequence[Pair], runs: Sequence[Scored], rounds: int, seed: int) -> Report:
    report = Report(name, len(items))
    labels = [item.contradiction for item in items]
    for run in runs:
        report.judges[run.judge] = binary(labels, run.contradictions, run.tau, None, rounds, seed)
    report.tables.append(standing(f"Contradictions in pairs ({len(items)})", report.judges, FOUR, {}))
    return report
