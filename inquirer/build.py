"""An inquirer from the mapping of a tournament file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.core import plugins
from arena.core.errors import InputError
from arena.core.hashing import digest
from inquirer import rambling
from inquirer.base import Extractor, Reader, Writer
from inquirer.inquirer import Inquirer

DEFAULT: Mapping[str, Any] = {
    "entities": "stanza",
    "questions": "rules",
    "round_trip": False,
    "top": 1,
    "long_replies": rambling.SURE,
}
ELSEWHERE = {"kinds", "distances", "per_turn", "resources"}  # keys of the same mapping that others read


def build(settings: Mapping[str, Any] | None = None) -> Inquirer:
    """Extractor, writers and reader by name; each may be a mapping of `use` and its own settings.

    A list of writers is a mix: every question of every writer competes by its score.
    """
    settings = {**DEFAULT, **(settings or {})}
    wrong = sorted(set(settings) - set(DEFAULT) - ELSEWHERE)
    if wrong:
        known = sorted(set(DEFAULT) | ELSEWHERE)
        raise InputError(plugins.unknown("inquirer setting", wrong[0], known))
    top = settings["top"]
    if not isinstance(top, int) or isinstance(top, bool) or top < 1:
        raise InputError(f"The inquirer's 'top' must be a whole number from 1, not {top!r}.")
    if settings["long_replies"] not in rambling.ASKED:
        amounts = ", ".join(rambling.ASKED)
        raise InputError(
            f"The inquirer's 'long_replies' must be one of {amounts}, not {settings['long_replies']!r}."
        )
    extractor: Extractor = _made("arena.entities", settings["entities"])
    chosen = settings["questions"]
    mix = list(chosen) if isinstance(chosen, Sequence) and not isinstance(chosen, str) else [chosen]
    if not mix:
        raise InputError("The inquirer's 'questions' is an empty list: name at least one writer.")
    writers: list[Writer] = [_made("arena.questions", entry) for entry in mix]
    return Inquirer(extractor, writers, _reader(settings["round_trip"]), top, settings["long_replies"])


def _reader(wanted: Any) -> Reader | None:
    """`round_trip: true` takes the embedded reader; a name or mapping takes that one."""
    if wanted is False or wanted is None:
        return None
    reader: Reader = _made("arena.readers", "embedded" if wanted is True else wanted)
    return reader


def _made(group: str, entry: Any) -> Any:
    name, settings = named(entry, plugins.NOUNS[group])
    return plugins.load(group, name)(settings)


def named(entry: Any, noun: str) -> tuple[str, Mapping[str, Any]]:
    """NAME or {use: NAME, …} as name and settings."""
    if isinstance(entry, str):
        return entry, {}
    if isinstance(entry, Mapping) and isinstance(entry.get("use"), str):
        return entry["use"], {k: v for k, v in entry.items() if k != "use"}
    raise InputError(f"The {noun} must be a name or a mapping with 'use', not {entry!r}.")


def fingerprint(settings: Mapping[str, Any]) -> str:
    """A short hash of the settings alone, for revisions."""
    return digest(dict(settings))[:12]
