"""The conversation that every part of the benchmark plays.

It has two seats of one model, one inquiry per turn, and replies of fixed length.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from bots.base import Bot, Line, ReplyRequest

OPENER = "hello, what did you do today?"
QUESTION = "What did you say about it just now?"
TOKENS = 32  # new tokens of every reply, for all competitors

Say = Callable[[str, tuple[Line, ...], int, bool], Awaitable[str]]  # key, history, seed, fork → text


@dataclass
class Talk:
    """One dialogue, played turn by turn."""

    name: str
    seed: int
    views: tuple[list[Line], list[Line]] = field(default_factory=lambda: ([], []))
    turn: int = 0
    replies: int = 0

    async def play_turn(self, say: Say) -> None:
        """Play one message of each seat, and one question to the second seat that leaves no trace in the
        conversation.
        """
        if self.turn == 0:
            self._add(0, OPENER)
        else:
            await self._speak(0, say)
        await self._speak(1, say)
        await say(f"{self.name}:1", (*self.views[1], Line(QUESTION, False)), self._seed(2), True)
        self.replies += 1
        self.turn += 1

    async def _speak(self, seat: int, say: Say) -> None:
        text = await say(f"{self.name}:{seat}", tuple(self.views[seat]), self._seed(seat), False)
        self.replies += 1
        self._add(seat, text)

    def _add(self, seat: int, text: str) -> None:
        for view in (0, 1):
            self.views[view].append(Line(text, view == seat))

    def at_the_point_of(self, other: Talk) -> None:
        """Continue from the turn and the histories of another talk."""
        self.turn = other.turn
        self.views = (list(other.views[0]), list(other.views[1]))

    def _seed(self, purpose: int) -> int:
        return self.seed * 100_000 + self.turn * 10 + purpose


def saying(bot: Bot) -> Say:
    """Return a function that asks a bot for one reply."""

    async def say(key: str, history: tuple[Line, ...], seed: int, fork: bool) -> str:
        reply = (await bot.reply([ReplyRequest(key, history, seed, fork)]))[0]
        if reply.error is not None:
            raise reply.error
        return reply.text

    return say


async def play_turns(talks: list[Talk], say: Say) -> int:
    """Play the next turn of all talks at once. Returns the number of replies."""
    before = sum(talk.replies for talk in talks)
    await asyncio.gather(*(talk.play_turn(say) for talk in talks))
    return sum(talk.replies for talk in talks) - before
