"""Writes into the hand-made cases which shipped judge fails on which: `python -m tests.judges.mark_failures`.

To be run when a judge's weights change; the column `fails` then names the models that judge a case wrongly.
"""

from __future__ import annotations

from pathlib import Path

from arena.training.judges.evaluate import minimal, scored
from arena.training.judges.pairs import CONTRADICTION
from arena.training.judges.texts import table
from judges.embedded import Model, embedded

MODELS: tuple[Model, ...] = ("small", "both")


def main() -> None:
    for path in sorted(Path(__file__).parent.glob("*_pairs.tsv")):
        rows = list(table(path))
        for row in rows:
            row["fails"] = ""
        for model in MODELS:
            scorer = embedded(model)
            probabilities, labels = scored(scorer, minimal(path))
            wrong = (probabilities[:, CONTRADICTION] > scorer.tau) != (labels == CONTRADICTION)
            for row, fails in zip(rows, wrong, strict=True):
                row["fails"] = f"{row['fails']} {model}".strip() if fails else row["fails"]
            print(f"{path.name}, {model}: {int(wrong.sum())} of {len(rows)} wrong")
        lines = ["\t".join(rows[0]), *("\t".join(row.values()) for row in rows)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
