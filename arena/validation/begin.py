"""BEGIN: loads its responses, and compares judges with the paper's systems."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from arena.core.errors import InputError
from arena.core.types import Case
from arena.stats import metrics
from arena.validation.base import Cell, Report, Table, binary, classes, kept, standing
from arena.validation.figures import paper
from arena.validation.rows import Row, existing, rows
from arena.validation.scoring import Scored
from judges.begin.taxonomy import FIVE, THREE, collapsed

WHERE = "https://github.com/google/BEGIN-dataset"
KNOWLEDGE = ("knowledge", "evidence", "document")
PREVIOUS = ("message", "previous_turn", "previous turn", "context", "history")
LABELS = ("begin_label", "label", "gold_label", "gold")
FIVE_WAY = {str(label): str(label) for label in FIVE} | {"offtopic": "off-topic", "off topic": "off-topic"}
ATTRIBUTION = {"fully attributable": "fully", "not fully attributable": "not", "generic": "generic"}


class Release(StrEnum):
    FIVE_WAY = "five-way"
    THREE_WAY = "three-way"
    ATTRIBUTION = "attribution"


@dataclass(frozen=True, slots=True)
class Item:
    knowledge: str
    previous: str
    response: str
    label: str
    source: str
    """The data set that the dialogue comes from, if the file names it."""


@dataclass(frozen=True, slots=True)
class Data:
    name: str
    release: Release
    items: tuple[Item, ...]


def load(path: Path) -> list[Data]:
    """Load one data set per file. The `*.tsv` files of a folder are loaded in alphabetical order."""
    existing(path, WHERE)
    paths: Sequence[Path] = sorted(path.glob("*.tsv")) if path.is_dir() else [path]
    if not paths:
        raise InputError(f"{path} holds no .tsv file: the data set is published at {WHERE}.")
    return [_file(one) for one in paths]


def _file(path: Path) -> Data:
    labelled = [(row, row.text(*LABELS).lower().replace("_", " ")) for row in rows(path)]
    if not labelled:
        raise InputError(f"{path} holds no response: fetch it again from {WHERE}.")
    release, spelt = _release(labelled)
    items = []
    for row, label in labelled:
        if label not in spelt:
            raise row.wrong(f"has the label '{label}', which is none of {', '.join(sorted(set(spelt)))}")
        items.append(
            Item(
                knowledge=row.text(*KNOWLEDGE),
                previous=row.text(*PREVIOUS),
                response=row.text("response"),
                label=spelt[label],
                source=str(row.values.get("data_source") or ""),
            )
        )
    return Data(path.stem, release, tuple(items))


def _release(labelled: Sequence[tuple[Row, str]]) -> tuple[Release, dict[str, str]]:
    """Return the taxonomy that a file's labels belong to, and its spellings of the labels."""
    labels = {label for _, label in labelled}
    if labels & {"fully attributable", "not fully attributable"}:
        return Release.ATTRIBUTION, ATTRIBUTION
    if "neutral" in labels:
        return Release.THREE_WAY, {label: label for label in THREE}
    return Release.FIVE_WAY, FIVE_WAY


def case(item: Item) -> Case:
    return Case(
        source=item.knowledge,
        question="",
        answer=item.response,
        context=(item.previous,),
        knowledge=item.knowledge,
    )


PLAIN = "words in knowledge"  # the row that every judge must beat
_WORD = re.compile(r"[a-z0-9]+")
_COLUMNS = ("auc", "difference", "low", "high", "p_value")


def report(sets: Sequence[Data], runs: Mapping[str, Sequence[Scored]], rounds: int, seed: int) -> Report:
    """Return the report. `runs` holds the judgements of each set by its name. Each judge has its figures for each
    set.
    """
    report = Report("begin", sum(len(data.items) for data in sets))
    figures = paper("begin")
    for data in sets:
        if data.release is Release.ATTRIBUTION:
            _attribution(report, data, runs[data.name], rounds, seed)
        else:
            _classes(report, data, runs[data.name], figures, rounds, seed)
    return report


def share(item: Item) -> float:
    """The share of the response's words that also occur in the knowledge."""
    known = set(_WORD.findall(item.knowledge.lower()))
    tokens = _WORD.findall(item.response.lower())
    return sum(word in known for word in tokens) / len(tokens) if tokens else 0.0


def _attribution(report: Report, data: Data, runs: Sequence[Scored], rounds: int, seed: int) -> None:
    labels = [item.label == "fully" for item in data.items]
    plain = [share(item) for item in data.items]
    scores: dict[str, Sequence[float | None]] = {PLAIN: plain}
    scores |= {run.judge: run.consistencies for run in runs}
    rows: list[tuple[Cell, ...]] = []
    for name, score in scores.items():
        row = binary(labels, score, 0.5, rounds=rounds, seed=seed)
        judged = kept(labels, score)
        against = metrics.difference(
            metrics.auc,
            judged.labels,
            judged.scores,
            [plain[index] for index in judged.places],
            rounds=rounds,
            seed=seed,
        )
        row["over_plain"] = {
            "difference": against.value, "low": against.low, "high": against.high, "p_value": against.p_value
        }  # fmt: skip
        _put(report, name, data.name, row)
        over_plain = row["over_plain"]
        rows.append((name, row["auc"], *(None if name == PLAIN else over_plain[key] for key in _COLUMNS[1:])))
    title = f"{data.name}: fully attributable or not ({len(data.items)} responses)"
    report.tables.append(Table(title, ("judge", *_COLUMNS), tuple(rows)))


def _classes(
    report: Report, data: Data, runs: Sequence[Scored], figures: Mapping[str, Any], rounds: int, seed: int
) -> None:
    gold = [item.label for item in data.items]
    for ways, names, table in ((3, THREE, "three_way"), (5, tuple(map(str, FIVE)), "five_way")):
        if ways == 5 and data.release is Release.THREE_WAY:
            continue
        wanted = [collapsed(label) for label in gold] if ways == 3 else gold
        rows: dict[str, dict[str, Any]] = {}
        for run in runs:
            labels = [_label(judgement.classes, ways) for judgement in run.judgements]
            if any(labels):
                rows[run.judge] = classes(wanted, labels, names, rounds, seed)
                _put(report, run.judge, f"{data.name} {table}", rows[run.judge])
        report.paper |= {f"{name} ({table})": row for name, row in figures[table].items()}
        title = f"{data.name}: {ways} classes ({len(gold)} responses)"
        report.tables.append(standing(title, rows, ("accuracy", "macro_f1", "coverage"), figures[table]))


def _label(probabilities: Mapping[str, float], ways: int) -> str | None:
    """The most likely class; None if the judge distinguishes fewer classes."""
    if not probabilities or (ways == 5 and len(probabilities) < len(FIVE)):
        return None
    shares: dict[str, float] = {}
    for label, probability in probabilities.items():
        name = collapsed(label) if ways == 3 else label
        shares[name] = shares.get(name, 0.0) + probability
    return max(shares, key=lambda name: shares[name])


def _put(report: Report, judge: str, name: str, row: dict[str, Any]) -> None:
    """Store the figures of a set under its name. The figures of the first set are also stored directly under the
    judge.
    """
    entry = report.judges.setdefault(judge, dict(row))
    entry.setdefault("series", {})[name] = {key: value for key, value in row.items() if key != "series"}
