"""The fitted scales of message scores, by the revision of the weights that they were fitted to."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping

from arena.core.types import Check
from judges.base import PLAIN, WEIGHTS, Scale

FILE = WEIGHTS / "checks.json"


@functools.cache
def _fitted() -> Mapping[str, Mapping[str, tuple[float, float, float]]]:
    scales: Mapping[str, Mapping[str, tuple[float, float, float]]] = json.loads(
        FILE.read_text(encoding="utf-8")
    )
    return scales


def scale_of(weights: str, check: Check) -> Scale:
    """The scale that was fitted to these weights, or a scale that leaves scores unchanged."""
    values = _fitted().get(weights, {}).get(check.value)
    return Scale(*values) if values else PLAIN
