"""Builds cases for judges of groundedness (Q², BEGIN) from the ordinary replies of a bot that has knowledge."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.types import Case, Message


def replies(messages: Sequence[Message], seat: int, knowledge: str) -> list[tuple[int, Case]]:
    """Return the index and the case of each reply of the bot in this seat; a case includes the previous turn."""
    texts = [message.text for message in messages]
    return [
        (
            message.index,
            Case(
                source=knowledge,
                question="",
                answer=message.text,
                context=tuple(texts[:index]),
                knowledge=knowledge,
            ),
        )
        for index, message in enumerate(messages)
        if message.seat == seat
    ]
