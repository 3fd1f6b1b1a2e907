"""Measures shipped judges for the captions of leaderboards: `python -m arena.training.judges.measured --data DIR`.

Each judge is measured at its own τ on sets that it was not trained on. `judges/weights/measured.json` stores
the figures by revision, so that the figures of former revisions are kept. A set whose file is missing is left
out, with a note.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np

from arena.core.types import Case, Kind
from arena.stats import metrics
from arena.training.judges.evaluate import decode_pairs
from arena.training.judges.published import MEASURED, SCRIPTED, dialogues
from arena.training.judges.texts import table
from judges import registry
from judges.base import Judge
from judges.measured import FILE, Measured

ROOT = Path(__file__).parents[3]
PAIRS = ROOT / "tests" / "judges" / "everyday_pairs.tsv"
LEADERBOARD = ROOT / "examples" / "first-leaderboard" / "dialogues.jsonl.gz"
JUDGES = ("nli", "nli:small", "lexical")
Labelled = list[tuple[Case, bool]]


def of_models(_: Path) -> Labelled:
    """Return the language models' answers of the published leaderboard on which both readers agree."""
    labelled = []
    for dialogue in dialogues(LEADERBOARD):
        if dialogue["release"] != MEASURED or dialogue["tested"] in SCRIPTED:
            continue
        texts = {message["index"]: message["text"] for message in dialogue["messages"]}
        for inquiry in dialogue["inquiries"]:
            votes = [row["values"]["contradicts"] for row in inquiry["labels"] if row["schema"] == "aih"]
            if len(votes) == 2 and votes[0] == votes[1] and isinstance(votes[0], bool):
                case = Case(
                    texts[inquiry["source"]],
                    inquiry["question"],
                    inquiry["answer"],
                    kind=Kind(inquiry["kind"]),
                    single_answer=inquiry["single_answer"],
                )
                labelled.append((case, votes[0]))
    return labelled


def everyday(_: Path) -> Labelled:
    """Return the half of the hand-made everyday answers that was not used for development."""
    return [
        (Case(row["statement"], row["question"], row["answer"]), row["label"] == "contradiction")
        for row in table(PAIRS)
        if row["part"] != "develop"
    ]


def decode(data: Path) -> Labelled:
    return [(Case(earlier, "", later), wrong) for earlier, later, wrong in decode_pairs(data, 1)]


# The names appear in captions. The set that is most like real use comes first
SETS: dict[str, Callable[[Path], Labelled]] = {
    "answers of language models": of_models,
    "everyday answers": everyday,
    "pairs of DECODE": decode,
}


def on(judge: Judge, labelled: Labelled) -> Measured:
    """Measure a judge on labelled cases. Cases without a verdict count as not flagged."""
    verdicts = asyncio.run(judge.judge([case for case, _ in labelled]))
    scores = np.array([0.0 if one.contradiction is None else one.contradiction for one in verdicts])
    truth = np.array([wrong for _, wrong in labelled])
    flagged = scores > judge.tau
    right = int((flagged & truth).sum())
    return Measured(
        len(truth),
        int(truth.sum()),
        round(right / int(flagged.sum()), 3) if flagged.any() else None,
        round(right / int(truth.sum()), 3),
        round(metrics.auc(truth, scores), 3),
    )


def write(data: Path, names: Sequence[str] = JUDGES, file: Path = FILE) -> None:
    stored = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    sets = {}
    for name, read in SETS.items():
        try:
            sets[name] = read(data)
        except FileNotFoundError as error:
            print(f"{name}: left out, there is no {error.filename}", file=sys.stderr)
    for name in names:
        judge = registry.create(name, name)
        stored[judge.revision] = {key: asdict(on(judge, labelled)) for key, labelled in sets.items()}
        print(name, judge.revision, json.dumps(stored[judge.revision]), flush=True)
    file.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    door = argparse.ArgumentParser(description=__doc__)
    door.add_argument("--data", type=Path, required=True)
    door.add_argument("--judge", action="append", help="default: the shipped ones")
    chosen = door.parse_args()
    write(chosen.data, chosen.judge or JUDGES)


if __name__ == "__main__":
    main()
