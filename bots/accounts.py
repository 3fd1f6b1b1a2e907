"""Pays for calls.

A bot reports to the account before and after each call, and reuses replies that were already paid for.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from arena.core.amounts import Amount
from arena.core.errors import BotRefused
from arena.core.hashing import digest
from bots.base import Bot, Reply, ReplyRequest, RunOptions
from bots.batching import DialogueCounter
from bots.limits import Unheard

CHARACTERS_A_TOKEN = 4  # the usual estimate if the tokens were not counted
USUAL_REPLY = 128  # tokens reserved for a reply of unknown maximal length


@dataclass(frozen=True, slots=True)
class Call:
    """A call that is made only once, even if several processes need it.

    Its reply is kept until the dialogue is stored.
    """

    key: str
    dialogue: str
    seconds: float  # time after which the call must have ended


@dataclass(frozen=True, slots=True)
class Grant:
    """The amount reserved for a call. If the call was paid for before, its reply."""

    most: Amount
    call: Call | None = None
    kept: Mapping[str, Any] | None = None


class Account(Protocol):
    """A tournament's budget, as bots see it.

    An account can be pickled and also works on another host.
    """

    shared: bool  # whether other processes can reach the account

    async def reserve(self, payer: str, most: Amount, call: Call | None = None) -> Grant:
        """Waits until a call that may cost `most` fits into the budget, or raises BudgetSpent.

        More than `most` may be reserved, because a service that has charged more than expected may do so again. If
        another process is making the same call, this method waits for its reply.
        """
        ...

    def settle(
        self, payer: str, grant: Grant, actual: Amount, reply: Mapping[str, Any] | None = None
    ) -> None:
        """Stores the cost of the call and, if it is worth keeping, its reply, in one transaction."""
        ...

    async def stored(self) -> None:
        """Waits until everything settled so far is in the database."""
        ...

    async def recall(self, key: str) -> Mapping[str, Any] | None:
        """Returns a reply that an unfinished run has already paid for, or None."""
        ...

    def keep(self, key: str, dialogue: str, reply: Mapping[str, Any]) -> None:
        """Keeps a reply until its dialogue is stored."""
        ...

    async def turn(self, name: str, gap: float) -> None:
        """Waits for a turn in a queue shared by all processes."""
        ...

    def stop(self) -> None:
        """Makes the account refuse all further calls."""
        ...

    async def close(self) -> None:
        """Stores everything that is not settled yet."""
        ...


@runtime_checkable
class PaysItself(Protocol):
    """A bot that reports its own calls to the account and keeps their replies.

    `Metered` does that for all other bots.
    """

    def charge(self, account: Account) -> None: ...


@runtime_checkable
class UsesBots(Protocol):
    """A judge, question writer or inquirer that asks bots.

    It receives the options with which the run creates bots.
    """

    def use(self, run: RunOptions) -> None: ...


@dataclass
class Bill:
    """The cost of one call. If the cost is unknown, the highest possible cost counts."""

    account: Account | None
    payer: str
    grant: Grant
    paid: bool = False

    @property
    def kept(self) -> Reply | None:
        """The reply if it was paid for before, so that no call is necessary."""
        return None if self.grant.kept is None else Reply(**self.grant.kept)

    def pay(self, actual: Amount, reply: Reply | None = None) -> None:
        if self.account is not None and not self.paid:
            worth_keeping = self.grant.call is not None and reply is not None and _storable(reply.text)
            kept = reply.without_error() if reply is not None and worth_keeping else None
            self.account.settle(self.payer, self.grant, actual, kept)
        self.paid = True


@asynccontextmanager
async def paying(
    account: Account | None, payer: str, most: Amount, call: Call | None = None
) -> AsyncIterator[Bill]:
    """Reserves money before the call and settles the cost after it.

    A refused call counts as one call without further cost.
    """
    grant = Grant(most) if account is None else await account.reserve(payer, most, call)
    bill = Bill(account, payer, grant, paid=grant.kept is not None)
    try:
        yield bill
    except (BotRefused, Unheard):
        bill.pay(Amount(1))
        raise
    finally:
        bill.pay(grant.most)


class Metered:
    """Wraps a bot: counts its calls and reuses replies that were already paid for.

    Calls are not counted if the bot reports them itself.
    """

    def __init__(self, bot: Bot, identity: str, account: Account, *, keeps: bool) -> None:
        self._bot = bot
        self._identity = identity
        self._account = account
        self._keeps = keeps
        self._counts = not isinstance(bot, PaysItself)
        if isinstance(bot, PaysItself):
            bot.charge(account)
            self._keeps = False  # the bot itself keeps its replies and their costs

    def attend(self, company: DialogueCounter) -> None:
        if isinstance(self._bot, Attends):
            self._bot.attend(company)

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        replies: dict[int, Reply] = {}
        keys = [self._key(request) for request in requests] if self._keeps else []
        for index, key in enumerate(keys):
            known = await self._account.recall(key)
            if known is not None:
                replies[index] = Reply(**known)
        left = [index for index in range(len(requests)) if index not in replies]
        if left:
            new = await self._ask([requests[index] for index in left])
            replies.update(zip(left, new, strict=True))
        for index in left if self._keeps else ():
            reply, request = replies[index], requests[index]
            if reply.error is None and _storable(reply.text):
                self._account.keep(keys[index], request.dialogue, reply.without_error())
        return [replies[index] for index in range(len(requests))]

    async def _ask(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        if not self._counts:
            return list(await self._bot.reply(requests))
        most = Amount(len(requests), sum(_read(request) + USUAL_REPLY for request in requests))
        async with paying(self._account, self._identity, most) as bill:
            replies = list(await self._bot.reply(requests))
            tokens = sum(reply.tokens_in + reply.tokens_out for reply in replies)
            bill.pay(Amount(len(requests), tokens, sum(reply.cost for reply in replies)))
        return replies

    def _key(self, request: ReplyRequest) -> str:
        lines = [[line.text, line.mine] for line in request.history]
        rest = [request.dialogue, lines, request.seed, request.fork, request.knowledge, request.persona]
        return digest(self._identity, rest)[:64]

    async def close(self) -> None:
        await self._bot.close()


@runtime_checkable
class Attends(Protocol):
    """A bot that batches requests and needs to know which dialogues may still join a batch."""

    def attend(self, company: DialogueCounter) -> None: ...


def _read(request: ReplyRequest) -> int:
    return sum(len(line.text) for line in request.history) // CHARACTERS_A_TOKEN


def _storable(text: object) -> bool:
    """Whether a reply can be stored, and so can become a message."""
    if not isinstance(text, str) or "\x00" in text:
        return False
    return not any("\ud800" <= c <= "\udfff" for c in text)


def metered(bot: Bot, identity: str, run: RunOptions, *, stateful: bool) -> Bot:
    """Returns the bot with its calls counted.

    A server that keeps the conversation itself is always asked again.
    """
    if run.account is None:
        return bot
    return Metered(bot, identity, run.account, keeps=run.keep_replies and not stateful)
