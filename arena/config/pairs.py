"""Decides which bots talk with each other: all ordered pairs, interviews, or a list."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.core.source_map import SourceMap, near
from arena.core.types import BotSpec

ALL, INTERVIEWS = "all", "interviews"
INTERVIEWER = "interviewer"  # the adapter, and the name of the bot if the file lists no interviewer


def with_interviewer(value: Any, bots: Sequence[BotSpec], source: SourceMap) -> tuple[BotSpec, ...]:
    """Return the bots of a tournament. For interviews, an interviewer is added if the file has none."""
    from bots import registry

    if value != INTERVIEWS or any(bot.adapter == INTERVIEWER for bot in bots):
        return tuple(bots)
    if any(bot.name == INTERVIEWER for bot in bots):
        source.fail(
            ("pairs",), f"interviews need the name '{INTERVIEWER}' for the bot that asks; rename yours."
        )
    return (registry.spec(INTERVIEWER, INTERVIEWER, {}), *bots)


def resolved(value: Any, bots: Sequence[BotSpec], source: SourceMap) -> list[tuple[str, str]]:
    """Return the ordered pairs (speaker, bot under test)."""
    names = [bot.name for bot in bots]
    if value == ALL:
        return [(i, j) for i in names for j in names]
    if value == INTERVIEWS:
        return _interviews(bots, source)
    pairs = [(str(i), str(j)) for i, j in value]
    if not pairs:
        source.fail(("pairs",), "the list of pairs is empty; name some or write 'all'.")
    for number, pair in enumerate(pairs):
        for name in pair:
            if name not in names:
                source.fail(("pairs", number), f"there is no bot '{name}'{near(name, names)}")
        if pair in pairs[:number]:
            source.fail(("pairs", number), f"the pair {list(pair)} is there twice; remove one.")
    return pairs


def _interviews(bots: Sequence[BotSpec], source: SourceMap) -> list[tuple[str, str]]:
    """Pair every interviewer with every bot that is not an interviewer."""
    asking = [bot.name for bot in bots if bot.adapter == INTERVIEWER]
    asked = [bot.name for bot in bots if bot.adapter != INTERVIEWER]
    if not asked:
        source.fail(("pairs",), "there is no bot to interview; list one that is not an interviewer.")
    return [(speaker, tested) for speaker in asking for tested in asked]
