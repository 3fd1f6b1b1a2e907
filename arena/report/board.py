"""Builds a leaderboard and its additional figures as one JSON document."""

from __future__ import annotations

from typing import Any

from arena.core.types import Check
from arena.report import documents
from arena.results.checks import check_rates
from arena.results.labels import appropriate, effort
from arena.results.view import View
from arena.stats.standings import Leaderboard
from arena.stats.sweeps import Sweep
from db.conduct import conduct
from db.repository import Repository


def document(store: Repository, seen: View, board: Leaderboard, sweep: Sweep | None = None) -> dict[str, Any]:
    """Return the document of `arena leaderboard --json`, without the rates that labels correct."""
    facts = documents.leaderboard(seen, board, sweep)
    documents.add_conduct(facts, conduct(store, seen.tournament.id))
    rates = check_rates(store, seen)
    facts["check"] = seen.check.value
    for bot in facts["bots"]:
        bot["checks"] = documents.checks(bot, rates.get(bot["bot"], {}))
        if seen.check is not Check.INQUIRY:  # the row's own rate is not a rate of inquiries
            del bot["checks"][Check.INQUIRY.value]
    cost, fitting = effort(store, seen), appropriate(seen)
    facts["effort"] = None if cost is None else documents.effort(cost)
    facts["appropriate"] = {} if fitting is None else documents.appropriate(seen.inquiries.bots, fitting)
    return facts
