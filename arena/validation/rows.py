"""Reads published files row by row. Errors name the line."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.core.errors import InputError
from judges.base import CLASSES

SPELLINGS = {
    "entailment": "entailment", "entails": "entailment", "positive": "entailment", "e": "entailment",
    "neutral": "neutral", "n": "neutral",
    "contradiction": "contradiction", "contradicts": "contradiction", "negative": "contradiction", "c": "contradiction",
}  # fmt: skip
PREMISES = ("premise", "sentence1")
HYPOTHESES = ("hypothesis", "sentence2")
LABELS = ("label", "gold_label")


@dataclass(frozen=True, slots=True)
class Row:
    """One row and its position in the file."""

    path: Path
    line: int
    values: Mapping[str, Any]

    def text(self, *names: str) -> str:
        """Return the value of the first of these columns that the row has."""
        for name in names:
            value = self.values.get(name)
            if value is not None:
                return str(value).strip()
        shown = ", ".join(sorted(str(name) for name in self.values if name))
        raise self.wrong(f"has no column '{names[0]}' (it has {shown})")

    def wrong(self, what: str) -> InputError:
        return InputError(
            f"{self.path}, line {self.line}: the row {what}; fix the line or fetch the file again."
        )


def existing(path: Path, where: str) -> Path:
    """Return the path if it exists. Otherwise, the error says where the authors publish the file."""
    if not path.exists():
        raise InputError(
            f"{path} is not there: the data set is published at {where}; give its path with --data."
        )
    return path


def rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a TSV (without quoting), CSV, JSON list or JSON lines file. The file's ending decides its
    format.
    """
    try:
        if path.suffix == ".csv":
            yield from _csv(path)
        elif path.suffix in (".jsonl", ".json"):
            yield from _json(path)
        else:
            yield from _tsv(path)
    except (ValueError, RecursionError, OSError, csv.Error) as error:
        raise InputError(f"{path} cannot be read: {error}; give a text file in UTF-8.") from None


def _csv(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        reader = csv.DictReader(file)
        for values in reader:
            row = Row(path, reader.line_num, values)
            if None in values or any(value is None for value in values.values()):
                raise row.wrong("has more or fewer columns than the head")
            yield row


def _tsv(path: Path) -> Iterator[Row]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        # Not splitlines: published texts contain characters that Python treats as line ends.
        lines = (line.rstrip("\r\n") for line in file)
        head = next(lines, "").split("\t")
        for number, line in enumerate(lines, 2):
            if not line.strip():
                continue
            cells = line.split("\t")
            row = Row(path, number, dict(zip(head, cells, strict=False)))
            if len(cells) != len(head):
                raise row.wrong(f"has {len(cells)} columns and the head {len(head)}")
            yield row


def _json(path: Path) -> Iterator[Row]:
    text = path.read_text(encoding="utf-8-sig")
    if text.lstrip()[:1] == "[":
        yield from _json_list(path, text)
        return
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield Row(path, number, _object(path, number, line))


def _json_list(path: Path, text: str) -> Iterator[Row]:
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{path}, line {error.lineno}: {error.msg}; fetch the file again.") from None
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: {error}; fetch the file again.") from None
    for number, values in enumerate(content, 1):
        if not isinstance(values, dict):
            raise InputError(f"{path}, entry {number}: not a JSON object; fetch the file again.")
        yield Row(path, number, values)


def _object(path: Path, number: int, line: str) -> Mapping[str, Any]:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError) as error:
        why = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
        raise InputError(f"{path}, line {number}: {why}; fix the line or fetch the file again.") from None
    if not isinstance(values, dict):
        raise InputError(f"{path}, line {number}: not a JSON object; fix the line or fetch the file again.")
    return values


@dataclass(frozen=True, slots=True)
class Inference:
    premise: str
    hypothesis: str
    label: str


def nli_rows(path: Path) -> list[Inference]:
    """Load three-way pairs. Rows on which annotators did not agree ("-") are left out."""
    items = []
    for row in rows(path):
        label = row.text(*LABELS).lower()
        if label in ("-", "hidden", ""):
            continue
        if label not in SPELLINGS:
            raise row.wrong(f"has the label '{label}', which is none of {', '.join(CLASSES)}")
        items.append(Inference(row.text(*PREMISES), row.text(*HYPOTHESES), SPELLINGS[label]))
    if not items:
        raise InputError(f"{path} holds no labelled pair: give a file with premise, hypothesis and label.")
    return items


def wanted(path: Path, names: Sequence[str]) -> list[Path]:
    """Return the files with these names in a folder, or the path itself if it is a file."""
    return [path / name for name in names if (path / name).is_file()] if path.is_dir() else [path]
