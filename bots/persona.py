"""Whom a bot plays and what it knows in one dialogue: fixed texts, a list dealt in turn, or a drawn character."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from arena.core.types import Facts

LIBRARY = "library"  # as a persona: a shipped character, another one in each dialogue


def dealt_persona(settings: Facts, number: int, drawn: str | None = None) -> str | None:
    """The persona of this dialogue alone; None where the bot has one for good, or none at all."""
    persona = settings.get("persona")
    if isinstance(persona, Sequence) and not isinstance(persona, str):
        return _one(persona, number)
    return drawn


def fixed_persona(settings: Facts) -> str | None:
    """The persona that the bot has in every dialogue."""
    persona = settings.get("persona")
    return persona if isinstance(persona, str) and persona != LIBRARY else None


def persona_of(settings: Facts, number: int, drawn: str | None = None) -> str | None:
    """Whom the bot plays in the pair's dialogue of this number."""
    return dealt_persona(settings, number, drawn) or fixed_persona(settings)


def knowledge_of(settings: Facts, number: int) -> str | None:
    """What the bot knows in this dialogue: the same each time, or one item after the other."""
    return _one(settings.get("knowledge"), number)


def _one(value: Any, number: int) -> str | None:
    if value is None or isinstance(value, str):
        return value or None
    return str(value[number % len(value)])
