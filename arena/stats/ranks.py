"""Ranks that claim no more than the intervals do: low rates win."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.stats.counts import Floats, Ints


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """Vectors over bots. `low` to `high` are the ranks that the intervals leave open; 0 without a rate."""

    rank: Ints
    low: Ints
    high: Ints


def ranks(low: Floats, high: Floats) -> Ranks:
    """rank = 1 + the number of bots whose upper bound lies below this bot's lower bound."""
    known = np.isfinite(low) & np.isfinite(high)
    uppers, lowers = np.sort(high[known]), np.sort(low[known])
    better = np.searchsorted(uppers, low, "left")
    worse = len(lowers) - np.searchsorted(lowers, high, "right")
    rank = np.where(known, 1 + better, 0)
    return Ranks(rank, rank, np.where(known, len(uppers) - worse, 0))


def order(rates: Floats) -> Ints:
    """Bots from the lowest rate up, those without a rate last; equals keep their places."""
    return np.argsort(np.where(np.isfinite(rates), rates, np.inf), kind="stable")


def places(rates: Floats) -> Ints:
    """Place of each bot by its point estimate, equals sharing the better place; 0 without a rate."""
    known = np.sort(rates[np.isfinite(rates)])
    return np.where(np.isfinite(rates), 1 + np.searchsorted(known, rates, "left"), 0)


def order_chances(draws: Floats) -> Floats:
    """[a, b] = share of bootstrap rounds in which a's rate is below b's (ties half)."""
    n = draws.shape[1]
    chance = np.full((n, n), 0.5)
    for a in range(n):
        for b in range(a + 1, n):
            chance[a, b] = np.mean(draws[:, a] < draws[:, b]) + np.mean(draws[:, a] == draws[:, b]) / 2
            chance[b, a] = 1 - chance[a, b]
    return chance
