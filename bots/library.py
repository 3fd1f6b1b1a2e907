"""The shipped characters: `persona: library:17` takes one, `persona: library` draws another one per dialogue."""

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
    """Each a text of five to eight facts, one per line."""
    text = files("bots").joinpath("personas.txt").read_text(encoding="utf-8")
    return tuple(block.strip() for block in text.split("\n\n") if block.strip())


def chosen(persona: Any) -> Any:
    """`library:17` as the text of that character; everything else as it is."""
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
    """Which characters there are to draw."""
    return digest(characters())[:16]


def drawn(settings: Facts, seed: int, speaker: str, number: int, seat: int) -> str | None:
    """The character of a bot that plays another one in each dialogue.

    It depends on the tournament's seed, the speaker and the dialogue's number, not on the bot under test: all
    that one speaker talks with play the same characters. None comes twice before all have come once, and the
    two seats of a dialogue never play the same one.
    """
    if settings.get("persona") != LIBRARY:
        return None
    lap, place = divmod(number, len(characters()))
    order = list(range(len(characters())))
    generator(seed, "persona", speaker, lap).shuffle(order)
    return characters()[order[(place + seat * (len(order) // 2)) % len(order)]]


def dealt(settings: Facts, seed: int) -> str | None:
    """The persona of a conversation outside a tournament, where the bot has none for good."""
    return dealt_persona(settings, 0, drawn(settings, seed, "", 0, TESTED))
