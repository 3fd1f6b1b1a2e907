"""The test files, and how training text is kept separate from them."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

SHORT = 3
"""Texts of so few words ("Yes.", "I have two dogs") may be anybody's; alone they betray nothing, as pairs they do."""

_WORDS = re.compile(r"[a-z0-9]+")


def normal(text: str) -> str:
    """Letters and digits only, so that spelling variants of one text are equal."""
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
    """Every text of the test files; missing files are skipped."""
    for name in ("nli/mnli_dev_matched.tsv", "decode/dev_pairs_part.tsv"):
        if (data / name).exists():
            for row in table(data / name):
                yield from list(row.values())[:2]
    for path in sorted((data / "arena").glob("*.tsv")):
        for row in table(path):
            yield from list(row.values())[2:5]
    for path in sorted((data / "dialogues").glob("*_long.txt")):
        yield from path.read_text(encoding="utf-8").splitlines()
    if (data / "decode" / "human_bot_dev.jsonl").exists():
        for line in (data / "decode" / "human_bot_dev.jsonl").read_text(encoding="utf-8").splitlines():
            yield from (turn["text"] for turn in json.loads(line)["turns"])
    for path in sorted((data / "begin").glob("*.tsv")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield from line.split("\t")
    for path in sorted((data / "q2").glob("*.csv")):
        for row in table(path, quoting=True):
            yield from (value for value in row.values() if isinstance(value, str))
    for folder in ("consistest", "usr"):
        for path in sorted((data / folder).glob("*.json")):
            yield from _strings(json.loads(path.read_text(encoding="utf-8")))
    for path in sorted(data.glob("qa/qa_nus_*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            yield from (value for key, value in json.loads(line).items() if "question" in key)


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
    """Knows the texts of the test files and says which training texts must be removed."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._known = {known for text in texts if len((known := normal(text)).split()) > SHORT}

    @classmethod
    def of(cls, data: Path) -> Guard:
        return cls(measuring(data))

    def __len__(self) -> int:
        return len(self._known)

    def knows(self, *texts: str) -> bool:
        return any(normal(text) in self._known for text in texts)
