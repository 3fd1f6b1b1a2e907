"""ConsisTest's tables: judges compared with people, a bot's scores, and its yes/no answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from arena.core.types import Judgement
from arena.stats import metrics
from arena.stats.agreement import cohen_kappa
from arena.validation.base import Cell, Report, Table, correlations, kept, plain
from arena.validation.consistest import Context, Sample, Source, column
from arena.validation.consistest_answers import Scored as Answer
from arena.validation.figures import paper
from arena.validation.scoring import Scored

COLUMNS = ("persona_wh", "persona_yn", "history_wh", "history_yn")
TITLES = {
    "persona_wh": "persona wh",
    "persona_yn": "persona y/n",
    "history_wh": "history wh",
    "history_yn": "history y/n",
}
WRONG_SHORT = "wrong_short_answer"


def judges(items: Sequence[Answer], runs: Sequence[Scored], rounds: int, seed: int) -> Report:
    """Return Tables 4 and 9: judges compared with people, and people with each other."""
    report = Report("consistest", len(items))
    truth = [item.score for item in items]
    published = paper("consistest")
    rows: list[tuple[Cell, ...]] = []
    for run in runs:
        scores = [None if c is None else 1.0 - c for c in run.contradictions]
        entry = correlations(truth, scores, rounds, seed)
        known = kept(truth, scores)
        error = metrics.interval(metrics.mse, known.labels, known.scores, rounds=rounds, seed=seed)
        entry["mse"] = error.value
        entry["intervals"]["mse"] = error
        entry |= {name: _mean(scores, chosen) for name, chosen in _subsets(items).items()}
        report.judges[run.judge] = entry
        rows.append((run.judge, *(entry[name] for name in ("all", "wh", "yn", "mse", "coverage"))))
    human = {name: _mean(truth, chosen) for name, chosen in _subsets(items).items()}
    rows.append(("people (this file)", human["all"], human["wh"], human["yn"], 0.0, 1.0))
    report.paper = published["table_4"]
    rows += [
        (f"paper: {name}", row["all"], row["wh"], row["yn"], row["mse"], None)
        for name, row in report.paper.items()
    ]
    title = f"Consistency scores and their error against people ({len(items)} answers)"
    report.tables.append(Table(title, ("judge", "all", "wh", "y/n", "mse", "coverage"), tuple(rows)))
    _agreement(report, items, published["table_9"])
    return report


def _subsets(items: Sequence[Answer]) -> dict[str, list[int]]:
    return {
        "all": list(range(len(items))),
        "wh": [index for index, item in enumerate(items) if not item.yes_no],
        "yn": [index for index, item in enumerate(items) if item.yes_no],
    }


def _mean(scores: Sequence[float | None], indices: Sequence[int]) -> float | None:
    known = [score for index in indices if (score := scores[index]) is not None]
    return float(np.mean(known)) if known else None


def _agreement(report: Report, items: Sequence[Answer], published: Mapping[str, Any]) -> None:
    """Cohen's κ between two people, over the samples that have two scores."""
    rows: list[tuple[Cell, ...]] = []
    agreements: dict[str, Any] = {}
    for name, chosen in _subsets(items).items():
        both = [(items[at].score, second) for at in chosen if (second := items[at].second) is not None]
        if both and name != "all":
            first, second_scores = [a for a, _ in both], [b for _, b in both]
            agreements[name] = {
                "kappa": cohen_kappa(first, second_scores),
                "annotator_1": float(np.mean(first)),
                "annotator_2": float(np.mean(second_scores)),
                "n": len(both),
            }
            rows.append((name, *(agreements[name][key] for key in ("kappa", "annotator_1", "annotator_2"))))
    if agreements:
        report.more["people"] = agreements
        rows += [
            (f"paper: {name}", row["kappa"], row["annotator_1"], row["annotator_2"])
            for name, row in published.items()
        ]
        report.tables.append(
            Table("People with people", ("subset", "κ", "person 1", "person 2"), tuple(rows))
        )


def counts(samples: Sequence[Sample]) -> Report:
    """Return Table 3: the number of samples in the released files."""
    report = Report("consistest", len(samples))
    rows: list[tuple[Cell, ...]] = []
    numbers: dict[str, dict[str, int]] = {}
    for source in Source:
        own = [sample for sample in samples if sample.source is source]
        numbers[source] = {
            "total": len(own),
            "wh": sum(not sample.yes_no for sample in own),
            "yn": sum(sample.yes_no for sample in own),
            "extracted": sum(sample.extracted for sample in own),
        }
        rows.append((str(source), *numbers[source].values()))
    published = paper("consistest")["table_3"]
    names = ("total", "wh", "yn", "extracted")
    rows += [(f"paper: {source}", *(row.get(name, 0) for name in names)) for source, row in published.items()]
    report.more["samples"] = numbers
    report.tables.append(Table("Samples", ("source", "total", "wh", "y/n", "extracted"), tuple(rows)))
    return report


