"""Checks every part of a tournament before anything is played, and names all that is missing at once.

Bots say so by `available()`; their weights were found when the configuration was resolved. The inquirer and the
judges are created as the run would create them, because what they need depends on their settings.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from arena.config.tournament import Tournament
from arena.core.errors import ArenaError, MissingPart
from bots import registry as bots
from inquirer.build import build
from judges import registry as judges


def check(tournament: Tournament) -> None:
    """Raises a MissingPart with one sentence for each part that cannot work on this machine."""
    missing = list(dict.fromkeys(problems(tournament)))
    if missing:
        raise MissingPart(" ".join(missing))


def problems(tournament: Tournament) -> Iterator[str]:
    """What keeps bots, inquirer and judges from working, a sentence each."""
    for bot in tournament.bots:
        available, detail = bots.adapter(bot.adapter).available()
        if not available:
            yield f"The bot '{bot.name}' cannot play: {detail}"
    asked = tournament.inquirer
    if asked is not None:
        yield from _tried("The inquirer cannot ask", lambda: build(asked))
    for spec in tournament.judges:
        yield from _tried(f"The judge '{spec.name}' cannot judge", partial(judges.from_spec, spec))


def _tried(failure: str, create: Callable[[], object]) -> Iterator[str]:
    try:
        create()
    except ArenaError as error:
        yield f"{failure}: {error}"
