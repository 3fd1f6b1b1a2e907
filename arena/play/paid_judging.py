"""Judges a stored tournament within its budget."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from arena.config.tournament import restore
from arena.core.process import this_process
from arena.core.types import JudgeSpec, TournamentInfo
from arena.engines.base import Engine
from arena.judging.stored import judge_stored
from arena.play.budget import purse_for
from bots.base import RunOptions
from db.records import StoredTournament
from db.repository import Repository
from db.retry import retry_store


async def paid_judging(
    store: Repository,
    stored: StoredTournament,
    specs: Sequence[JudgeSpec],
    engine: Engine,
    checks: Sequence[str] = (),
) -> list[dict[str, Any]]:
    """Judge a stored tournament and return the facts of each judge. Judges that call bots pay from the tournament's
    budget.
    """
    if stored.config.get("imported"):
        return await judge_stored(store, stored, specs, engine, checks)
    bots = tuple(store.bots(stored.id))
    info = TournamentInfo(stored.id, stored.release, stored.config_hash, stored.seed, stored.config, bots)
    tournament = replace(restore(info), judges=tuple(specs))
    purse = purse_for(store, tournament, this_process())
    if purse is None:
        return await judge_stored(store, stored, specs, engine, checks)
    await retry_store(purse.open, stored.id)
    try:
        run = RunOptions(account=purse, keep_replies=True)
        purse.start_clock()
        async with purse.beating():
            return await judge_stored(store, stored, specs, engine, checks, run)
    finally:
        await purse.close()