def interrogation(
    bot: str,
    variant: Context,
    samples: Sequence[Sample],
    judgements: Sequence[Judgement | None],
    failed: Mapping[str, int],
    rounds: int,
    seed: int,
) -> tuple[dict[str, Any], list[Table]]:
    """Return Tables 5 to 7, as a JSON document and as tables for people. A judgement is None if the sample has no
    answer.
    """
    scores = [None if j is None or j.contradiction is None else 1.0 - j.contradiction for j in judgements]
    groups: dict[str, list[int]] = {name: [] for name in COLUMNS}
    for index, sample in enumerate(samples):
        groups[column(sample)].append(index)
    groups["extracted"] = [index for index, sample in enumerate(samples) if sample.extracted]
    groups["all"] = list(range(len(samples)))
    rates = {name: _interval(scores, places, samples, rounds, seed) for name, places in groups.items()}
    document = {
        "bot": bot,
        "n": sum(score is not None for score in scores),
        "context": str(variant),
        "all": rates["all"]["score"],
        "persona": {"wh": rates["persona_wh"]["score"], "yes_no": rates["persona_yn"]["score"]},
        "history": {"wh": rates["history_wh"]["score"], "yes_no": rates["history_yn"]["score"]},
        "extracted": rates["extracted"]["score"],
        "intervals": {name: row["interval"] for name, row in rates.items()},
        "counts": {name: row["n"] for name, row in rates.items()},
        "yes_no_answers": _short_and_long(samples, judgements),
        "unjudged": _unjudged(judgements, failed),
    }
    document = plain(document)
    return document, _tables(document, rates, variant)


def _interval(
    scores: Sequence[float | None], indices: Sequence[int], samples: Sequence[Sample], rounds: int, seed: int
) -> dict[str, Any]:
    """The mean score and its interval. Whole dialogues are resampled, because samples of one dialogue share a
    persona.
    """
    known = [(score, samples[index].dialogue) for index in indices if (score := scores[index]) is not None]
    if not known:
        return {"score": None, "interval": None, "n": 0}
    values, dialogues = [score for score, _ in known], [dialogue for _, dialogue in known]
    estimate = metrics.interval(
        lambda y, _: float(np.mean(y)), values, values, groups=dialogues, rounds=rounds, seed=seed
    )
    return {"score": estimate.value, "interval": [estimate.low, estimate.high], "n": len(values)}


def _short_and_long(samples: Sequence[Sample], judgements: Sequence[Judgement | None]) -> dict[str, Any]:
    """Table 7: the wrong answers to yes/no questions about the persona, and how many of them had a wrong short
    answer.
    """
    counts = {truth: {"total": 0, "wrong": 0, "wrong_short": 0} for truth in ("yes", "no", "all")}
    for sample, judgement in zip(samples, judgements, strict=True):
        if not sample.yes_no or sample.source is not Source.PERSONA or judgement is None:
            continue
        if judgement.contradiction is None:
            continue
        wrong = judgement.contradiction > 0.5
        short = wrong and judgement.evidence.get("rule") == WRONG_SHORT
        for name in ("yes" if sample.truth_is_yes else "no", "all"):
            counts[name]["total"] += 1
            counts[name]["wrong"] += wrong
            counts[name]["wrong_short"] += short
    return counts


def _unjudged(judgements: Sequence[Judgement | None], failed: Mapping[str, int]) -> dict[str, int]:
    reasons = dict(failed)
    for judgement in judgements:
        if judgement is not None and judgement.reason:
            reasons[judgement.reason] = reasons.get(judgement.reason, 0) + 1
    return reasons


def _tables(document: Mapping[str, Any], rates: Mapping[str, Any], variant: Context) -> list[Table]:
    figures = paper("consistest")
    rows: list[tuple[Cell, ...]] = [
        (label, *(rates[name][key] for name in ("all", *COLUMNS, "extracted")))
        for label, key in ((str(document["bot"]), "score"), ("samples", "n"))
    ]
    if variant is Context.STANDARD:
        rows += [
            (f"paper: {name}", row["all"], *(row[key] for key in COLUMNS), None)
            for name, row in figures["table_5"].items()
        ]
    elif str(variant) in figures["table_6"]:
        row = figures["table_6"][str(variant)]
        rows.append((f"paper: BART-base, {variant}", None, *(row[key] for key in COLUMNS), None))
    columns = ("bot", "all", *(TITLES[name] for name in COLUMNS), "extracted")
    tables = [Table(f"Consistency (context: {variant})", columns, tuple(rows))]
    short: list[tuple[Cell, ...]] = [
        _short_row(name, row) for name, row in document["yes_no_answers"].items()
    ]
    short += [_short_row(f"paper: {name}", row) for name, row in figures["table_7"].items()]
    title = "Yes/no questions about the persona: wrong answers, and of these the wrong short ones"
    tables.append(
        Table(title, ("truth", "total", "wrong", "rate", "wrong short", "of the wrong"), tuple(short))
    )
    return tables


def _short_row(name: str, row: Mapping[str, int]) -> tuple[Cell, ...]:
    wrong = row["wrong"] / row["total"] if row["total"] else None
    short = row["wrong_short"] / row["wrong"] if row["wrong"] else None
    return (name, row["total"], row["wrong"], wrong, row["wrong_short"], short)
