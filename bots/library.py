"""The shipped personas.

`persona: library:17` selects a persona, `persona: library` draws a persona for each dialogue.
"""

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
    """Returns the personas. Each has five to eight facts, one fact per line."""
    text = files("bots").joinpath("personas.txt").read_text(encoding="utf-8")
    return tuple(block.strip() for block in text.split("\n\n") if block.strip())


def chosen(persona: Any) -> Any:
    """Replaces `library:17` by the text of that persona. Any other value stays as it is."""
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
    """Returns a hash of the personas that can be drawn."""
    return digest(characters())[:16]


def drawn(settings: Facts, seed: int, speaker: str, number: int, seat: int) -> str | None:
    """Returns the persona for this dialogue of a bot that plays a different persona in each dialogue.

    The persona depends on the tournament's seed, the speaker and the dialogue's number, but not on the bot under
    test. All partners of one speaker therefore play the same personas. Personas only repeat after all of them have
    occurred, and the two seats of a dialogue never have the same persona.
    """
    if settings.get("persona") != LIBRARY:
        return None
    lap, position = divmod(number, len(characters()))
    order = list(range(len(characters())))
    generator(seed, "persona", speaker, lap).shuffle(order)
    return characters()[order[(position + seat * (len(order) // 2)) % len(order)]]


def dealt(settings: Facts, seed: int) -> str | None:
    """Returns the persona for a conversation outside a tournament. None if the bot has no persona or a fixed one."""
    return dealt_persona(settings, 0, drawn(settings, seed, "", 0, TESTED))
