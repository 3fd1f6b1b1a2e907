"""Notes for a run that creates another tournament under an existing release tag. They say how the tournaments
differ.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import yaml

from arena.config.tournament import Tournament
from db.records import StoredTournament

# Reported in another way, or derived from other keys
DERIVED = {"release", "id", "identity", "name", "adapter"}
# The values of keys that an older stored configuration does not name
BEFORE: Mapping[str, Any] = {
    "on_loop": "keep",
    "opener_order": "in_turn",
    "prefer": "any",
    "frame": "none",
    "checks": ["inquiry"],
}
LONGEST = 160  # characters of a value that are shown


def notes(tournament: Tournament, stored: Sequence[StoredTournament]) -> Iterator[str]:
    """Return the notes to show before this tournament is added to the `stored` tournaments (newest first)."""
    info = tournament.info
    same_tag = [one for one in stored if one.release == info.release and not one.config.get("chats")]
    if not same_tag or any(one.id == info.id for one in same_tag):
        return
    newest = same_tag[0]
    yield (
        f"The release '{info.release}' has {_several(len(same_tag))} already, the newest {newest.id}: this "
        f"configuration is another one, and becomes {info.id}. Commands take the newest of a tag."
    )
    pins = list(differences(newest.config, info.config))
    if pins:
        yield f"In {newest.id} it was: {'; '.join(pins)}. Write that into the file to go on as before."
    elif newest.config.get("inquirer") != info.config.get("inquirer"):
        yield "The file says the same; the inquirer has another revision, so its dialogues are played anew."


def _several(number: int) -> str:
    return "a tournament" if number == 1 else f"{number} tournaments"


def differences(before: Mapping[str, Any], now: Mapping[str, Any]) -> Iterator[str]:
    """Return the keys whose values differ. Old values are written as in a tournament file."""
    yield from _keys(before, now, "", skip={"bots", "judges", "pairs", "inquirer", "budget", "limits"})
    for section in ("inquirer", "budget", "limits"):
        old, new = before.get(section), now.get(section)
        if isinstance(old, Mapping) and isinstance(new, Mapping):
            yield from _keys(old, new, f"{section}.")
        elif bool(old) != bool(new):
            yield f"{section}: {'as by default' if old else 'false'}"
    yield from _bots(before.get("bots", ()), now.get("bots", ()))
    yield from _judges(before.get("judges", ()), now.get("judges", ()))


def _keys(
    before: Mapping[str, Any],
    now: Mapping[str, Any],
    prefix: str,
    skip: set[str] | frozenset[str] = frozenset(),
) -> Iterator[str]:
    for key in dict.fromkeys([*before, *now]):
        if key in DERIVED or key in skip:
            continue
        old, new = before.get(key, BEFORE.get(key)), now.get(key, BEFORE.get(key))
        if old != new:
            yield f"{prefix}{key}: {_written(old)}"


def _bots(before: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    earlier = {bot["name"]: bot for bot in before}
    later = {bot["name"]: bot for bot in now}
    if list(earlier) != list(later):
        yield f"bots: {', '.join(earlier)}"
    for name in earlier.keys() & later.keys():
        if earlier[name]["identity"] == later[name]["identity"]:
            continue
        changed = list(_keys(earlier[name]["settings"], later[name]["settings"], f"bot '{name}' "))
        framed = "frame" in later[name]["settings"]
        yield from changed or [
            f"bot '{name}': other weights{', or another text of its frame' if framed else ''}"
        ]


def _judges(before: Sequence[Mapping[str, Any]], now: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    names = [judge["name"] for judge in before]
    if names != [judge["name"] for judge in now]:
        yield f"judges: {_written(names)}"


def _written(value: Any) -> str:
    text = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, width=10**6, sort_keys=False)
    line = text.removesuffix("...\n").strip()
    return line if len(line) <= LONGEST else f"{line[:LONGEST]}…"
