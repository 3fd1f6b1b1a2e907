"""Ordinary replies of a bot that was given knowledge, as cases for judges of groundedness (Q², BEGIN)."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.types import Case, Message


def replies(messages: Sequence[Message], seat: int, knowledge: str) -> list[tuple[int, Case]]:
    """Index and case of everything that the bot in this seat said, beside what was said before."""
    texts = [message.text for message in messages]
    return [
        (
            message.index,
            Case(
                source=knowledge,
                question="",
                answer=message.text,
                context=tuple(texts[:place]),
                knowledge=knowledge,
            ),
        )
        for place, message in enumerate(messages)
        if message.seat == seat
    ]
