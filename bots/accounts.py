"""Paying for calls: what a bot tells the account before and after each, and replies that were paid for before."""

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

CHARACTERS_A_TOKEN = 4  # the usual estimate where nobody has counted
USUAL_REPLY = 128  # tokens that are reserved for a reply of a bot that does not say how long it may be


class Account(Protocol):
    """The budget of a tournament, as bots see it. It can be pickled, and then works on another host."""

    async def reserve(self, payer: str, most: Amount) -> Amount:
        """Waits until a call that may cost `most` fits into the budget, or raises BudgetSpent.

        Gives what was reserved, which may be more: a service that has charged more than expected may do so again.
        """
        ...

    def settle(self, payer: str, reserved: Amount, actual: Amount) -> None:
        """What the call cost."""
        ...

    async def recall(self, key: str) -> Mapping[str, Any] | None:
        """A reply that was paid for by a run that did not end."""
        ...

    def keep(self, key: str, dialogue: str, reply: Mapping[str, Any]) -> None:
        """Stores a reply until its dialogue is stored."""
        ...

    async def turn(self, name: str, gap: float) -> None:
        """Waits for a turn that all processes take one after the other."""
        ...


@runtime_checkable
class PaysItself(Protocol):
    """A bot that tells the account about each of its calls; for all others `Metered` does."""

    def charge(self, account: Account) -> None: ...


@runtime_checkable
class UsesBots(Protocol):
    """A judge, a question writer or an inquirer that asks bots: it learns how the run wants them made."""

    def use(self, run: RunOptions) -> None: ...


@dataclass
class Bill:
    """What one call costs; what nobody knows counts as the most it can be."""

    account: Account | None
    payer: str
    reserved: Amount
    paid: bool = False

    def pay(self, actual: Amount) -> None:
        if self.account is not None and not self.paid:
            self.account.settle(self.payer, self.reserved, actual)
        self.paid = True


@asynccontextmanager
async def paying(account: Account | None, payer: str, most: Amount) -> AsyncIterator[Bill]:
    """Reserves, and settles at the end; a refusal costs nothing but the call itself."""
    reserved = most if account is None else await account.reserve(payer, most)
    bill = Bill(account, payer, reserved)
    try:
        yield bill
    except (BotRefused, Unheard):
        bill.pay(Amount(1))
        raise
    finally:
        bill.pay(bill.reserved)


class Metered:
    """Before a bot: counts its calls unless it does so itself, and gives replies that were paid for before."""

    def __init__(self, bot: Bot, identity: str, account: Account, *, keeps: bool) -> None:
        self._bot = bot
        self._identity = identity
        self._account = account
        self._keeps = keeps
        self._counts = not isinstance(bot, PaysItself)
        if isinstance(bot, PaysItself):
            bot.charge(account)

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
                self._account.keep(keys[index], request.dialogue, _plain(reply))
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
    """A bot whose batches want to know who may still join them."""

    def attend(self, company: DialogueCounter) -> None: ...


def _read(request: ReplyRequest) -> int:
    return sum(len(line.text) for line in request.history) // CHARACTERS_A_TOKEN


def _plain(reply: Reply) -> dict[str, Any]:
    return {
        "text": reply.text,
        "tokens_in": reply.tokens_in,
        "tokens_out": reply.tokens_out,
        "cost": reply.cost,
        "dropped": reply.dropped,
        "facts": dict(reply.facts),
    }


def _storable(text: object) -> bool:
    """What cannot be stored cannot become a message either."""
    if not isinstance(text, str) or "\x00" in text:
        return False
    return not any("\ud800" <= c <= "\udfff" for c in text)


def metered(bot: Bot, identity: str, run: RunOptions, *, stateful: bool) -> Bot:
    """The bot as the run pays for it; a server that keeps the conversation itself is always asked again."""
    if run.account is None:
        return bot
    return Metered(bot, identity, run.account, keeps=run.keep_replies and not stateful)
