"""What pages read, each read remembered until the database changes."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.errors import StoreError
from db import Repository, connect
from db.matching import Found, Place, Wanted
from db.pages import Pages, States
from db.records import Record, StoredTournament
from ui import memory
from ui.options import Options

MINUTE = 60.0
Judge = tuple[int, str, str, float]  # row, name, revision, τ


def options() -> Options:
    return Options.read()


@memory.things()
def _store(url: str) -> Repository:
    return Repository(connect(url, create=True))


def store() -> Repository:
    return _store(options().db)


def pages() -> Pages:
    return Pages(store().engine)


@memory.values(max_entries=4)
def _tournaments(url: str, stamp: str) -> list[StoredTournament]:  # noqa: ARG001
    return store().tournaments()


def tournaments(*, chats: bool = False) -> list[StoredTournament]:
    """Those that were played between bots, newest first; with `chats` the ones that hold people's chats."""
    from arena.play.chat import is_home

    found = _tournaments(options().db, pages().stamp("tournaments"))
    return [t for t in found if is_home(t) == chats]


@memory.values(max_entries=64, ttl=MINUTE)
def _judges(url: str, tournament: str, some: bool) -> list[Judge]:  # noqa: ARG001
    return store().judges(tournament)


def judges(tournament: str) -> list[Judge]:
    return _judges(options().db, tournament, pages().stamp("verdicts") != "0")


@memory.values(max_entries=64, ttl=2.0)
def _states(url: str, tournament: str) -> States:  # noqa: ARG001
    return pages().states(tournament)


@memory.things()
def _settled(url: str, _schedules: str) -> dict[str, States]:  # noqa: ARG001
    """Tournaments that are over for good, as long as no schedule grows."""
    return {}


def states(tournament: str) -> States:
    settled = _settled(options().db, pages().stamp("schedule"))
    if tournament not in settled:
        found = _states(options().db, tournament)
        if found.done < found.planned or not found.planned:
            return found
        settled[tournament] = found
    return settled[tournament]


@memory.values(max_entries=64, ttl=MINUTE)
def _entity_types(url: str, tournament: str) -> list[str]:  # noqa: ARG001
    return pages().entity_types(tournament)


def entity_types(tournament: str) -> list[str]:
    return _entity_types(options().db, tournament)


@memory.values(max_entries=256, ttl=MINUTE)
def _found(url: str, stamp: str, tournament: str, wanted: Wanted, after: Place | None, limit: int) -> Found:  # noqa: ARG001
    return pages().find(tournament, wanted, after, limit)


def found(tournament: str, wanted: Wanted, after: Place | None, limit: int) -> Found:
    stamp = pages().stamp("inquiries", "verdicts")
    return _found(options().db, stamp, tournament, wanted, after, limit)


def record(tournament: str, key: str) -> Record | None:
    """One dialogue with all that hangs on it, fresh."""
    return next(iter(store().records(tournament, keys=[key])), None)


def homes(key: str) -> Sequence[str]:
    return pages().homes(key)


__all__ = [
    "Judge",
    "StoreError",
    "entity_types",
    "found",
    "homes",
    "judges",
    "options",
    "pages",
    "record",
    "states",
    "store",
    "tournaments",
]
