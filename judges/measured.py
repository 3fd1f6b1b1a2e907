"""The measured accuracy of the shipped judges, on sentences of people and models that were not used for training."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parent / "weights" / "measured.json"


@dataclass(frozen=True, slots=True)
class Measured:
    """The accuracy of a judge at its own τ on one data set; precision is None if no case was called a contradiction."""

    n: int
    contradictions: int
    precision: float | None
    recall: float
    auc: float


@functools.cache
def _all() -> Mapping[str, Mapping[str, Measured]]:
    stored = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        revision: {name: Measured(**figures) for name, figures in sets.items()}
        for revision, sets in stored.items()
    }


def measured(revision: str) -> Mapping[str, Measured]:
    """The figures of a judge by data set, the most relevant first; empty if the judge was not measured."""
    return _all().get(revision, {})
