"""Looks for loops in whole conversations."""

from __future__ import annotations

from collections.abc import Iterable

from bots.repetition import Loop, LoopWatch


def first_loop(messages: Iterable[tuple[int, str]]) -> Loop | None:
    """The first loop of a conversation of (seat, text)."""
    watch = LoopWatch()
    return next((loop for seat, text in messages if (loop := watch.hear(seat, text))), None)
