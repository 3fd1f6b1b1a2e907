"""Rates of the checks of messages, which compare messages with the bot's earlier messages, persona or knowledge."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from arena.core.errors import InputError
from arena.core.types import Check
from arena.results.view import View, inquiries, usual, view
from arena.results.votes import votes_of
from arena.stats.intervals import intervals
from db import findings, statistics
from db.records import CheckRow, JudgeRow, StoredTournament
from db.repository import Repository


@dataclass(frozen=True, slots=True)
class CheckRate:
    """The share of contradictory messages, among the messages with a statement that can be checked."""

    rate: float
    low: float
    high: float
    findings: int
    contradictions: int
    judge: str


def check_rates(
    repository: Repository, seen: View, only: str | None = None
) -> dict[str, dict[str, CheckRate]]:
    """Return {bot: {check: rate}}. Each check uses the view's judge if that judge made the check, else the
    tournament's own judge for it.

    `only` restricts the result to the messages of one bot.
    """
    tested = None if only is None else (seen.tournament.id, only)
    by_bot: dict[str, dict[str, CheckRate]] = {}
    for check, rows in _by_check(repository, seen.tournament).items():
        same = [row for row in rows if row.name == seen.judge.name]
        judged = same[0]._replace(tau=seen.judge.tau) if same else usual(rows, seen.tournament)
        scores = findings.scores(repository, judged, seen.played, tested=tested)
        data = inquiries(seen.played, scores, votes_of([]))
        counts = data.counts(judged.tau)
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
                    judged.name,
                )
    return by_bot


def view_of(
    repository: Repository,
    tournament: StoredTournament,
    check: Check,
    judge: str | None = None,
    tau: float | None = None,
) -> View:
    """The view of a tournament under one check. For checks of messages, `inquiries` holds the findings about
    messages.
    """
    if check is Check.INQUIRY:
        return view(repository, tournament, judge, tau)
    rows = _by_check(repository, tournament).get(check, [])
    named = [row for row in rows if judge in (None, row.name)]
    if not named:
        whose = f"The judge '{judge}' has not made" if judge else "No judge has made"
        raise InputError(
            f"{whose} the check '{check.value}' of {tournament.id}; "
            f"'arena judge {tournament.id} --judge {judge or 'NAME'} --check {check.value}' does it."
        )
    chosen = usual(named, tournament)
    played = statistics.dialogues(repository, tournament.id)
    scores = findings.scores(repository, chosen, played)
    counted = inquiries(played, scores, votes_of([]), turns=int(tournament.config.get("turns") or 0))
    row = JudgeRow(chosen.row, chosen.name, chosen.revision, chosen.tau if tau is None else tau)
    return View(tournament, row, played, counted, {}, False, (), frozenset(), check)


def _by_check(repository: Repository, tournament: StoredTournament) -> dict[Check, list[CheckRow]]:
    """The judges that made each check of messages, by name; of one name the newest revision comes first."""
    by_check: dict[Check, list[CheckRow]] = {}
    for row in repository.checks(tournament.id):
        if row.check is not Check.INQUIRY:
            by_check.setdefault(row.check, []).append(row)
    return by_check
