"""Leaderboards and further figures, computed once for each state of the database."""

from __future__ import annotations

from arena.core.types import Check
from arena.results import checks, releases
from arena.results import view as report
from arena.stats.comparison import Comparison, compare
from arena.stats.counts import HEADLINE, Kinds, content
from arena.stats.leaderboard import leaderboard as rank
from arena.stats.stability import Stability
from arena.stats.stability import stability as stabilise
from arena.stats.standings import Leaderboard
from arena.stats.sweeps import Sweep
from arena.stats.sweeps import sweep as sweep_taus
from db.arrays import NOT_JUDGED
from db.conduct import Conduct
from db.conduct import conduct as read_conduct
from db.records import StoredTournament
from ui import data, memory

AGE = 600.0


@memory.things(max_entries=6, ttl=AGE)
def _view(url: str, stamp: str, _tournament: StoredTournament, id: str, judge: str | None) -> report.View:  # noqa: ARG001
    return report.view(data.store(), _tournament, judge)


def usual(tournament: StoredTournament) -> str:
    """Return the default judge of a page: the first judge of the tournament's file that has verdicts."""
    names = [judge.name for judge in data.judges(tournament.id)]
    listed = [entry["name"] for entry in tournament.judges]
    return next((name for name in listed if name in names), names[0])


def stamp(tournament: str) -> str:
    """Return a value that changes whenever the tournament has new dialogues or verdicts.

    Other tournaments' dialogues do not change it. Labels do not change it either, so that the leaderboard is not
    recomputed while people label.
    """
    return f"{data.states(tournament).over}.{data.pages().stamp('verdicts')}"


def view(tournament: StoredTournament, judge: str | None) -> report.View:
    """Return the tournament as the judge sees it.

    A view to which nothing can be added is kept while other tournaments are judged, which changes the stamp.
    """
    states = data.states(tournament.id)
    shown = f"{states.over} of {states.planned} by {data.judges(tournament.id)}"
    kept = _kept(data.options().db, tournament.id, judge, shown)
    if kept:
        return kept[0]
    seen = _view(data.options().db, stamp(tournament.id), tournament, tournament.id, judge)
    if states.over == states.planned and NOT_JUDGED not in _reasons(seen):
        kept.append(seen)
    return seen


@memory.things(max_entries=6, ttl=AGE)
def _kept(url: str, tournament: str, judge: str | None, shown: str) -> list[report.View]:  # noqa: ARG001
    return []


def _reasons(seen: report.View) -> set[str]:
    """Return the reasons for which inquiries have no score."""
    given = seen.inquiries.reason
    return {seen.inquiries.reasons[at] for at in set(given[given >= 0].tolist())}


@memory.things(max_entries=6, ttl=AGE)
def _checked(
    key: tuple[str, ...],  # noqa: ARG001
    _tournament: StoredTournament,
    check: Check,
    judge: str,
) -> report.View:
    return checks.view_of(data.store(), _tournament, check, judge)


def checked(tournament: StoredTournament, check: Check, judge: str) -> report.View:
    """Return the tournament under one check of messages."""
    key = (data.options().db, stamp(tournament.id), data.pages().stamp("message_verdicts"), tournament.id)
    return _checked(key, tournament, check, judge)


@memory.values(max_entries=20, ttl=AGE)
def _conduct(url: str, stamp: str, tournament: str) -> dict[str, Conduct]:  # noqa: ARG001
    return read_conduct(data.store(), tournament)


def conduct(tournament: str) -> dict[str, Conduct]:
    """Return the questions that were not asked and the dialogues that broke down, by bot."""
    return _conduct(data.options().db, stamp(tournament), tournament)


@memory.values(max_entries=100, ttl=AGE)
def _check_rates(_seen: report.View, key: tuple[str, ...], bot: str) -> dict[str, checks.CheckRate]:  # noqa: ARG001
    return checks.check_rates(data.store(), _seen, bot).get(bot, {})


def check_rates(seen: report.View, bot: str) -> dict[str, checks.CheckRate]:
    """Return a bot's rate under each check of messages."""
    return _check_rates(seen, (*_key(seen), data.pages().stamp("message_verdicts")), bot)


@memory.values(max_entries=200, ttl=AGE)
def _board(
    _seen: report.View,
    key: tuple[str, ...],  # noqa: ARG001
    tau: float,
    kind: Kinds,
    distance: int | None,
) -> Leaderboard:
    return rank(_seen.inquiries, tau, kind=kind, distance=distance)


def board(seen: report.View, tau: float, kind: Kinds = HEADLINE, distance: int | None = 0) -> Leaderboard:
    return _board(seen, _key(seen), tau, kind, distance)


@memory.values(max_entries=50, ttl=AGE)
def _sweep(_seen: report.View, key: tuple[str, ...], kind: Kinds, distance: int | None) -> Sweep:  # noqa: ARG001
    return sweep_taus(_seen.inquiries, kind=kind, distance=distance)


def sweep(seen: report.View, kind: Kinds, distance: int | None) -> Sweep:
    return _sweep(seen, _key(seen), kind, distance)


@memory.values(show_spinner="Drawing sub-samples …", max_entries=20, ttl=AGE)
def _stability(
    _seen: report.View,
    key: tuple[str, ...],  # noqa: ARG001
    tau: float,
    kind: Kinds,
    distance: int | None,
    rounds: int,
) -> Stability:
    return stabilise(report.counts(_seen, kind=kind, distance=distance, tau=tau), rounds=rounds)


def stability(seen: report.View, tau: float, kind: Kinds, distance: int | None, rounds: int) -> Stability:
    return _stability(seen, _key(seen), tau, kind, distance, rounds)


@memory.values(max_entries=50, ttl=AGE, show_spinner="Comparing …")
def _comparison(
    _sides: tuple[report.View, report.View],
    key: tuple[str, ...],  # noqa: ARG001
    kind: Kinds,
    margin: float,
    force: bool,
) -> Comparison:
    first, second = (releases.release(data.store(), side, kind=kind, distance=0) for side in _sides)
    return compare(first, second, margin=margin, force=force)


def comparison(
    a: StoredTournament, b: StoredTournament, judge: str, kind: Kinds, margin: float, force: bool
) -> Comparison:
    sides = (view(a, judge), view(b, judge))
    return _comparison(sides, (*_key(sides[0]), *_key(sides[1])), kind, margin, force)


@memory.values(max_entries=20, ttl=AGE, show_spinner="Looking back …")
def _history(url: str, stamp: str, bot: str, judge: str) -> list[releases.ReleaseStanding]:  # noqa: ARG001
    return releases.history(data.store(), bot, judge)


def history(bot: str, judge: str) -> list[releases.ReleaseStanding]:
    """Return the bot's standing in every tournament that the judge has judged, oldest first."""
    return _history(data.options().db, data.pages().stamp("inquiries", "verdicts"), bot, judge)


def _key(seen: report.View) -> tuple[str, ...]:
    """Return what the figures of a view depend on.

    While another tournament is judged, the stamp changes with every verdict, but the view's content does not; so the
    content is the key, and nothing is computed again.
    """
    messages = "" if seen.check is Check.INQUIRY else data.pages().stamp("message_verdicts")
    shown = (data.options().db, seen.tournament.id, str(seen.judge.row), seen.check.value)
    return (*shown, _content(seen, (*shown, stamp(seen.tournament.id), messages)))


@memory.values(max_entries=24, ttl=AGE)
def _content(_seen: report.View, key: tuple[str, ...]) -> str:  # noqa: ARG001
    return content(_seen.inquiries)
