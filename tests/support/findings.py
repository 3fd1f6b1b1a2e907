"""Verdicts on messages without a model: what people label, and what transcripts draw."""

from __future__ import annotations

from collections.abc import Sequence

from arena.core.types import TESTED, Check, Judgement, Message
from db.repository import Repository

METHOD = 2
PERSONA = "I have never had a pet."


def add(store: Repository, tournament: str, check: Check = Check.HISTORY, judge: int = 0) -> int:
    """By one of the tournament's judges: every second later message of the bot contradicts; gives their number."""
    row = store.judges(tournament)[judge][0]
    collected = []
    for talk in store.unchecked(tournament, row, check, METHOD, 0, 10_000):
        text = [message for message in talk.messages if message.seat == TESTED]
        for place, message in enumerate(text):
            collected.append((talk.dialogue, message.index, _judgement(text, place, check, judge)))
    store.add_message_verdicts(row, check, METHOD, collected)
    return sum(one.contradiction is not None for _, _, one in collected)


def _judgement(messages: Sequence[Message], place: int, check: Check, judge: int) -> Judgement:
    """Judges differ on every third message."""
    if check is Check.HISTORY and place == 0:
        return Judgement(None, reason="nothing_before")
    score = 0.9 if place % 2 or (judge and place % 3 == 0) else 0.1
    evidence: dict[str, object] = {"earlier": PERSONA, "later": messages[place].text, "pairs": 3}
    if check is Check.HISTORY:
        evidence |= {"earlier": messages[place - 1].text, "message": messages[place - 1].index}
    return Judgement(score + place / 1000, {}, evidence)
