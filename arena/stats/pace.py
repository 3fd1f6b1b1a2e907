"""Estimates the seconds per call of each bot from dialogues between bots."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from scipy.optimize import nnls


def seconds_per_call(dialogues: Iterable[tuple[dict[str, int], float]]) -> dict[str, float]:
    """Estimate each bot's seconds per call by non-negative least squares, which explains each dialogue's seconds
    by the calls of its bots.

    Rows are weighted by the square root of the dialogue's calls, so that long and short dialogues of equal pace
    count alike.
    """
    rows = [(calls, seconds) for calls, seconds in dialogues if sum(calls.values())]
    names = sorted({name for calls, _ in rows for name, number in calls.items() if number})
    if not names:
        return {}
    matrix = np.array([[calls.get(name, 0) for name in names] for calls, _ in rows], float)
    weight = 1 / np.sqrt(matrix.sum(axis=1))
    seconds_of, _ = nnls(matrix * weight[:, None], np.array([seconds for _, seconds in rows]) * weight)
    return dict(zip(names, seconds_of.tolist(), strict=True))
