"""Hand-written pairs for the judge, read from their published files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from arena.training.judges.texts import Guard, normal, table

ENTAILMENT, NEUTRAL, CONTRADICTION, NOT_CONTRADICTION = 0, 1, 2, 3
LABELS = {"entailment": ENTAILMENT, "neutral": NEUTRAL, "contradiction": CONTRADICTION}


@dataclass(frozen=True, slots=True)
class Pair:
    premise: str
    hypothesis: str
    label: int
    """The label: 0 to 2 as in NLI; 3 means "no contradiction", because DECODE does not distinguish further."""
    topical: bool | None = None
    """Whether the answer keeps to its question; None if this is unknown or if there is no question."""


@dataclass(frozen=True)
class Source:
    """One or several files, the maximum number of their pairs, and how often each pair is used."""

    pattern: str
    most: int
    times: int = 1


ALL = 1_000_000
SOURCES = (
    Source("nli/mnli_train_ni.tsv", ALL),
    Source("nli/mnli_train_nyu20k.tsv", ALL),
    Source("nli/mnli_llmsknow_train.tsv", ALL),
    Source("nli/lingnli.tsv", 15_000),
    Source("nli/snli_train_ni.tsv", 10_000),
    Source("nli/snli_dev.tsv", 1_000),
    Source("nli/cad_nli.tsv", ALL),
    Source("nli/newproto_*.tsv", 8_000),
    Source("nli/semiauto_*.tsv", 4_000),
    Source("nli/negation_*.tsv", ALL),
    Source("nli/function_words_nli.tsv", ALL),
    Source("nli/conjnli_*.tsv", 3_000),
    Source("nli/breaking_nli.jsonl", 800),
    Source("nli/fever_dev.tsv", 4_000),
    Source("decode/train_pairs.tsv", ALL, times=3),
)

_SPACED = re.compile(r" (n't|'s|'re|'ve|'ll|'d|'m|[.,!?;:)])(?= |$)")


def _untokenised(text: str) -> str:
    """Remove tokenisation, because the judge reads text as people type it."""
    return _SPACED.sub(r"\1", text).replace("( ", "(").replace("-LRB- ", "(").replace(" -RRB-", ")").strip()


def _rows(path: Path) -> Iterator[Pair]:
    if path.suffix == ".jsonl":
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            yield Pair(row["sentence1"], row["sentence2"], LABELS[row["gold_label"]])
        return
    for row in table(path):
        premise, hypothesis, label = row.values()
        if label in LABELS:
            yield Pair(_untokenised(premise), _untokenised(hypothesis), LABELS[label])
        elif label in "01":
            yield Pair(premise, hypothesis, CONTRADICTION if label == "1" else NOT_CONTRADICTION)


def hand_written(data: Path, guard: Guard) -> Iterator[tuple[Source, list[Pair]]]:
    """Yield the distinct pairs of each source. Pairs that share a text with a test file are left out."""
    seen: set[tuple[str, str]] = set()
    for source in SOURCES:
        remaining = []
        for path in sorted(data.glob(source.pattern)):
            for pair in _rows(path):
                key = (normal(pair.premise), normal(pair.hypothesis))
                if key in seen or not all(key) or guard.knows(pair.premise, pair.hypothesis):
                    continue
                seen.add(key)
                remaining.append(pair)
        yield source, remaining


def count(pairs: Iterable[Pair]) -> dict[int, int]:
    counts: dict[int, int] = {}
    for pair in pairs:
        counts[pair.label] = counts.get(pair.label, 0) + 1
    return counts
