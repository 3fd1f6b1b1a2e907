"""The test files, and how training text is kept separate from them."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

SHORT = 3
"""Texts of at most this many words ("Yes.", "I have two dogs") may occur anywhere by chance, so they do not count
as known.
"""

_WORDS = re.compile(r"[a-z0-9]+")


def normal(text: str) -> str:
    """Return only the letters and digits, so that spelling variants of one text are equal."""
    return " ".join(_WORDS.findall(text.lower()))


def table(path: Path, quoting: bool = False) -> Iterator[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        if quoting:
            yield from csv.DictReader(file)
        else:
            lines = (line.rstrip("\r\n").split("\t") for line in file)
            head = next(lines)
            for line in lines:
                if len(line) == len(head):
                    yield dict(zip(head, line, strict=True))


def measuring(data: Path) -> Iterator[str]:
    """Yield every text of the test files. Missing files are skipped."""
    yield from _columns(data, ("nli/mnli_dev_matched.tsv", "decode/dev_pairs_part.tsv"), slice(2))
    yield from _columns(data, ("arena/*.tsv",), slice(2, 5))
    for path in _files(data, "dialogues/*_long.txt"):
        yield from _lines(path)
    for path in _files(data, "decode/human_bot_dev.jsonl"):
        for line in _lines(path):
            yield from (turn["text"] for turn in json.loads(line)["turns"])
    for path in _files(data, "begin/*.tsv"):
        for line in _lines(path):
            yield from line.split("\t")
    for path in _files(data, "q2/*.csv"):
        for row in table(path, quoting=True):
            yield from (value for value in row.values() if isinstance(value, str))
    for path in _files(data, "consistest/*.json", "usr/*.json"):
        yield from _strings(json.loads(path.read_text(encoding="utf-8")))
    for path in _files(data, "qa/qa_nus_*.jsonl"):
        for line in _lines(path):
            yield from (value for key, value in json.loads(line).items() if "question" in key)


def _files(data: Path, *patterns: str) -> Iterator[Path]:
    for pattern in patterns:
        yield from sorted(data.glob(pattern))


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()


def _columns(data: Path, patterns: Iterable[str], columns: slice) -> Iterator[str]:
    for path in _files(data, *patterns):
        for row in table(path):
            yield from list(row.values())[columns]


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _strings(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _strings(inner)


class Guard:
    """Knows the texts of the test files, and tells which training texts must be removed."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._known = {known for text in texts if len((known := normal(text)).split()) > SHORT}

    @classmethod
    def of(cls, data: Path) -> Guard:
        return cls(measuring(data))

    def __len__(self) -> int:
        return len(self._known)

    def knows(self, *texts: str) -> bool:
        return any(normal(text) in self._known for text in texts)
