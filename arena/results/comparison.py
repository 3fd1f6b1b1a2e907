"""Two stored tournaments side by side."""

from __future__ import annotations

from arena.core.errors import InputError
from arena.results.releases import release
from arena.results.view import choose, view
from arena.stats.comparison import MARGIN, Comparison, compare
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
    force: bool = False,
) -> Comparison:
    """Tournaments or release tags A and B, by the judge given or the first of A's file; the verdict speaks of B."""
    first, second = store.find(a), store.find(b)
    if first.id == second.id:
        raise InputError(f"Both are tournament {first.id}; give two different ones.")
    judged = choose(store, first, judge, tau)
    name = judged.name if judge is not None or _has_judged(store, second.id, judged.name) else None
    sides = [
        release(store, view(store, first, judged.name, tau), kind=kind, distance=distance),
        release(store, view(store, second, name, tau), kind=kind, distance=distance),
    ]
    return compare(sides[0], sides[1], margin=margin, force=force)


def _has_judged(store: Repository, tournament: str, judge: str) -> bool:
    return any(name == judge for _, name, _, _ in store.judges(tournament))
