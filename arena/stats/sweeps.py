"""Rates at many thresholds, and at each distance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from arena.stats import metrics
from arena.stats.counts import HEADLINE, Inquiries, Kinds
from arena.stats.intervals import LEVEL, Interval, Method, contradiction_rates, intervals


@dataclass(frozen=True, slots=True)
class Sweep:
    """The rates at each τ: `rates[bot]` has one rate for each of `taus`. F1 and Pearson's r are given if there
    are labels.
    """

    taus: tuple[float, ...]
    rates: Mapping[str, tuple[float, ...]]
    f1: tuple[float, ...] | None = None
    pearson: tuple[float, ...] | None = None
    labelled: int = 0


TAUS = (0.05, 0.1, 0.15, *(round(0.2 + 0.1 * k, 2) for k in range(8)))


def sweep(
    data: Inquiries,
    taus: Sequence[float] = TAUS,
    *,
    kind: Kinds = HEADLINE,
    distance: int | None = 0,
    labels: ArrayLike | None = None,
) -> Sweep:
    """Compute AIH's Table 7. `labels` are per inquiry: 1 contradicts, 0 does not, nan means unlabelled or undecided."""
    mask = data.where(kind, distance)
    rates = np.array([contradiction_rates(data.counts(tau, mask).cells()) for tau in taus])
    by_bot = {bot: tuple(rates[:, j].tolist()) for j, bot in enumerate(data.bots)}
    if labels is None:
        return Sweep(tuple(taus), by_bot)
    votes = np.asarray(labels, float)
    both = np.isfinite(votes) & np.isfinite(data.score) & mask
    if not both.any():
        return Sweep(tuple(taus), by_bot)
    y, s = votes[both] > 0.5, data.score[both]
    return Sweep(
        tuple(taus),
        by_bot,
        tuple(metrics.f1(y, s, tau) for tau in taus),
        tuple(metrics.pearson(y, s > tau) for tau in taus),
        int(both.sum()),
    )


def by_distance(
    data: Inquiries, tau: float, *, kind: Kinds = HEADLINE, level: float = LEVEL
) -> dict[int, Interval]:
    """C_j with linearised intervals at each distance that occurs."""
    intervals_by_distance = {}
    for distance in np.unique(data.distance[data.where(kind, None)]):
        counts = data.counts(tau, data.where(kind, int(distance)))
        if counts.inquiries.any():
            intervals_by_distance[int(distance)] = intervals(counts, method=Method.LINEARISED, level=level)
    return intervals_by_distance
