"""Estimates how likely a person would ask a question, by a logistic regression on the grammar's features.

`arena.training.inquirer.score` fits it on questions that people rated. The coefficients are in
`weights/score.json`.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

WEIGHTS = Path(__file__).parent / "weights" / "score.json"


def score(rule: str, features: Mapping[str, float]) -> float:
    """Returns the probability that the question is appropriate."""
    intercept, weights = _model()
    total = intercept + weights.get(f"rule {rule}", 0.0)
    total += sum(weights.get(name, 0.0) * value for name, value in features.items())
    return round(1 / (1 + math.exp(-total)), 4)


def revision() -> str:
    """Returns a revision that changes with the weights."""
    return hashlib.sha256(WEIGHTS.read_bytes()).hexdigest()[:8]


@lru_cache(maxsize=1)
def _model() -> tuple[float, Mapping[str, float]]:
    stored = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    return float(stored["intercept"]), stored["weights"]
