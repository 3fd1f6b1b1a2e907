"""Dialogue NLI (Welleck et al. 2019): utterances compared with a persona or with another utterance."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arena.core.types import Case
from arena.stats import metrics
from arena.validation.base import Report, binary, kept, standing
from arena.validation.figures import paper
from arena.validation.rows import Inference, existing, nli_rows
from arena.validation.scoring import Scored, answered

WHERE = "https://wellecks.com/dialogue_nli"
DEVELOPMENT = ("dialogue_nli_dev.jsonl",)
GOLD = ("dialogue_nli_verified_test.jsonl", "dialogue_nli_test.jsonl")
TAU = 0.1  # the papers' threshold on the consistency score, tuned on the development set
GRID = tuple(step / 20 for step in range(20))


def load(path: Path) -> tuple[list[Inference], list[Inference]]:
    """Load the test rows, and the development rows if the folder has them. A single file is a test set."""
    existing(path, WHERE)
    if path.is_file():
        return nli_rows(path), []
    test = next((path / name for name in GOLD if (path / name).is_file()), path / GOLD[0])
    existing(test, WHERE)
    development = path / DEVELOPMENT[0]
    return nli_rows(test), nli_rows(development) if development.is_file() else []


def case(item: Inference) -> Case:
    """Return the pair as a case. The premise becomes the source, and the hypothesis becomes the answer."""
    return Case(source=item.premise, question="", answer=item.hypothesis)


def report(
    items: Sequence[Inference],
    development: Sequence[Inference],
    runs: Sequence[Scored],
    tuning: Sequence[Scored],
    rounds: int,
    seed: int,
) -> Report:
    """Return a report with two rows per judge: one without neutral pairs, and one that counts neutral pairs as
    inconsistent. τ comes from the development set.
    """
    report = Report("dnli", len(items))
    published = paper("dnli")
    plain: dict[str, dict[str, Any]] = {}
    strict: dict[str, dict[str, Any]] = {}
    for column, run in enumerate(runs):
        tau = _tuned(development, tuning[column]) if tuning else TAU
        scores = answered(run)
        chosen = [at for at, item in enumerate(items) if item.label != "neutral"]
        labels = [items[at].label == "entailment" for at in chosen]
        plain[run.judge] = binary(labels, [scores[at] for at in chosen], tau, None, rounds, seed)
        every = [item.label == "entailment" for item in items]
        strict[run.judge] = binary(every, run.consistencies, tau, None, rounds, seed)
        report.judges[run.judge] = {**strict[run.judge], "series": {"non_neutral": plain[run.judge]}}
    report.paper = {**published["non_neutral"], **published["neutral_inconsistent"]}
    columns = ("accuracy", "f1", "auc", "tau", "coverage")
    report.tables = [
        standing("Non-neutral pairs", plain, columns, published["non_neutral"]),
        standing("All pairs, neutral as inconsistent", strict, columns, published["neutral_inconsistent"]),
    ]
    return report


def _tuned(items: Sequence[Inference], run: Scored) -> float:
    """Return the τ of the grid with the best accuracy on the development set, or the papers' τ if no other τ is
    better.
    """
    known = kept([item.label == "entailment" for item in items], run.consistencies)
    grid = (TAU, *GRID)
    return max(grid, key=lambda tau: metrics.accuracy(known.labels, known.scores, tau))
