"""Bots that were hardly measured: a speaker who never asks, answers that evade."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from arena.stats import simulate
from arena.stats.counts import Counts, Inquiries
from arena.stats.leaderboard import leaderboard

Figures = dict[str, Any]
NAMES = ("X", "twin", "other", "H")


def _inquiries(counts: Counts, evasive: np.ndarray | None = None) -> Inquiries:  # type: ignore[type-arg]
    """One inquiry after the other, as a judge with scores 0 and 1 sees them."""
    dialogue = np.repeat(np.arange(len(counts)), counts.inquiries)
    first = np.cumsum(counts.inquiries) - counts.inquiries
    within = np.arange(len(dialogue)) - np.repeat(first, counts.inquiries)
    score = (within < np.repeat(counts.contradictions, counts.inquiries)).astype(float)
    zero, nan = np.zeros(len(dialogue), np.int64), np.full(len(dialogue), np.nan)
    flags = nan if evasive is None else evasive
    score = np.where(flags > 0, 0.0, score)
    return Inquiries(counts, dialogue, score, zero, ("wh",), zero, zero, ("X",), zero - 1, (), flags, nan)


def thin(times: int) -> Iterator[Figures]:
    """H makes everybody contradict themselves in 60%, the others in 20%; H asks X seldom or never."""
    rates = np.full((4, 4), 0.2)
    rates[3] = 0.6
    for seldom in (0.0, 0.02, 0.05, 0.2, 1.0):
        rng = np.random.default_rng([5, int(100 * seldom)])
        asked = np.full((4, 4), 4.0)
        asked[3, 0] = seldom
        above = held = withheld = 0
        for _ in range(times):
            board = leaderboard(_inquiries(simulate.tournament(NAMES, rates, asked, 100, 0.1, rng)), 0.5)
            x, twin = (next(s for s in board.standings if s.bot == name) for name in NAMES[:2])
            above += bool(x.rank and twin.rank and x.rank < twin.rank)
            missing = x.rank == 0 or "H" in x.not_asked_with
            withheld += missing
            held += not missing and x.low <= 0.3 <= x.high
        yield {
            "row": f"H asks X {seldom:g} times per dialogue",
            "ranked_above_its_twin": above / times,
            "withheld_or_marked": withheld / times,
            "coverage_where_not_marked": held / (times - withheld) if withheld < times else None,
        }
    for share in (0.62, 0.27, 0.0):
        rng = np.random.default_rng([6, int(100 * share)])
        above = marked = 0
        for _ in range(times):
            counts = simulate.tournament(NAMES, np.full((4, 4), 0.3), np.full((4, 4), 4.0), 100, 0.1, rng)
            data = _inquiries(counts)
            evades = (data.tested == 0) & (rng.random(len(data.score)) < share)
            board = leaderboard(_inquiries(counts, evades.astype(float)), 0.5)
            x, twin = (next(s for s in board.standings if s.bot == name) for name in NAMES[:2])
            above += bool(x.rank and twin.rank and x.rank < twin.rank)
            marked += not x.comparable
        yield {
            "row": f"X evades {share:.0%}",
            "ranked_above_its_twin": above / times,
            "marked_not_comparable": marked / times,
        }


ROWS = {"thin": (thin, 500)}
