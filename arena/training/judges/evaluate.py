"""Measures a judge: `python -m arena.training.judges.evaluate --data DIR [--weights FILE] [--cases FILE]`."""

from __future__ import annotations

import argparse
import json
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from arena.training.judges.implied import implied
from arena.training.judges.pairs import CONTRADICTION, LABELS, NEUTRAL, Pair
from arena.training.judges.texts import table
from arena.training.judges.triples import Generator, Triple
from judges.embedded import EmbeddedScorer, PairScorer, embedded
from judges.wording import hypothesis

Probabilities = NDArray[np.float32]


def auc(
    scores: Sequence[float] | NDArray[np.floating[Any]], truth: Sequence[bool] | NDArray[np.bool_]
) -> float:
    from sklearn.metrics import roc_auc_score

    return float(roc_auc_score(np.asarray(truth), np.asarray(scores)))


def decode_pairs(data: Path, half: int) -> list[tuple[str, str, bool]]:
    """Return one half of the development file. The first half is for choices during development, the second half
    for the report.
    """
    rows = [list(row.values()) for row in table(data / "decode" / "dev_pairs_part.tsv")]
    middle = len(rows) // 2
    return [(row[0], row[1], row[2] == "1") for row in (rows[:middle] if half == 0 else rows[middle:])]


def mnli(data: Path) -> list[Pair]:
    rows = table(data / "nli" / "mnli_dev_matched.tsv")
    return [
        Pair(row["premise"], row["hypothesis"], LABELS[row["label"]])
        for row in rows
        if row["label"] in LABELS
    ]


def unseen(seed: int = 99) -> list[Triple]:
    """Return facts that are never trained on: whole kinds, and some values of the other kinds."""
    source = random.Random(seed)
    return Generator(source, held=True).triples(4000)


def consistest(data: Path, seed: int = 5) -> list[Triple]:
    """Return right and wrong answers to ConsisTest's questions. Right answers are the given one and its
    paraphrase. Wrong answers are the answer to a similar question and a denial.
    """
    folder = data / "consistest"
    rows = [
        row
        for name in ("persona_qas", "history_qas")
        for rows in json.loads((folder / f"{name}.json").read_text()).values()
        for row in rows
    ]
    source = random.Random(seed)
    by_start: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in rows:
        by_start[" ".join(row["q"].lower().split()[:2])].append(row)
    triples = []
    for row in rows:
        statement, asked, answers = row["c"], row["q"], [part.strip() for part in row["a"].split("|")]
        if row["type"] == "yn":
            right = answers[0].split()[0].strip(".,").lower()
            if right in ("yes", "no"):
                wrong = "no" if right == "yes" else "yes"
                triples.append(Triple(statement, asked, right, 0, "yn", "right"))
                triples.append(Triple(statement, asked, wrong, CONTRADICTION, "yn", "denied"))
            continue
        triples.append(Triple(statement, asked, answers[0], 0, "wh", "right"))
        other_words = row.get("alt_c") or source.choice(_AGAIN).format(answer=answers[-1])
        triples.append(Triple(statement, asked, other_words, 0, "wh", "paraphrase"))
        like = [other for other in by_start[" ".join(asked.lower().split()[:2])] if other["type"] == "wh"]
        for _ in range(5):
            other = source.choice(like)["a"].split("|")[0].strip()
            if not set(other.lower().split()) & set((row["a"] + " " + statement).lower().split()):
                triples.append(Triple(statement, asked, other, CONTRADICTION, "wh", "other"))
                break
        denial = _denial(statement)
        if denial:
            triples.append(Triple(statement, asked, denial, CONTRADICTION, "wh", "denied"))
    return triples


_AGAIN = (
    "well, {answer} of course",
    "I'd say {answer}.",
    "it's {answer}, what about you?",
    "{answer}, as I told you",
)
_DENIALS = (
    *(("i am ", "i am not "), ("i'm ", "i'm not "), ("i have ", "i don't have "), ("i've ", "i haven't ")),
    *(
        ("i like ", "i don't like "),
        ("i love ", "i hate "),
        ("i work ", "i don't work "),
        ("i live ", "i don't live "),
    ),
    *(("i want ", "i don't want "), ("i enjoy ", "i don't enjoy "), ("i play ", "i don't play ")),
    *((" is ", " is not "), (" are ", " are not "), (" was ", " was not ")),
)


