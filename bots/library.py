"""The shipped personas: `persona: library:17` selects one, `persona: library` draws one per dialogue."""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from arena.core.errors import InputError
from arena.core.hashing import digest, generator
from arena.core.types import TESTED, Facts
from bots.persona import LIBRARY, dealt_persona


@lru_cache(maxsize=1)
def characters() -> tuple[str, ...]:
    """The personas, each with five to eight facts, one per line."""
    text = files("bots").joinpath("personas.txt").read_text(encoding="utf-8")
    return tuple(block.strip() for block in text.split("\n\n") if block.strip())


def chosen(persona: Any) -> Any:
    """Replaces `library:17` by the text of that persona; everything else is kept."""
    if not isinstance(persona, str) or not persona.startswith(f"{LIBRARY}:"):
        return persona
    number = persona.removeprefix(f"{LIBRARY}:").strip()
    if not number.isdecimal() or not 1 <= int(number) <= len(characters()):
        raise InputError(
            f"The persona '{persona}' is not in the library: write library:N with N from 1 to "
            f"{len(characters())}, or 'library' for another one per dialogue."
        )
    return characters()[int(number) - 1]


def revision() -> str:
    """Identifies the personas that can be drawn."""
    return digest(characters())[:16]


def drawn(settings: Facts, seed: int, speaker: str, number: int, seat: int) -> str | None:
    """The persona of a bot that plays a different one in each dialogue.

    It depends on the tournament's seed, the speaker and the dialogue's number, not on the bot under test: all
    partners of one speaker play the same personas. None occurs twice before all have occurred once, and the
    two seats of a dialogue never play the same one.
    """
    if settings.get("persona") != LIBRARY:
        return None
    lap, position = divmod(number, len(characters()))
    order = list(range(len(characters())))
    generator(seed, "persona", speaker, lap).shuffle(order)
    return characters()[order[(position + seat * (len(order) // 2)) % len(order)]]


def dealt(settings: Facts, seed: int) -> str | None:
    """The persona for a conversation outside a tournament, if the bot has no fixed one."""
    return dealt_persona(settings, 0, drawn(settings, seed, "", 0, TESTED))
