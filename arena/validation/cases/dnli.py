"""Dialogue NLI (Welleck et al. 2019): persona or utterance against utterance."""

from __future__ import annotations

from pathlib import Path

from arena.core.types import Case
from arena.validation.cases.tables import Inference, existing, nli_rows

WHERE = "https://wellecks.com/dialogue_nli"
DEVELOPMENT = ("dialogue_nli_dev.jsonl",)
GOLD = ("dialogue_nli_verified_test.jsonl", "dialogue_nli_test.jsonl")
TAU = 0.1  # the papers' threshold on the consistency score, tuned on the development set
GRID = tuple(step / 20 for step in range(20))


def load(path: Path) -> tuple[list[Inference], list[Inference]]:
    """Test rows, and development rows where the folder has them; a file alone is a test set."""
    existing(path, WHERE)
    if path.is_file():
        return nli_rows(path), []
    test = next((path / name for name in GOLD if (path / name).is_file()), path / GOLD[0])
    existing(test, WHERE)
    development = path / DEVELOPMENT[0]
    return nli_rows(test), nli_rows(development) if development.is_file() else []


def case(item: Inference) -> Case:
    """The premise was said, the hypothesis is what is said now."""
    return Case(source=item.premise, question="", answer=item.hypothesis)
