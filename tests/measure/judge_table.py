"""Judges on sets that they were not trained on: `python -m tests.measure judge_table:JUDGE,JUDGE`.

A cell holds the area under the curve of contradiction and the accuracy at the judge's own τ, each with a 95% interval
by bootstrap. The last columns are pairs per second on DECODE's pairs and the memory of a process that holds this judge
alone. Data sets come from the folder that ARENA_DATA names.
"""

from __future__ import annotations

import asyncio
import csv
import multiprocessing
import os
import resource
import sys
import time
from pathlib import Path

import numpy as np

from arena.core.types import Case
from arena.stats import metrics
from arena.training.judges.measured import of_models
from judges import registry
from judges.base import Judge
from tests.measure.hybrid import built

JUDGES = ("nli", "nli:small", "lexical", "overlap", "bleu", "similarity", "cosine", "hybrid", "hybrid:compat")
DATA = Path(os.environ.get("ARENA_DATA") or Path(__file__).parents[3] / "shared" / "data")
PAIRS = Path(__file__).parents[1] / "judges"
ROUNDS = 1_000
Set = tuple[list[Case], np.ndarray]


def main(judges: str = "") -> None:
    print(
        "| judge | " + " | ".join([f"{name} ({len(cases)})" for name, (cases, _) in sets().items()]), end=""
    )
    print(" | pairs/s | MB |")
    print("|---" * (len(sets()) + 3) + "|")
    # Each judge has a process of its own, so that its memory can be told.
    with multiprocessing.get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for line in pool.imap(row, judges.split(",") if judges else JUDGES, chunksize=1):
            print(line, flush=True)


def sets() -> dict[str, Set]:
    known = {"minimal pairs": written("minimal"), "everyday answers": written("everyday", "report")}
    published = of_models(DATA)
    known["answers of models"] = [case for case, _ in published], np.array([wrong for _, wrong in published])
    if DATA.is_dir():
        known["DECODE dev, second half"] = decode()
        cases, right = built(DATA / "consistest")
        known["ConsisTest facts"] = cases, np.array(right) < 0.5
    else:
        print("no data sets here: set ARENA_DATA to the folder that holds them", file=sys.stderr)
    return known


def row(name: str) -> str:
    judge = registry.create(name, name)
    cells = [cell(judge, one) for one in sets().values()]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    cells += [speed(judge, decode()[0]) if DATA.is_dir() else "–", f"{memory / 1024:.0f}"]
    return f"| `{name}` | " + " | ".join(cells) + " |"


def speed(judge: Judge, cases: list[Case]) -> str:
    begun = time.perf_counter()
    judged = sum(one.contradiction is not None for one in asyncio.run(judge.judge(cases)))
    return f"{judged / (time.perf_counter() - begun):.0f}" if judged else "–"


def written(name: str, part: str | None = None) -> Set:
    """Hand-made cases; of the everyday ones the half that nobody developed on."""
    with (PAIRS / f"{name}_pairs.tsv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row.get("part") == part]
    cases = [Case(row["statement"], row["question"], row["answer"]) for row in rows]
    return cases, np.array([row["label"] == "contradiction" for row in rows])


def decode() -> Set:
    with (DATA / "decode" / "dev_pairs_part.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    rows = rows[len(rows) // 2 :]
    cases = [Case(row["earlier_utterance"], "", row["later_utterance"]) for row in rows]
    return cases, np.array([row["contradiction"] == "1" for row in rows])


def cell(judge: Judge, part: Set) -> str:
    cases, truth = part
    judgements = asyncio.run(judge.judge(cases))
    known = np.array([one.contradiction is not None for one in judgements])
    if not known.any():
        return "–"
    scores = np.array([one.contradiction for one in judgements if one.contradiction is not None])
    truth = truth[known]
    right = (scores > judge.tau) == truth
    draws = np.random.default_rng(1).integers(0, len(truth), (ROUNDS, len(truth)))
    areas = [metrics.auc(truth[draw], scores[draw]) for draw in draws if 0 < truth[draw].sum() < len(draw)]
    shares = right[draws].mean(1)
    left = "" if known.all() else f", {int((~known).sum())} unjudged"
    area = _with_interval(metrics.auc(truth, scores), np.array(areas))
    return f"{area} / {_with_interval(float(right.mean()), shares)}{left}"


def _with_interval(value: float, draws: np.ndarray) -> str:
    low, high = np.quantile(draws, [0.025, 0.975])
    return f"{value:.3f} ({low:.2f} to {high:.2f})"


if __name__ == "__main__":
    main(*sys.argv[1:])
