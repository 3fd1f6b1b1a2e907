"""BEGIN: its responses, and the table of judges beside the paper's systems."""

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
    """The data set the dialogue comes from, where the file says it."""


@dataclass(frozen=True, slots=True)
class Data:
    name: str
    release: Release
    items: tuple[Item, ...]


def load(path: Path) -> list[Data]:
    """One set a file; a folder's `*.tsv` in order of name."""
    existing(path, WHERE)
    paths: Sequence[Path] = sorted(path.glob("*.tsv")) if path.is_dir() else [path]
    if not paths:
        raise InputError(f"{path} holds no .tsv file: the data set is published at {WHERE}.")
    return [_file(one) for one in paths]


def _file(path: Path) -> Data:
    found = [(row, row.text(*LABELS).lower().replace("_", " ")) for row in rows(path)]
    if not found:
        raise InputError(f"{path} holds no response: fetch it again from {WHERE}.")
    release, spelt = _release(found)
    items = []
    for row, label in found:
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


def _release(found: Sequence[tuple[Row, str]]) -> tuple[Release, dict[str, str]]:
    """Which taxonomy the labels of a file are from."""
    labels = {label for _, label in found}
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
    """`runs` by name of the set; each judge's figures stand under its name, set by set."""
    made = Report("begin", sum(len(data.items) for data in sets))
    figures = paper("begin")
    for data in sets:
        if data.release is Release.ATTRIBUTION:
            _attribution(made, data, runs[data.name], rounds, seed)
        else:
            _classes(made, data, runs[data.name], figures, rounds, seed)
    return made


def share(item: Item) -> float:
    """Of the response's words, how many occur in the knowledge."""
    known = set(_WORD.findall(item.knowledge.lower()))
    said = _WORD.findall(item.response.lower())
    return sum(word in known for word in said) / len(said) if said else 0.0


def _attribution(made: Report, data: Data, runs: Sequence[Scored], rounds: int, seed: int) -> None:
    labels = [item.label == "fully" for item in data.items]
    plain = [share(item) for item in data.items]
    scores: dict[str, Sequence[float | None]] = {PLAIN: plain}
    scores |= {run.judge: run.consistencies for run in runs}
    rows: list[tuple[Cell, ...]] = []
    for name, found in scores.items():
        row = binary(labels, found, 0.5, rounds=rounds, seed=seed)
        judged = kept(labels, found)
        against = metrics.difference(
            metrics.auc,
            judged.labels,
            judged.scores,
            [plain[place] for place in judged.places],
            rounds=rounds,
            seed=seed,
        )
        row["over_plain"] = {
            "difference": against.value, "low": against.low, "high": against.high, "p_value": against.p_value
        }  # fmt: skip
        _put(made, name, data.name, row)
        told = row["over_plain"]
        rows.append((name, row["auc"], *(None if name == PLAIN else told[key] for key in _COLUMNS[1:])))
    title = f"{data.name}: fully attributable or not ({len(data.items)} responses)"
    made.tables.append(Table(title, ("judge", *_COLUMNS), tuple(rows)))


def _classes(
    made: Report, data: Data, runs: Sequence[Scored], figures: Mapping[str, Any], rounds: int, seed: int
) -> None:
    gold = [item.label for item in data.items]
    for ways, names, table in ((3, THREE, "three_way"), (5, tuple(map(str, FIVE)), "five_way")):
        if ways == 5 and data.release is Release.THREE_WAY:
            continue
        wanted = [collapsed(label) for label in gold] if ways == 3 else gold
        rows: dict[str, dict[str, Any]] = {}
        for run in runs:
            found = [_label(judgement.classes, ways) for judgement in run.judgements]
            if any(found):
                rows[run.judge] = classes(wanted, found, names, rounds, seed)
                _put(made, run.judge, f"{data.name} {table}", rows[run.judge])
        made.paper |= {f"{name} ({table})": row for name, row in figures[table].items()}
        title = f"{data.name}: {ways} classes ({len(gold)} responses)"
        made.tables.append(standing(title, rows, ("accuracy", "macro_f1", "coverage"), figures[table]))


def _label(probabilities: Mapping[str, float], ways: int) -> str | None:
    """The likeliest class; None where the judge does not tell so many apart."""
    if not probabilities or (ways == 5 and len(probabilities) < len(FIVE)):
        return None
    told: dict[str, float] = {}
    for label, probability in probabilities.items():
        name = collapsed(label) if ways == 3 else label
        told[name] = told.get(name, 0.0) + probability
    return max(told, key=lambda name: told[name])


def _put(made: Report, judge: str, name: str, row: dict[str, Any]) -> None:
    """Figures of a set under its name; those of the first set stand at the judge itself too."""
    entry = made.judges.setdefault(judge, dict(row))
    entry.setdefault("series", {})[name] = {key: value for key, value in row.items() if key != "series"}
