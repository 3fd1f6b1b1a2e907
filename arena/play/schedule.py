"""The schedule: the dialogues of every pair, with their opening messages and seeds."""

from __future__ import annotations

from collections.abc import Iterator

from arena.config.openers import drawn
from arena.config.tournament import Tournament
from arena.core.hashing import seed_for
from arena.core.types import SPEAKER, TESTED, BotSpec, DialoguePlan
from bots import library


def plans(tournament: Tournament, last: int | None = None) -> Iterator[DialoguePlan]:
    """The dialogues of each pair, up to number `last`, in rounds over the pairs.

    A seed depends only on the names of the pair and the dialogue's number. Tournaments with more dialogues or
    more bots, and other releases, therefore share these dialogues.
    """
    bots = {bot.name: bot for bot in tournament.bots}
    end = tournament.dialogues_per_pair if last is None else min(last, tournament.dialogues_per_pair)
    for number in range(end):
        for speaker, tested in tournament.pairs:
            yield plan(tournament, bots[speaker], bots[tested], number)


def plan(tournament: Tournament, speaker: BotSpec, tested: BotSpec, number: int) -> DialoguePlan:
    return DialoguePlan(
        speaker=speaker,
        tested=tested,
        opener=_opener(tournament, speaker.name, tested.name, number),
        seed=seed_for(tournament.info.seed, speaker.name, tested.name, number),
        turns=tournament.turns,
        inquirer=tournament.inquirer_id,
        number=number,
        on_loop=tournament.on_loop,
        drawn=(
            library.drawn(speaker.settings, tournament.info.seed, speaker.name, number, SPEAKER),
            library.drawn(tested.settings, tournament.info.seed, speaker.name, number, TESTED),
        ),
    )


def _opener(tournament: Tournament, speaker: str, tested: str, number: int) -> str:
    if tournament.openers_drawn:
        return drawn(tournament.openers, tournament.info.seed, speaker, tested, number)
    return tournament.openers[number % len(tournament.openers)]
