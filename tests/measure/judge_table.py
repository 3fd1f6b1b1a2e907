"""Every judge that needs no download, on sets it was not trained on: AUC of contradiction, accuracy at its τ."""

from __future__ import annotations

import asyncio
import csv
import os
import sys
from pathlib import Path

import numpy as np

from arena.core.types import Case
from arena.stats import metrics
from judges import registry
from tests.measure.hybrid import built

JUDGES = ("nli", "lexical", "overlap", "bleu", "similarity", "cosine", "hybrid", "hybrid:compat")
DATA = Path(os.environ.get("ARENA_DATA") or Path(__file__).parents[3] / "shared" / "data")
PAIRS = Path(__file__).parents[1] / "judges" / "minimal_pairs.tsv"
Set = tuple[list[Case], np.ndarray]


def main() -> None:
    sets = {"minimal pairs": minimal()}
    if DATA.is_dir():
        sets["DECODE dev, second half"] = decode()
        cases, right = built(DATA / "consistest")
        sets["ConsisTest facts"] = cases, np.array(right) < 0.5
    else:
        print("no data sets here: set ARENA_DATA to the folder that holds them", file=sys.stderr)
    print("| judge | " + " | ".join(f"{name} ({len(cases)})" for name, (cases, _) in sets.items()) + " |")
    print("|---" * (len(sets) + 1) + "|")
    for judge in JUDGES:
        print(
            f"| `{judge}` | " + " | ".join(_cell(judge, found) for found in sets.values()) + " |", flush=True
        )


def minimal() -> Set:
    with PAIRS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    cases = [Case(row["statement"], row["question"], row["answer"]) for row in rows]
    return cases, np.array([row["label"] == "contradiction" for row in rows])


def decode() -> Set:
    with (DATA / "decode" / "dev_pairs_part.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    rows = rows[len(rows) // 2 :]
    cases = [Case(row["earlier_utterance"], "", row["later_utterance"]) for row in rows]
    return cases, np.array([row["contradiction"] == "1" for row in rows])


def _cell(name: str, found: Set) -> str:
    cases, truth = found
    judge = registry.create(name, name)
    told = asyncio.run(judge.judge(cases))
    known = np.array([one.contradiction is not None for one in told])
    if not known.any():
        return "–"
    scores = np.array([one.contradiction for one in told if one.contradiction is not None])
    left = "" if known.all() else f", {int((~known).sum())} unjudged"
    auc, accuracy = metrics.auc(truth[known], scores), float(np.mean((scores > judge.tau) == truth[known]))
    return f"{auc:.3f} / {accuracy:.3f}{left}"
