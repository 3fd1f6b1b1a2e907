"""Checks that every part of a tournament is present before anything is played."""

from __future__ import annotations

from collections.abc import Iterator

from arena.config.tournament import Tournament
from arena.core.errors import ArenaError
from arena.core.missing import combined
from arena.core.plugins import NOUNS
from bots import registry as bots
from inquirer.build import parts
from judges import registry as judges


def check(tournament: Tournament) -> None:
    """Raise MissingPart with everything that is missing and the commands to install it. No model is loaded."""
    missing = list(dict.fromkeys(problems(tournament)))
    if missing:
        raise combined(missing)


def problems(tournament: Tournament) -> Iterator[str]:
    """Return one sentence for each bot, extractor, question writer, reader and judge that cannot work on this
    machine.
    """
    for bot in tournament.bots:
        ok, sentence = bots.adapter(bot.adapter).available(bot.settings)
        if not ok:
            yield f"The bot '{bot.name}' cannot play: {sentence}"
    for part in parts(tournament.inquirer) if tournament.inquirer is not None else ():
        ok, sentence = part.factory.available(part.settings)
        if not ok:
            yield f"The {NOUNS[part.group]} '{part.name}' cannot work: {sentence}"
    for spec in tournament.judges:
        ok, sentence = judges.factory(spec.judge).available(spec.settings)
        if ok:
            try:
                judges.from_spec(spec)
            except ArenaError as error:
                ok, sentence = False, str(error)
        if not ok:
            yield f"The judge '{spec.name}' cannot judge: {sentence}"
