"""Wraps a bot with a time limit, retries with fresh seeds, and checks of its replies."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from arena.core.errors import ArenaError, BotError, BotRefused
from arena.core.hashing import seed_for
from arena.core.safe_text import storable
from bots.base import Bot, Reply, ReplyRequest

LONGEST_PAUSE = 60.0
MOST = 10**12  # maximal tokens or cost of a reply
TRY = "; try it alone with 'arena bots try'."


class Faults(Protocol):
    def __call__(self, reason: str) -> None: ...


@dataclass(frozen=True)
class Guard:
    """Asks one bot for replies. A permanent failure raises a BotError with the reason under which it is counted.

    A `bounded` bot has its own time limits and retries, and may also wait for its rate limit.
    """

    name: str
    bot: Bot
    seconds: float
    chars: int
    retries: int
    bounded: bool = False
    failures: dict[str, str] = field(default_factory=dict, compare=False)  # the first error message by reason

    async def ask(self, request: ReplyRequest, fault: Faults) -> Reply:
        """Return the first acceptable reply. `fault` is called for every failed attempt."""
        attempt = 0
        while True:
            seed = request.seed if attempt == 0 else seed_for(request.seed, "retry", attempt)
            reported = False
            try:
                reply = await self._call(replace(request, seed=seed))
                reported = True
                return self._looked_at(reply)
            except BotError as error:
                fault(error.reason)
                final = isinstance(error, BotRefused) or (self.bounded and not reported)
                if final or attempt >= self.retries:
                    self.failures.setdefault(error.reason, str(error))
                    raise
                wait = error.retry_after or 0.0
            attempt += 1
            if wait:
                await asyncio.sleep(min(wait, LONGEST_PAUSE))

    async def _call(self, request: ReplyRequest) -> Reply:
        try:
            async with asyncio.timeout(None if self.bounded else self.seconds):
                replies: Sequence[Reply] = await self.bot.reply([request])
        except TimeoutError:
            raise BotError(
                f"The bot '{self.name}' gave no reply within {self.seconds:g} s; raise limits.reply_seconds.",
                "timeout",
            ) from None
        except ArenaError:
            raise
        except Exception as error:  # a bot may raise anything
            problem = f"{type(error).__name__}: {error}"
            raise BotError(f"The bot '{self.name}' raised {problem}{TRY}", "raised") from error
        if len(replies) != 1 or not isinstance(replies[0], Reply):
            raise BotError(
                f"The bot '{self.name}' broke the protocol (one reply per request); fix its adapter.",
                "protocol",
            )
        failure = replies[0].error
        if isinstance(failure, ArenaError):
            raise failure
        if failure is not None:
            problem = f"{type(failure).__name__}: {failure}"
            raise BotError(f"The bot '{self.name}' raised {problem}{TRY}", "raised")
        return replies[0]

    def _looked_at(self, reply: Reply) -> Reply:
        reason = reply_problem(reply.text, self.chars)
        if reason:
            raise BotError(
                f"The bot '{self.name}' gave a reply that is not a message ({reason}){TRY}", reason
            )
        if not _sound(reply):
            raise BotError(
                f"The bot '{self.name}' gave a reply with counts, costs or facts that cannot be stored; "
                "fix its adapter.",
                "protocol",
            )
        return replace(reply, text=reply.text.strip())


def _sound(reply: Reply) -> bool:
    """Whether what the bot says about its reply can be stored and exported."""
    try:
        counts = (reply.tokens_in, reply.tokens_out, reply.dropped, reply.cost)
        if not all(0 <= count <= MOST for count in counts):
            return False
        return not reply.facts or storable(dict(reply.facts))
    except (TypeError, ValueError):
        return False


def reply_problem(text: object, chars: int) -> str | None:
    """The reason why a text cannot be a message; None if it can."""
    if not isinstance(text, str):
        return "not_text"
    if not text.strip():
        return "empty"
    if len(text) > chars:
        return "too_long"
    if text.isprintable():
        return None
    if any((ch < " " and ch not in "\n\t\r") or ch == "\x7f" or "\x80" <= ch <= "\x9f" for ch in text):
        return "control_characters"
    if any("\ud800" <= ch <= "\udfff" for ch in text):
        return "invalid_text"
    return None
