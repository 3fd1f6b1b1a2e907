"""BEGIN's files: the first release's five (or three) classes, the second's attributable responses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from arena.core.errors import InputError
from arena.core.types import Case
from arena.validation.cases.tables import Row, existing, rows
from judges.begin.taxonomy import FIVE, THREE

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
