"""Reads the data of the pages. Each read is cached until the database changes."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.errors import StoreError
from db import Repository, connect
from db.matching import Matches, Wanted
from db.pages import Pages, States
from db.records import JudgeRow, Place, Record, StoredTournament
from ui import memory
from ui.options import Options

MINUTE = 60.0
FEW_DIALOGUES = 10_000


def options() -> Options:
    return Options.read()


@memory.things()
def _store(url: str) -> Repository:
    return Repository(connect(url, create=True))


def store() -> Repository:
    return _store(options().db)


def pages() -> Pages:
    return Pages(store())


@memory.values(max_entries=4)
def _tournaments(url: str, stamp: str) -> list[StoredTournament]:  # noqa: ARG001
    return store().tournaments()


def tournaments(*, chats: bool = False) -> list[StoredTournament]:
    """Return the tournaments between bots, newest first; with `chats`, those of people's chats instead."""
    from arena.play.chat import is_home

    stored = _tournaments(options().db, pages().stamp("tournaments"))
    return [t for t in stored if is_home(t) == chats]


@memory.values(max_entries=64, ttl=MINUTE)
def _judges(url: str, tournament: str, some: bool) -> list[JudgeRow]:  # noqa: ARG001
    return store().judges(tournament)


@memory.values(max_entries=64, ttl=2.0)
def _first_judges(url: str, tournament: str) -> list[JudgeRow]:  # noqa: ARG001
    return store().judges(tournament)


def judges(tournament: str) -> list[JudgeRow]:
    """Return the judges of a tournament, cached for a minute. An empty answer is cached for two seconds only."""
    known = _judges(options().db, tournament, pages().stamp("verdicts") != "0")
    return known or _first_judges(options().db, tournament)


@memory.values(max_entries=64, ttl=MINUTE)
def _message_checks(url: str, tournament: str, stamp: str) -> list[str]:  # noqa: ARG001
    return sorted({check.value for check, *_ in store().checks(tournament)})


def message_checks(tournament: str) -> list[str]:
    """Return the checks of messages for which the tournament has verdicts."""
    return _message_checks(options().db, tournament, str(pages().stamp("message_verdicts") != "0"))


@memory.values(max_entries=64, ttl=2.0)
def _states(url: str, tournament: str) -> States:  # noqa: ARG001
    return pages().states(tournament)


@memory.things()
def _settled(url: str, _schedules: str) -> dict[str, States]:  # noqa: ARG001
    """The states of finished tournaments; they stay valid until a schedule grows."""
    return {}


def states(tournament: str) -> States:
    settled = _settled(options().db, pages().stamp("schedule"))
    if tournament not in settled:
        counts = _states(options().db, tournament)
        if counts.done < counts.planned or not counts.planned:
            return counts
        settled[tournament] = counts
    return settled[tournament]


@memory.values(max_entries=64)
def _waiting(url: str, stamp: str, tournament: str, judge: int) -> int:  # noqa: ARG001
    return store().waiting(tournament, judge)


def waiting(tournament: str, judge: int) -> int | None:
    """Return how many inquiries the judge has not judged yet; None for large tournaments, where counting takes long."""
    if states(tournament).planned > FEW_DIALOGUES:
        return None
    return _waiting(options().db, pages().stamp("inquiries", "verdicts"), tournament, judge)


@memory.values(max_entries=64, ttl=MINUTE)
def _entity_types(url: str, tournament: str) -> list[str]:  # noqa: ARG001
    return pages().entity_types(tournament)


def entity_types(tournament: str) -> list[str]:
    return _entity_types(options().db, tournament)


@memory.values(max_entries=256, ttl=MINUTE)
def _matching(
    url: str,  # noqa: ARG001
    stamp: str,  # noqa: ARG001
    tournament: str,
    wanted: Wanted,
    after: Place | None,
    limit: int,
) -> Matches:
    return pages().find(tournament, wanted, after, limit)


def matching(tournament: str, wanted: Wanted, after: Place | None, limit: int) -> Matches:
    stamp = pages().stamp("inquiries", "verdicts", "message_verdicts")
    return _matching(options().db, stamp, tournament, wanted, after, limit)


def record(tournament: str, key: str) -> Record | None:
    """Return one dialogue with its verdicts and labels. It is not cached."""
    return next(iter(store().records(tournament, keys=[key])), None)


def homes(key: str) -> Sequence[str]:
    return pages().homes(key)


__all__ = [
    "StoreError",
    "entity_types",
    "homes",
    "judges",
    "matching",
    "message_checks",
    "options",
    "pages",
    "record",
    "states",
    "store",
    "tournaments",
    "waiting",
]
