"""Q²'s meta-evaluation: absolute scores, single responses, simulated systems, controls."""

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
LEAST = 1e-3  # of a probability, below which more certainty says nothing
ENSEMBLE = "ensemble"
METRICS = ("auc", "accuracy", "best_accuracy", "held_out_accuracy", "spearman", "coverage")


def report(
    data: Data, runs: Sequence[Scored], controls: Mapping[str, Sequence[Scored]], rounds: int, seed: int
) -> Report:
    """`runs` are judgements of `items` followed by `crossed`; `controls` of the items with random knowledge."""
    items = data.items
    made = Report("q2", len(items))
    labels = [item.consistent for item in items]
    contexts = [item.context for item in items]
    columns: dict[str, list[float | None]] = {run.judge: run.consistencies for run in runs}
    columns[ENSEMBLE] = list(_ensemble(data, runs, seed))
    for name, scores in columns.items():
        own = scores[: len(items)]
        row = binary(labels, own, HALF, contexts, rounds, seed)
        row |= _held_out(labels, own, contexts)
        told = _systems(data, scores, seed)
        row["spearman"] = told.value
        row["intervals"]["spearman"] = told
        row["series"] = _series(labels, own, seed)
        row["sets"] = _sets(items, own)
        made.judges[name] = row
    for run in runs:
        _questions(made.judges[run.judge], run, data, controls)
    figures = paper("q2")
    made.paper = figures["systems"]
    made.more = {"paper_sets": figures["sets"], "paper_random_knowledge": figures["random_knowledge"]}
    made.more["lengths"] = _lengths(items)
    made.tables = [
        standing("Single responses and simulated systems", made.judges, METRICS, made.paper),
        _set_table(made.judges, figures["sets"]),
        _question_table(made.judges, figures["sets"]),
        _control_table(made.judges, figures["random_knowledge"]),
        _length_table(made.more["lengths"], figures["lengths"]),
    ]
    made.plots = _plots(made.judges)
    return made


def _held_out(
    labels: Sequence[bool], scores: Sequence[float | None], contexts: Sequence[str]
) -> dict[str, Any]:
    """Accuracy on one half of the contexts at the better of 0.5 and the τ that suits the other half; the mean
    over random halves, and where 95% of them lie."""
    found = kept(labels, scores, contexts)
    told = []
    for split in range(SPLITS):
        chosen = halves(found.groups, split)
        tau = metrics.best_threshold(found.labels[chosen], found.scores[chosen])
        fixed = metrics.accuracy(found.labels[chosen], found.scores[chosen], HALF)
        if fixed >= metrics.accuracy(found.labels[chosen], found.scores[chosen], tau):
            tau = HALF
        told.append(metrics.accuracy(found.labels[~chosen], found.scores[~chosen], tau))
    low, high = np.quantile(told, [0.025, 0.975])
    return {"held_out_accuracy": float(np.mean(told)), "held_out_range": [float(low), float(high)]}


def _ensemble(data: Data, runs: Sequence[Scored], seed: int) -> NDArray[np.float64]:
    """Every judge and the word features in one regression; each response is scored by the fit on the contexts
    of the other half, so that nothing is measured where it was fitted."""
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
    """A judge's classes by their logarithms, which add up in a regression; else its score."""
    told = next((j.classes for j in run.judgements if j.classes), {})
    if len(told) < 2:
        return [[HALF if score is None else score for score in run.consistencies]]
    return [
        [math.log(max(j.classes.get(name, 1.0 / len(told)), LEAST)) for j in run.judgements] for name in told
    ]


def _systems(data: Data, scores: Sequence[float | None], seed: int) -> metrics.Estimate:
    """Only contexts both of whose responses have a score."""
    rows = [(scores[pair.consistent], scores[pair.inconsistent]) for pair in data.pairs]
    known = [(good, bad) for good, bad in rows if good is not None and bad is not None]
    return system_correlation([good for good, _ in known], [bad for _, bad in known], seed=seed)


def _series(labels: Sequence[bool], scores: Sequence[float | None], seed: int) -> dict[str, Any]:
    found = kept(labels, scores)
    thresholds, precision, recall = metrics.precision_recall(found.labels, found.scores)
    truth = found.labels.astype(bool)
    levels = robustness(found.scores[truth], found.scores[~truth], seed=seed)
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
    found: dict[str, list[float]] = {}
    for item, score in zip(items, scores, strict=True):
        if score is not None:
            found.setdefault(item.set_name, []).append(score)
    return {name: {"score": float(np.mean(values)), "n": len(values)} for name, values in found.items()}


def _questions(
    row: dict[str, Any], run: Scored, data: Data, controls: Mapping[str, Sequence[Scored]]
) -> None:
    """What the questions of a question-answering judge came to, set by set and with random knowledge."""
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
    """Questions, the share of them without answer, and the share of responses with a valid one."""
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
    found = {}
    for name, label in (("inconsistent", False), ("consistent", True)):
        texts = [item.response for item in items if item.consistent is label]
        found[name] = {
            "characters": float(np.mean([len(text) for text in texts])),
            "tokens": float(np.mean([len(text.split()) for text in texts])),
        }
    return found


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
                (judge, name, told["questions"], told["no_answer"], told["question_coverage"])
                for name, told in row["sets"].items()
            ]
    rows += [
        ("paper (preprint)", name, told["questions"], told["no_answer"], told["coverage"])
        for name, told in figures.items()
    ]
    return Table("Questions", columns, tuple(rows))


def _control_table(judges: Mapping[str, Any], figures: Mapping[str, Any]) -> Table:
    columns = ("judge", "knowledge", "questions", "question score", "score with fallback", "no answer")
    rows: list[tuple[Cell, ...]] = [
        (judge, name, told["questions"], told["question_score"], told["score"], told["no_answer"])
        for judge, row in judges.items()
        for name, told in row.get("random_knowledge", {}).items()
    ]
    rows += [
        ("paper (preprint)", name, told["questions"], told["q2"], None, told["no_answer"])
        for name, told in figures.items()
    ]
    return Table("Control: random knowledge", columns, tuple(rows))


def _length_table(ours: Mapping[str, Any], figures: Mapping[str, Any]) -> Table:
    rows = [(name, told["characters"], told["tokens"]) for name, told in ours.items()]
    rows += [(f"paper: {name}", told["characters"], told["tokens"]) for name, told in figures.items()]
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