def _denial(statement: str) -> str | None:
    if " not " in statement or "n't" in statement:
        return None
    for old, new in _DENIALS:
        if old in statement:
            return statement.replace(old, new, 1)
    return None


def minimal(path: Path) -> list[Triple]:
    """Return the hand-made minimal pairs. The group of a pair becomes its `case`."""
    return [
        Triple(row["statement"], row["question"], row["answer"], LABELS[row["label"]], case=row["group"])
        for row in table(path)
    ]


def scored(scorer: PairScorer, triples: Sequence[Triple]) -> tuple[Probabilities, NDArray[np.int64]]:
    rows = scorer.score(
        [(triple.statement, hypothesis(triple.question, triple.answer)) for triple in triples]
    )
    return rows, np.array([triple.label for triple in triples])


def report(
    scorer: PairScorer,
    data: Path,
    cases: Path | None,
    say: Callable[[str], None] = print,
    quick: bool = False,
) -> None:
    few = 1500 if quick else None
    for half in (0, 1):
        rows = decode_pairs(data, half)
        scores = scorer.score([(first, second) for first, second, _ in rows])[:, CONTRADICTION]
        truth = np.array([label for *_, label in rows])
        right = np.mean((scores > scorer.tau) == truth)
        say(f"DECODE dev half {half + 1}: AUC {auc(scores, truth):.3f}, accuracy {right:.3f} (n={len(rows)})")
    pairs = mnli(data)[:few]
    got = scorer.score([(pair.premise, pair.hypothesis) for pair in pairs])
    labels = np.array([pair.label for pair in pairs])
    area = auc(got[:, CONTRADICTION], labels == CONTRADICTION)
    say(f"MNLI dev matched: accuracy {np.mean(got.argmax(1) == labels):.3f}, AUC {area:.3f} (n={len(pairs)})")
    _cases(scorer, "unseen facts", unseen()[:few], say)
    _cases(scorer, "unseen implied facts", implied(random.Random(3), held=True), say)
    _cases(scorer, "ConsisTest answers", consistest(data)[:few], say)
    if cases and cases.exists():
        _cases(scorer, "minimal pairs", minimal(cases), say)


def _cases(scorer: PairScorer, name: str, triples: Sequence[Triple], say: Callable[[str], None]) -> None:
    got, labels = scored(scorer, triples)
    truth = labels == CONTRADICTION
    right = (got[:, CONTRADICTION] > scorer.tau) == truth
    exact = got.argmax(1) == labels
    area = auc(got[:, CONTRADICTION], truth)
    line = f"{name}: AUC {area:.3f}, accuracy {right.mean():.3f}, three-way {exact.mean():.3f}"
    if (labels == NEUTRAL).any():
        line += f", neutral found {exact[labels == NEUTRAL].mean():.3f}"
    say(f"{line} (n={len(triples)})")
    for case in sorted({triple.case for triple in triples}):
        part = np.array([triple.case == case for triple in triples])
        mean = got[part, CONTRADICTION].mean()
        say(f"    {case}: P(contradiction) {mean:.2f}, right {right[part].mean():.3f} (n={part.sum()})")


def main() -> None:
    door = argparse.ArgumentParser(description=__doc__)
    door.add_argument("--data", type=Path, required=True)
    door.add_argument("--weights", type=Path, help="Without it, the shipped judge.")
    door.add_argument("--cases", type=Path)
    door.add_argument("--quick", action="store_true")
    chosen = door.parse_args()
    scorer = EmbeddedScorer(chosen.weights) if chosen.weights else embedded()
    report(scorer, chosen.data, chosen.cases, quick=chosen.quick)


if __name__ == "__main__":
    main()
