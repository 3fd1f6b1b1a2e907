"""Reports of data sets that are one list of labelled pairs: pairs, DECODE, NLI, Dialogue NLI, USR."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.stats import metrics
from arena.validation.base import Cell, Report, Table, binary, classes, correlations, kept, standing
from arena.validation.cases import dnli
from arena.validation.cases.figures import paper
from arena.validation.cases.pairs import Pair
from arena.validation.cases.scoring import Scored
from arena.validation.cases.tables import Inference
from arena.validation.cases.usr import DIMENSIONS, Item
from judges.base import CLASSES

FOUR = ("auc", "f1", "accuracy", "best_accuracy", "tau", "coverage")


def pairs(name: str, items: Sequence[Pair], runs: Sequence[Scored], rounds: int, seed: int) -> Report:
    made = Report(name, len(items))
    labels = [item.contradiction for item in items]
    for run in runs:
        made.judges[run.judge] = binary(labels, run.contradictions, run.tau, None, rounds, seed)
    made.tables.append(standing(f"Contradictions in pairs ({len(items)})", made.judges, FOUR, {}))
    return made


def inference(items: Sequence[Inference], runs: Sequence[Scored], rounds: int, seed: int) -> Report:
    made = Report("nli", len(items))
    gold = [item.label for item in items]
    for run in runs:
        found = [
            max(j.classes, key=lambda name: j.classes[name]) if set(CLASSES) <= set(j.classes) else None
            for j in run.judgements
        ]
        row = classes(gold, found, CLASSES, rounds, seed) if any(found) else {}
        against = binary(
            [g == "contradiction" for g in gold], run.contradictions, run.tau, None, rounds, seed
        )
        row = {**against, **row, "intervals": {**against["intervals"], **row.get("intervals", {})}}
        made.judges[run.judge] = row
    title = f"Three-way inference ({len(items)} pairs); auc, f1: contradiction against the rest"
    made.tables.append(standing(title, made.judges, ("accuracy", "macro_f1", "auc", "f1", "coverage"), {}))
    return made


def dialogue_nli(
    items: Sequence[Inference],
    development: Sequence[Inference],
    runs: Sequence[Scored],
    tuning: Sequence[Scored],
    rounds: int,
    seed: int,
) -> Report:
    """Two rows a judge: neutral pairs left out, and neutral as inconsistent; τ from the development set."""
    made = Report("dnli", len(items))
    told = paper("dnli")
    plain: dict[str, dict[str, Any]] = {}
    strict: dict[str, dict[str, Any]] = {}
    for place, run in enumerate(runs):
        tau = _tuned(development, tuning[place]) if tuning else dnli.TAU
        scores = answered(run)
        chosen = [at for at, item in enumerate(items) if item.label != "neutral"]
        labels = [items[at].label == "entailment" for at in chosen]
        plain[run.judge] = binary(labels, [scores[at] for at in chosen], tau, None, rounds, seed)
        every = [item.label == "entailment" for item in items]
        strict[run.judge] = binary(every, run.consistencies, tau, None, rounds, seed)
        made.judges[run.judge] = {**strict[run.judge], "series": {"non_neutral": plain[run.judge]}}
    made.paper = {**told["non_neutral"], **told["neutral_inconsistent"]}
    columns = ("accuracy", "f1", "auc", "tau", "coverage")
    made.tables = [
        standing("Non-neutral pairs", plain, columns, told["non_neutral"]),
        standing("All pairs, neutral as inconsistent", strict, columns, told["neutral_inconsistent"]),
    ]
    return made


def answered(run: Scored) -> list[float | None]:
    """The scores that questions gave: where a fallback decided, the papers' preprint counts no coverage."""
    return [
        None if judgement.evidence.get("fallback") else score
        for judgement, score in zip(run.judgements, run.consistencies, strict=True)
    ]


def _tuned(items: Sequence[Inference], run: Scored) -> float:
    """The τ of the grid with the best accuracy on the development set; the papers' where nothing beats it."""
    found = kept([item.label == "entailment" for item in items], run.consistencies)
    grid = (dnli.TAU, *dnli.GRID)
    return max(grid, key=lambda tau: metrics.accuracy(found.labels, found.scores, tau))


def human_scores(name: str, items: Sequence[Item], runs: Sequence[Scored], rounds: int, seed: int) -> Report:
    """Correlations with people; responses without a valid question left out, and as 0."""
    made = Report("usr", len(items))
    told = paper("usr")
    for dimension in DIMENSIONS:
        truth = [item.scores[dimension] for item in items]
        rows: list[tuple[Cell, ...]] = []
        for run in runs:
            left = correlations(truth, answered(run), rounds, seed)
            zero = correlations(truth, [score or 0.0 for score in answered(run)], rounds, seed)
            every = correlations(truth, run.consistencies, rounds, seed)
            entry = made.judges.setdefault(run.judge, {**every, "series": {}})
            entry["series"][dimension] = {"all": every, "left_out": left, "zero": zero}
            rows += [
                (f"{run.judge}, {way}", row["spearman"], row["pearson"], row["coverage"])
                for way, row in (("as judged", every), ("left out", left), ("as 0", zero))
                if way == "as judged" or left["coverage"] < 1
            ]
        if dimension == "uses_knowledge" and name == "topical_chat":
            for way in ("left_out", "zero"):
                made.paper |= {f"{system}, {way}": row for system, row in told[way].items()}
                rows += [
                    (f"paper: {system}, {way.replace('_', ' ')}", row["spearman"], row["pearson"], None)
                    for system, row in told[way].items()
                ]
        title = f"{name}: {dimension.replace('_', ' ')} ({len(items)} responses)"
        made.tables.append(Table(title, ("judge", "spearman", "pearson", "coverage"), tuple(rows)))
    return made
