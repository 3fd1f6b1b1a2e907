"""The tournament's account as one process uses it: it says which calls may be made, and records what they cost."""

from __future__ import annotations

import asyncio
import logging
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from arena.core.amounts import Amount, Ceiling
from arena.core.errors import BudgetSpent, StoreError
from arena.core.process import is_dead, this_process
from bots.accounts import Call, Grant
from db.ledger import Answer, Balance, Changes, Ledger, Lost, PaidReply, Settled, Wanted
from db.retry import retry_store

log = logging.getLogger("arena.budget")

FAR_MORE = 2.0  # times the reserved amount: beyond this, the service ignores its limits
BEAT = 60.0  # seconds after which a process shows that it is alive
LOOK = 0.5  # seconds between two looks of a waiting caller at the account
WORDS = {"max_cost": "money", "max_calls": "calls", "max_tokens": "tokens", "max_seconds": "seconds"}


@dataclass
class Pace:
    """Limits how many calls of one payer may be in progress while their real cost is unknown."""

    window: int = 1
    under_way: int = 0
    factor: float = 1.0  # how much more calls needed than was expected
    worst: Amount = field(default_factory=Amount)
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)

    async def enter(self) -> None:
        while self.under_way >= self.window:
            turn = asyncio.get_running_loop().create_future()
            self.waiting.append(turn)
            try:
                await turn
            except asyncio.CancelledError:
                self._wake()
                raise
        self.under_way += 1

    def leave(self, reserved: Amount, actual: Amount) -> None:
        """Record a finished call. The limit doubles while calls cost about what was expected; after a much dearer
        call it is 1.
        """
        self.under_way -= 1
        if actual.exceeds(reserved.scaled(FAR_MORE)):
            self.window, self.worst = 1, self.worst.at_least(Amount(0, actual.tokens, actual.cost))
        else:
            self.window = min(2 * self.window, 1 << 20)
            if actual.exceeds(reserved):  # a tokenizer that needs more tokens than usual
                self.factor = min(self.factor * FAR_MORE, 16.0)
        self._wake()

    def step_back(self) -> None:
        """Give back the place of a call that was not made."""
        self.under_way -= 1
        self._wake()

    def at_most(self, expected: Amount) -> Amount:
        scaled = expected.scaled(self.factor)
        return Amount(expected.calls, scaled.tokens, scaled.cost).at_least(self.worst)

    def _wake(self) -> None:
        room = self.window - self.under_way
        while self.waiting and room > 0:
            turn = self.waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                room -= 1


Kept = Mapping[str, Any]  # a reply that was paid for before


class _Exchanges:
    """Lets callers wait until their reports are in the database."""

    def __init__(self) -> None:
        self._next: asyncio.Future[None] | None = None  # reports made now are part of this exchange
        self._now: asyncio.Future[None] | None = None

    def begin(self) -> asyncio.Future[None]:
        self._now, self._next = self._next or asyncio.get_running_loop().create_future(), None
        return self._now

    def end(self, one: asyncio.Future[None]) -> None:
        if not one.done():
            one.set_result(None)

    async def wait(self, more_to_say: bool) -> None:
        if more_to_say and self._next is None:
            self._next = asyncio.get_running_loop().create_future()
        if one := self._next or self._now:
            await asyncio.shield(one)


