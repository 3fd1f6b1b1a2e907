"""Q²'s meta-evaluation: absolute scores, accuracy on single responses, simulated systems, and controls with
random knowledge.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.core.types import Judgement
from arena.stats import metrics
from arena.stats.ensemble import fitted, halves
from arena.stats.systems import robustness, system_correlation
from arena.validation import words
from arena.validation.base import Cell, Curve, Plot, Report, Table, binary, kept, standing
from arena.validation.figures import paper
from arena.validation.q2 import Data, Item
from arena.validation.scoring import Scored

HALF = 0.5  # the papers' threshold
SPLITS = 20
LEAST = 1e-3  # the lowest probability whose logarithm is used
ENSEMBLE = "ensemble"
METRICS = ("auc", "accuracy", "best_accuracy", "held_out_accuracy", "spearman", "coverage")


def report(
    data: Data, runs: Sequence[Scored], controls: Mapping[str, Sequence[Scored]], rounds: int, seed: int
) -> Report:
    """Return the report. `runs` are judgements of `items` followed by `crossed`; `controls` are judgements of the
    items with random knowledge.
    """
    items = data.items
    report = Report("q2", len(items))
    labels = [item.consistent for item in items]
    contexts = [item.context for item in items]
    columns: dict[str, list[float | None]] = {run.judge: run.consistencies for run in runs}
    columns[ENSEMBLE] = list(_ensemble(data, runs, seed))
    for name, scores in columns.items():
        own = scores[: len(items)]
        row = binary(labels, own, HALF, contexts, rounds, seed)
        row |= _held_out(labels, own, contexts)
        systems = _systems(data, scores, seed)
        row["spearman"] = systems.value
        row["intervals"]["spearman"] = systems
        row["series"] = _series(labels, own, seed)
        row["sets"] = _sets(items, own)
        report.judges[name] = row
    for run in runs:
        _questions(report.judges[run.judge], run, data, controls)
    figures = paper("q2")
    report.paper = figures["systems"]
    report.more = {"paper_sets": figures["sets"], "paper_random_knowledge": figures["random_knowledge"]}
    report.more["lengths"] = _lengths(items)
    report.tables = [
        standing("Single responses and simulated systems", report.judges, METRICS, report.paper),
        _set_table(report.judges, figures["sets"]),
        _question_table(report.judges, figures["sets"]),
        _control_table(report.judges, figures["random_knowledge"]),
        _length_table(report.more["lengths"], figures["lengths"]),
    ]
    report.plots = _plots(report.judges)
    return report


def _held_out(
    labels: Sequence[bool], scores: Sequence[float | None], contexts: Sequence[str]
) -> dict[str, Any]:
    """The held-out accuracy. The threshold is chosen on one half of the contexts, either 0.5 or the best τ, and
    measured on the other half.

    The result is the mean over random halves, with bounds that contain 95% of them.
    """
    known = kept(labels, scores, contexts)
    results = []
    for split in range(SPLITS):
        chosen = halves(known.groups, split)
        tau = metrics.best_threshold(known.labels[chosen], known.scores[chosen])
        fixed = metrics.accuracy(known.labels[chosen], known.scores[chosen], HALF)
        if fixed >= metrics.accuracy(known.labels[chosen], known.scores[chosen], tau):
            tau = HALF
        results.append(metrics.accuracy(known.labels[~chosen], known.scores[~chosen], tau))
    low, high = np.quantile(results, [0.025, 0.975])
    return {"held_out_accuracy": float(np.mean(results)), "held_out_range": [float(low), float(high)]}


def _ensemble(data: Data, runs: Sequence[Scored], seed: int) -> NDArray[np.float64]:
    """Combine every judge and the word features in one regression.

    Each response is scored by a fit on the other half of the contexts, so that no response is scored by a fit
    that was trained on it.
    """
    everything = [*data.items, *data.crossed]
    columns = [column for run in runs for column in _columns(run)]
    counted = [words.features(item.response, item.knowledge, item.message) for item in everything]
    features = np.column_stack([*columns, np.array(counted)]) if columns else np.array(counted)
    labels = np.array([item.consistent for item in everything])
    chosen = halves([item.context for item in everything], seed)
    scores = np.zeros(len(everything))
    for part in (chosen, ~chosen):
        scores[~part] = fitted(labels[part], features[part]).predict(features[~part])
    return scores


def _columns(run: Scored) -> list[list[float]]:
    """Return a judge's features for the regression: the logarithms of its class probabilities, or its score if it
    has no classes.
    """
    classes = next((j.classes for j in run.judgements if j.classes), {})
    if len(classes) < 2:
        return [[HALF if score is None else score for score in run.consistencies]]
    return [
        [math.log(max(j.classes.get(name, 1.0 / len(classes)), LEAST)) for j in run.judgements]
        for name in classes
    ]


def _systems(data: Data, scores: Sequence[float | None], seed: int) -> metrics.Estimate:
    """The correlation over simulated systems. Only contexts in which both responses have a score are used."""
    rows = [(scores[pair.consistent], scores[pair.inconsistent]) for pair in data.pairs]
    known = [(good, bad) for good, bad in rows if good is not None and bad is not None]
    return system_correlation([good for good, _ in known], [bad for _, bad in known], seed=seed)


def _series(labels: Sequence[bool], scores: Sequence[float | None], seed: int) -> dict[str, Any]:
    known = kept(labels, scores)
    thresholds, precision, recall = metrics.precision_recall(known.labels, known.scores)
    truth = known.labels.astype(bool)
    levels = robustness(known.scores[truth], known.scores[~truth], seed=seed)
    return {
        "precision_recall": [
            {"threshold": t, "precision": p, "recall": r}
            for t, p, r in zip(thresholds, precision, recall, strict=True)
        ],
        "robustness": [
            {
                "share": level.share,
                "score": level.score.value,
                "low": level.score.low,
                "high": level.score.high,
            }
            for level in levels
        ],
    }


def _sets(items: Sequence[Item], scores: Sequence[float | None]) -> dict[str, Any]:
    sets: dict[str, list[float]] = {}
    for item, score in zip(items, scores, strict=True):
        if score is not None:
            sets.setdefault(item.set_name, []).append(score)
    return {name: {"score": float(np.mean(values)), "n": len(values)} for name, values in sets.items()}


def _questions(
    row: dict[str, Any], run: Scored, data: Data, controls: Mapping[str, Sequence[Scored]]
) -> None:
    """Add the outcomes of the questions that a judge asks, for each set and with random knowledge."""
    if not any("checks" in judgement.evidence for judgement in run.judgements):
        return
    items = data.items
    for name in sorted({item.set_name for item in items}):
        own = [j for item, j in zip(items, run.judgements, strict=False) if item.set_name == name]
        row["sets"].setdefault(name, {}).update(counted(own))
    row |= counted(run.judgements[: len(items)])
    row["random_knowledge"] = {
        name: {**counted(each.judgements), "score": _mean(each.consistencies)}
        for name, runs in controls.items()
        for each in runs
        if each.judge == run.judge
    }


def counted(judgements: Sequence[Judgement]) -> dict[str, Any]:
    """Count the valid questions, the share of them without an answer, and the share of responses about which a
    question was asked.
    """
    valid = [
        check for j in judgements for check in j.evidence.get("checks", ()) if check.get("score") is not None
    ]
    asked = [j for j in judgements if j.evidence.get("questions")]
    unanswered = sum(check["outcome"] == "no_answer" for check in valid)
    return {
        "questions": len(valid),
        "no_answer": unanswered / len(valid) if valid else None,
        "question_coverage": len(asked) / len(judgements) if judgements else None,
        "question_score": float(np.mean([check["score"] for check in valid])) if valid else None,
    }


def _mean(scores: Sequence[float | None]) -> float | None:
    known = [score for score in scores if score is not None]
    return float(np.mean(known)) if known else None


def _lengths(items: Sequence[Item]) -> dict[str, dict[str, float]]:
    lengths = {}
    for name, label in (("inconsistent", False), ("consistent", True)):
        texts = [item.response for item in items if item.consistent is label]
        lengths[name] = {
            "characters": float(np.mean([len(text) for text in texts])),
            "tokens": float(np.mean([len(text.split()) for text in texts])),
        }
    return lengths


def _set_table(judges: Mapping[str, Any], figures: Mapping[str, Any]) -> Table:
    names = tuple(figures)
    rows: list[tuple[Cell, ...]] = [
        (judge, *(row["sets"].get(name, {}).get("score") for name in names)) for judge, row in judges.items()
    ]
    for key, label in (("q2", "paper: Q2+NLI (preprint)"), ("q2_f1", "paper: Q2 F1 only (preprint)")):
        rows.append((label, *(figures[name][key] for name in names)))
    rows.append(("paper: overlap (preprint)", *(figures[name]["overlap"] for name in names)))
    return Table("Absolute scores, set by set", ("judge", *names), tuple(rows))


def _question_table(judges: Mapping[str, Any], figures: Mapping[str, Any]) -> Table:
    columns = ("judge", "set", "questions", "no answer", "coverage")
    rows: list[tuple[Cell, ...]] = []
    for judge, row in judges.items():
        if "questions" in row:
            rows += [
                (
                    judge,
                    name,
                    controls["questions"],
                    controls["no_answer"],
                    controls["question_coverage"],
                )
                for name, controls in row["sets"].items()
            ]
    rows += [
        (
            "paper (preprint)",
            name,
            controls["questions"],
            controls["no_answer"],
            controls["coverage"],
        )
        for name, controls in figures.items()
    ]
    return Table("Questions", columns, tuple(rows))


def _control_table(judges: Mapping[str, Any], figures: Mapping[str, Any]) -> Table:
    columns = ("judge", "knowledge", "questions", "question score", "score", "no answer")
    rows: list[tuple[Cell, ...]] = [
        (
            judge,
            name,
            controls["questions"],
            controls["question_score"],
            controls["score"],
            controls["no_answer"],
        )
        for judge, row in judges.items()
        for name, controls in row.get("random_knowledge", {}).items()
    ]
    rows += [
        (
            "paper (preprint)",
            name,
            controls["questions"],
            controls["q2"],
            None,
            controls["no_answer"],
        )
        for name, controls in figures.items()
    ]
    return Table("Control: random knowledge", columns, tuple(rows))


def _length_table(ours: Mapping[str, Any], figures: Mapping[str, Any]) -> Table:
    rows = [(name, length["characters"], length["tokens"]) for name, length in ours.items()]
    rows += [(f"paper: {name}", length["characters"], length["tokens"]) for name, length in figures.items()]
    return Table("Control: length of responses", ("responses", "characters", "tokens"), tuple(rows))


def _plots(judges: Mapping[str, Any]) -> list[Plot]:
    recalls, levels = {}, {}
    for name, row in judges.items():
        points = row["series"]["precision_recall"]
        recalls[name] = Curve(tuple(p["recall"] for p in points), tuple(p["precision"] for p in points))
        steps = row["series"]["robustness"]
        levels[name] = Curve(
            tuple(s["share"] for s in steps),
            tuple(s["score"] for s in steps),
            tuple(s["low"] for s in steps),
            tuple(s["high"] for s in steps),
        )
    return [
        Plot("precision-recall", "Consistent responses at each threshold", "recall", "precision", recalls),
        Plot("robustness", "Scores of systems", "share of inconsistent responses", "mean score", levels),
    ]
