"""Compares two stored tournaments."""

from __future__ import annotations

import numpy as np

from arena.core.errors import InputError
from arena.results.labels import drawn_votes
from arena.results.releases import release
from arena.results.view import View, choose, view
from arena.stats.calibration import CorrectedChange, corrected, corrected_change
from arena.stats.comparison import MARGIN, RELATIVE_MARGIN, Comparison, Verdict, compare
from arena.stats.counts import HEADLINE, Kinds
from db.repository import Repository


def compared(
    store: Repository,
    a: str,
    b: str,
    *,
    judge: str | None = None,
    tau: float | None = None,
    kind: Kinds = HEADLINE,
    distance: int | None = 0,
    margin: float = MARGIN,
    relative_margin: float = RELATIVE_MARGIN,
    force: bool = False,
) -> Comparison:
    """Compare A and B, which are tournaments or release tags. By default the first judge in A's file is used.

    The verdict is about B.
    """
    sides = [release(store, seen, kind=kind, distance=distance) for seen in _views(store, a, b, judge, tau)]
    return compare(sides[0], sides[1], margin=margin, relative_margin=relative_margin, force=force)


def corrected_changes(
    store: Repository,
    a: str,
    b: str,
    comparison: Comparison,
    *,
    judge: str | None = None,
    tau: float | None = None,
    kind: Kinds = HEADLINE,
    distance: int | None = 0,
) -> list[CorrectedChange]:
    """The change of each changed bot's rate, corrected for judge errors, over the speakers that both releases share."""
    views = _views(store, a, b, judge, tau)
    votes = [drawn_votes(seen).votes for seen in views]
    changes = []
    for change in comparison.changes:
        if change.verdict is Verdict.UNCHANGED or not change.speakers:
            continue
        sides = []
        for seen, votes_of_side in zip(views, votes, strict=True):
            bots = seen.inquiries.bots
            mask = np.isin(bots, change.speakers)
            rows = corrected(
                seen.inquiries, seen.judge.tau, votes_of_side, kind=kind, distance=distance, speakers=mask
            )
            sides.append(rows[bots.index(change.bot)])
        changes.append(corrected_change(sides[0], sides[1]))
    return changes


def _views(store: Repository, a: str, b: str, judge: str | None, tau: float | None) -> tuple[View, View]:
    first, second = store.find(a), store.find(b)
    if first.id == second.id:
        raise InputError(f"Both are tournament {first.id}; give two different ones.")
    judged = choose(store, first, judge, tau)
    name = judged.name if judge is not None or _has_judged(store, second.id, judged.name) else None
    return view(store, first, judged.name, tau), view(store, second, name, tau)


def _has_judged(store: Repository, tournament: str, judge: str) -> bool:
    return any(each.name == judge for each in store.judges(tournament))