class Purse:
    """The account as one process uses it.

    Requests made at the same time are combined into one transaction. A copy in another process does not count
    seconds, because the purse of the run's own process counts them.
    """

    def __init__(
        self,
        ledger: Ledger,
        account: str,
        ceiling: Ceiling,
        owner: str | None = None,
        *,
        counts_seconds: bool = True,
    ) -> None:
        self.ledger = ledger
        self.account = account
        self.ceiling = ceiling
        self.owner = owner or this_process()
        self.shared = ledger.store.outlives_this_process
        self._counts_seconds = counts_seconds
        self._dead: Callable[[str], bool] = is_dead
        self._stopped = False
        self._changes = Changes()
        self._exchanges = _Exchanges()
        self._calls: list[asyncio.Future[Answer | Kept]] = []
        self._dialogues: list[asyncio.Future[Answer | Kept]] = []
        self._task: asyncio.Task[None] | None = None
        self._paces: dict[str, Pace] = {}
        self._replies: dict[str, Mapping[str, Any]] | None = None
        self._since: float | None = None  # when seconds were last counted
        self._seconds = 0.0
        self._crossed: str | None = None

    def __reduce__(self) -> Any:
        return _elsewhere, (self.ledger.store.url, self.account, self.ceiling)

    def open(self, tournament: str, dead: Callable[[str], bool] = is_dead) -> Lost:
        """Settle the calls of processes that died, and return these lost calls."""
        self._dead = dead
        return self.ledger.open(self.account, tournament, dead)

    # ── for bots ──────────────────────────────────────────────────────────────────────────────

    async def reserve(self, payer: str, most: Amount, call: Call | None = None) -> Grant:
        pace = self._paces.setdefault(payer, Pace())
        if self.ceiling.max_cost is None and self.ceiling.max_tokens is None:
            pace.window = 1 << 20
        await pace.enter()
        try:
            most = pace.at_most(most)
            wanted = Wanted(most) if call is None else Wanted(most, call.key, call.seconds)
            kept = await self._granted(self._calls, lambda: self._changes.calls.append(wanted))
        except BaseException:
            pace.step_back()
            raise
        if kept is not None:
            pace.step_back()
        return Grant(most, call, kept)

    def settle(
        self, payer: str, grant: Grant, actual: Amount, reply: Mapping[str, Any] | None = None
    ) -> None:
        self._paces[payer].leave(grant.most, actual)
        key = None if grant.call is None else grant.call.key
        self._changes.settled.append(Settled(grant.most, actual, key))
        if grant.call is not None and reply is not None:
            self._changes.replies.append(PaidReply(grant.call.key, grant.call.dialogue, reply))
        self._kick()

    async def recall(self, key: str) -> Mapping[str, Any] | None:
        if self._replies is None:
            self._replies = await retry_store(self.ledger.replies, self.account)
        return self._replies.get(key)

    def keep(self, key: str, dialogue: str, reply: Mapping[str, Any]) -> None:
        self._changes.replies.append(PaidReply(key, dialogue, reply))
        self._kick()

    async def turn(self, name: str, gap: float) -> None:
        await asyncio.sleep(await asyncio.to_thread(self.ledger.turn, name, gap))

    def stop(self) -> None:
        self._stopped = True

    async def stored(self) -> None:
        await self._exchanges.wait(bool(self._changes))

    # ── for dialogues ─────────────────────────────────────────────────────────────────────────

    async def begin(self, expected: Amount) -> None:
        """Wait until the budget has room for one more dialogue beside the dialogues in progress."""
        self.start_clock()
        await self._granted(self._dialogues, lambda: self._changes.dialogues.append(expected))

    def end(self, expected: Amount) -> None:
        self._changes.ended.append(expected)
        self._kick()

    @property
    def out_of_time(self) -> bool:
        most, now = self.ceiling.max_seconds, time.monotonic()
        return most is not None and self._seconds + now - (self._since or now) >= most

    def start_clock(self) -> None:
        """Start counting seconds. The time before, in which models are loaded, is not counted."""
        if self._since is None and self._counts_seconds:
            self._since = time.monotonic()

    async def flush(self) -> None:
        """Wait until all reports are in the database."""
        while self._task is not None:
            await asyncio.shield(self._task)
        await self._exchange()

    @asynccontextmanager
    async def beating(self) -> AsyncIterator[None]:
        """Count seconds and regularly show that this process is alive, even while other processes make the run's
        calls.
        """
        task = asyncio.create_task(self._beat())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _beat(self) -> None:
        while True:
            await asyncio.sleep(LOOK if self.ceiling.max_seconds is not None else BEAT)
            await self._exchange()

    async def close(self) -> None:
        await self.flush()
        await retry_store(self.ledger.leave, self.account, self.owner)

    def spent_sentence(self) -> str:
        key = self._crossed or "max_cost"
        return (
            f"The budget is used up ({WORDS[key]}): raise budget.{key} and run again to go on; "
            "what was paid for is kept."
        )

    # ── the exchange with the database ────────────────────────────────────────────────────────

    async def _granted(
        self, futures: list[asyncio.Future[Answer | Kept]], ask: Callable[[], None]
    ) -> Kept | None:
        """Wait until the request is granted. Returns the stored reply if this call was paid for before."""
        while True:
            if self._stopped:
                raise BudgetSpent("The run has ended: no further call is made.")
            future: asyncio.Future[Answer | Kept] = asyncio.get_running_loop().create_future()
            futures.append(future)
            ask()
            self._kick()
            answer = await future
            if answer is Answer.GRANTED:
                return None
            if answer is Answer.SPENT:
                raise BudgetSpent(self.spent_sentence())
            if not isinstance(answer, Answer):
                return answer
            await asyncio.sleep(LOOK)
            if answer is Answer.ELSEWHERE:  # if that process has died, its reply never comes
                lost = await retry_store(self.ledger.settle_for_the_dead, self.account, self._dead)
                if lost.calls:
                    log.warning("%s", lost_sentence(lost))

    def _kick(self) -> None:
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        lost = False
        try:
            while self._changes:
                await asyncio.sleep(0)  # callers that are ready now join this transaction
                await self._exchange()
        except StoreError:
            lost = True
            raise
        finally:
            self._task = None
            if lost and self._changes:  # reported while the database was out of reach
                self._kick()

    async def _exchange(self) -> None:
        changes, self._changes = self._changes, Changes()
        calls, dialogues = list(self._calls), list(self._dialogues)
        self._calls.clear()
        self._dialogues.clear()
        if self._since is not None:
            now = time.monotonic()
            changes.seconds, self._since = now - self._since, now
        reported = self._exchanges.begin()
        try:
            balance: Balance = await retry_store(
                self.ledger.exchange, self.account, self.owner, changes, self.ceiling
            )
        except BaseException as error:
            for future in (*calls, *dialogues):
                if not future.done():
                    future.set_exception(error)
            raise
        finally:
            self._exchanges.end(reported)
        self._seconds, self._crossed = balance.seconds, balance.crossed or self._crossed
        for call, answer, wanted in zip(calls, balance.calls, changes.calls, strict=True):
            if not call.done():
                call.set_result(balance.kept[str(wanted.key)] if answer is Answer.KEPT else answer)
            elif answer is Answer.GRANTED:  # the caller was cancelled in the meantime
                self._changes.settled.append(Settled(wanted.most, Amount(), wanted.key))
                self._kick()
        for dialogue, answer, expected in zip(dialogues, balance.dialogues, changes.dialogues, strict=True):
            if not dialogue.done():
                dialogue.set_result(answer)
            elif answer is Answer.GRANTED:
                self.end(expected)


def lost_sentence(lost: Lost) -> str:
    one = lost.calls == 1
    what = "1 paid call was" if one else f"{lost.calls} paid calls were"
    then = "it counts" if one else "they count"
    return (
        f"{what} under way in a process that was killed: {then} with the most that can have been charged "
        f"({lost.cost:.4g}), and {'is' if one else 'are'} made again."
    )


def _elsewhere(url: str, account: str, ceiling: Ceiling) -> Purse:
    """Open the same account in another process, perhaps on another host."""
    from db import Database, connect

    return Purse(Ledger(Database(connect(url, create=False))), account, ceiling, counts_seconds=False)
