"""Treats tournaments as releases: builds one side of a comparison, and follows one bot across releases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from arena.core.hashing import seed_for
from arena.results.view import View, counts, view
from arena.stats.comparison import Release, Setting
from arena.stats.counts import HEADLINE, Ints, Kinds
from arena.stats.leaderboard import leaderboard
from arena.stats.standings import Standing
from db import statistics as stored_arrays
from db.repository import Repository


def release(
    repository: Repository, seen: View, *, kind: Kinds = HEADLINE, distance: int | None = 0
) -> Release:
    """Build one side of a comparison from a view."""
    about = stored_arrays.circumstances(repository, seen.tournament.id)
    ids = seen.played.id[seen.played.done]
    unit = about.unit[np.searchsorted(about.id, ids)]
    setting = Setting(
        seen.judge.name,
        seen.judge.revision,
        ", ".join(sorted(about.inquirers)),
        about.turns,
        frozenset(seen.tournament.config.get("openers") or about.openers),
        seen.judge.tau,
    )
    counted = counts(seen, kind=kind, distance=distance)
    # The same opener or persona must have the same code in both releases
    counted = replace(
        counted,
        openers=_coded(counted.openers, "opener", seen.played.openers),
        personas=_coded(counted.personas, "persona", seen.played.personas),
    )
    return Release(seen.tournament.release, counted, seen.played.identities, unit, setting)


def _coded(at: Ints, purpose: str, texts: Sequence[str]) -> Ints:
    """Replace indices by integer codes that depend only on the texts; -1 stays -1."""
    codes = np.array([*(seed_for(purpose, text) for text in texts), -1], np.int64)
    return codes[at] if len(texts) else at


@dataclass(frozen=True, slots=True)
class ReleaseStanding:
    """A bot in one release. `changed` means that its identity differs from its identity in the previous release."""

    tournament: str
    release: str
    judge: str
    revision: str
    tau: float
    standing: Standing
    bots: int
    changed: bool


def history(
    repository: Repository,
    bot: str,
    judge: str | None = None,
    tau: float | None = None,
    *,
    kind: Kinds = HEADLINE,
    distance: int | None = 0,
) -> list[ReleaseStanding]:
    """Return the bot's standing in every judged tournament, oldest first."""
    rows: list[ReleaseStanding] = []
    identity: str | None = None
    for stored in reversed(repository.tournaments()):
        if bot not in stored.bots:
            continue
        there = {judge.name for judge in repository.judges(stored.id)}
        if not there or (judge is not None and judge not in there):
            continue
        seen = view(repository, stored, judge, tau)
        board = leaderboard(seen.inquiries, seen.judge.tau, kind=kind, distance=distance)
        standing = next((s for s in board.standings if s.bot == bot), None)
        if standing is None:
            continue
        now = stored.bots[bot]
        changed = identity is not None and now != identity
        identity = now
        chosen = seen.judge
        rows.append(
            ReleaseStanding(
                stored.id,
                stored.release,
                chosen.name,
                chosen.revision,
                chosen.tau,
                standing,
                len(board.standings),
                changed,
            )
        )
    return rows
