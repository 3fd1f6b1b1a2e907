"""Evaluates judges on any file of three-way NLI pairs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from arena.core.types import Case
from arena.validation.base import Report, binary, classes, standing
from arena.validation.rows import Inference, existing, nli_rows
from arena.validation.scoring import Scored
from judges.base import CLASSES

WHERE = "https://nlp.stanford.edu/projects/snli and https://cims.nyu.edu/~sbowman/multinli"


def load(path: Path) -> list[Inference]:
    return nli_rows(existing(path, WHERE))


def case(item: Inference) -> Case:
    return Case(source=item.premise, question="", answer=item.hypothesis)


def report(items: Sequence[Inference], runs: Sequence[Scored], rounds: int, seed: int) -> Report:
    report = Report("nli", len(items))
    gold = [item.label for item in items]
    for run in runs:
        predicted = [
            max(j.classes, key=lambda name: j.classes[name]) if set(CLASSES) <= set(j.classes) else None
            for j in run.judgements
        ]
        row = classes(gold, predicted, CLASSES, rounds, seed) if any(predicted) else {}
        against = binary(
            [g == "contradiction" for g in gold], run.contradictions, run.tau, None, rounds, seed
        )
        row = {**against, **row, "intervals": {**against["intervals"], **row.get("intervals", {})}}
        report.judges[run.judge] = row
    title = f"Three-way inference ({len(items)} pairs); auc, f1: contradiction against the rest"
    report.tables.append(
        standing(title, report.judges, ("accuracy", "macro_f1", "auc", "f1", "coverage"), {})
    )
    return report
