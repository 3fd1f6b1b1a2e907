"""Rates of the other checks: messages compared with what the bot said before, its persona, or its knowledge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.core.types import Check
from arena.results.view import View, inquiries
from arena.results.votes import votes_of
from arena.stats.intervals import intervals
from db import findings
from db.repository import Repository


@dataclass(frozen=True, slots=True)
class CheckRate:
    """Contradictory messages among those with a statement that can be checked."""

    rate: float
    low: float
    high: float
    findings: int
    contradictions: int
    judge: str


def check_rates(repository: Repository, seen: View) -> dict[str, dict[str, CheckRate]]:
    """{bot: {check: rate}} by the view's judge where it made the check, else by the judge that did so last."""
    by_bot: dict[str, dict[str, CheckRate]] = {}
    for check in Check:
        if check is Check.INQUIRY or (found := _judge(repository, seen, check)) is None:
            continue
        judge, name, tau, method = found
        scores = findings.scores(repository.engine, judge, check, method, seen.played)
        data = inquiries(seen.played, scores, votes_of([]))
        counts = data.counts(seen.judge.tau if name == seen.judge.name else tau)
        interval = intervals(counts)
        asked = np.bincount(counts.tested, counts.inquiries, len(counts.bots))
        bad = np.bincount(counts.tested, counts.contradictions, len(counts.bots))
        for j, bot in enumerate(counts.bots):
            if asked[j]:
                by_bot.setdefault(bot, {})[check.value] = CheckRate(
                    float(interval.rate[j]),
                    float(interval.low[j]),
                    float(interval.high[j]),
                    int(asked[j]),
                    int(bad[j]),
                    name,
                )
    return by_bot


def _judge(repository: Repository, seen: View, check: Check) -> tuple[int, str, float, int] | None:
    """(row, name, τ, method) of the judge whose verdicts count."""
    made = [
        (row, name, tau, method)
        for of, row, name, _, tau, method in repository.checks(seen.tournament.id)
        if of is check
    ]
    mine = [one for one in made if one[1] == seen.judge.name] or made
    return mine[0] if mine else None
