"""Makes a tournament file from the launch form, checks it, and estimates its cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from ui import data, memory


@dataclass(frozen=True, slots=True)
class Checked:
    """The result of checking a draft: the tournament's id, release and cost, or one sentence about the mistake."""

    tournament: str = ""
    release: str = ""
    cost: Mapping[str, Any] | None = None
    mistake: str | None = None


def compose(draft: Mapping[str, Any]) -> str:
    """Return the tournament file that a form describes."""
    return str(yaml.safe_dump(dict(draft), sort_keys=False, allow_unicode=True, width=100))


@memory.values(max_entries=32, ttl=60.0)
def _check(text: str, folder: str) -> Checked:
    from arena.config.resolve import parse
    from arena.core.errors import ArenaError
    from arena.play.estimate import estimate
    from db.paces import played

    try:
        tournament = parse(text, name="the file", folder=Path(folder))
        earlier = played(data.store(), [bot.identity for bot in tournament.bots])
    except ArenaError as error:
        return Checked(mistake=str(error))
    return Checked(tournament.info.id, tournament.info.release, estimate(tournament, earlier))


def check(text: str, folder: Path) -> Checked:
    return _check(text, str(folder))
