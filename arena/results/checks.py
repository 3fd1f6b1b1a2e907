"""Rates of the other checks: messages compared with the bot's earlier messages, persona or knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from arena.core.errors import InputError
from arena.core.types import Check
from arena.results.view import View, inquiries, view
from arena.results.votes import votes_of
from arena.stats.intervals import intervals
from db import findings, statistics
from db.records import CheckRow, JudgeRow, StoredTournament
from db.repository import Repository


@dataclass(frozen=True, slots=True)
class CheckRate:
    """The share of contradictory messages among those with a statement that can be checked."""

    rate: float
    low: float
    high: float
    findings: int
    contradictions: int
    judge: str


def check_rates(
    repository: Repository, seen: View, only: str | None = None
) -> dict[str, dict[str, CheckRate]]:
    """{bot: {check: rate}} by the view's judge where it made the check, else by the judge that did so last.

    `only` reads one bot's messages alone.
    """
    tested = None if only is None else (seen.tournament.id, only)
    made = repository.checks(seen.tournament.id)
    by_bot: dict[str, dict[str, CheckRate]] = {}
    for check in Check:
        if check is Check.INQUIRY or (judged := _judge(made, seen, check)) is None:
            continue
        scores = findings.scores(repository, judged, seen.played, tested=tested)
        data = inquiries(seen.played, scores, votes_of([]))
        counts = data.counts(seen.judge.tau if judged.name == seen.judge.name else judged.tau)
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
    """The tournament under one check: of messages, their findings stand in the place of inquiries."""
    if check is Check.INQUIRY:
        return view(repository, tournament, judge, tau)
    made = [one for one in repository.checks(tournament.id) if one.check is check]
    named = [one for one in made if judge in (None, one.name)]
    if not named:
        whose = f"The judge '{judge}' has not made" if judge else "No judge has made"
        raise InputError(
            f"{whose} the check '{check.value}' of {tournament.id}; "
            f"'arena judge {tournament.id} --judge {judge or 'NAME'} --check {check.value}' does it."
        )
    chosen = named[0]
    played = statistics.dialogues(repository, tournament.id)
    scores = findings.scores(repository, chosen, played)
    counted = inquiries(played, scores, votes_of([]), turns=int(tournament.config.get("turns") or 0))
    row = JudgeRow(chosen.row, chosen.name, chosen.revision, chosen.tau if tau is None else tau)
    return View(tournament, row, played, counted, {}, False, (), frozenset(), check)


def _judge(made: Sequence[CheckRow], seen: View, check: Check) -> CheckRow | None:
    """The judge whose verdicts count."""
    judges = [judged for judged in made if judged.check is check]
    return next(
        (judged for judged in judges if judged.name == seen.judge.name), judges[0] if judges else None
    )
