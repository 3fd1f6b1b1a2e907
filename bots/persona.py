"""A bot's persona and knowledge in a dialogue: fixed texts, a list whose items take turns, or a drawn persona."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.core.types import Facts

LIBRARY = "library"  # as a persona: a shipped character, another one in each dialogue


def dealt_persona(settings: Facts, number: int, drawn: str | None = None) -> str | None:
    """Returns the persona for this dialogue only. None if the bot has a fixed persona or none."""
    persona = settings.get("persona")
    if isinstance(persona, Sequence) and not isinstance(persona, str):
        return _one(persona, number)
    return drawn


def fixed_persona(settings: Facts) -> str | None:
    """Returns the persona that the bot has in every dialogue, or None."""
    persona = settings.get("persona")
    return persona if isinstance(persona, str) and persona != LIBRARY else None


def persona_of(settings: Facts, number: int, drawn: str | None = None) -> str | None:
    """Returns the bot's persona in the pair's dialogue with this number."""
    return dealt_persona(settings, number, drawn) or fixed_persona(settings)


def knowledge_of(settings: Facts, number: int) -> str | None:
    """Returns the bot's knowledge in this dialogue: a fixed text, or the next item of a list."""
    return _one(settings.get("knowledge"), number)


def _one(value: Any, number: int) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    return str(value[number % len(value)])
