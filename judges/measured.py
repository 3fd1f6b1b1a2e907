"""How far the shipped judges err, as measured on people's and models' sentences that they were not trained on."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parent / "weights" / "measured.json"


@dataclass(frozen=True, slots=True)
class Measured:
    """A judge at its own τ on one set; precision is null where it called nothing a contradiction."""

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
    """The figures by set, the most relevant set first; empty for a judge that was not measured."""
    return _all().get(revision, {})
