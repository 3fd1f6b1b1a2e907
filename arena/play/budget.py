"""The tournament's budget: one account for all its processes, and which dialogue may begin."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from arena.config.tournament import Tournament, without_budget
from arena.core.amounts import Amount, Ceiling
from arena.core.errors import BudgetSpent
from arena.core.hashing import digest
from arena.core.process import is_dead, this_process
from arena.core.types import BotSpec, Dialogue, DialoguePlan
from db.ledger import Answer, Balance, Changes, Ledger, PaidReply, Settled
from db.repository import Repository
from db.retry import retry_store

FAR_MORE = 2.0  # times what was reserved: the service does not do as it was asked
LOOK = 0.5  # seconds after which somebody who waits looks at the account again
UNBOUNDED = 2048  # tokens of a reply where no setting bounds it
SPARE = 1.25  # how much longer than the average the next dialogue is expected to be
WORDS = {"max_cost": "money", "max_calls": "calls", "max_tokens": "tokens", "max_seconds": "seconds"}


@dataclass
class Pace:
    """How many calls of one payer may be under way, until it is known what they really cost."""

    window: int = 1
    under_way: int = 0
    factor: float = 1.0  # how far calls went beyond what was expected of them
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
        """Doubles while calls cost about what was expected; one that costs far more stops all but one."""
        self.under_way -= 1
        if actual.exceeds(reserved.scaled(FAR_MORE)):
            self.window, self.worst = 1, self.worst.at_least(Amount(0, actual.tokens, actual.cost))
        else:
            self.window = min(2 * self.window, 1 << 20)
            if actual.exceeds(reserved):  # a tokenizer that needs more tokens than usual
                self.factor = min(self.factor * FAR_MORE, 16.0)
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


class Purse:
    """The account as one process uses it. What is wanted at the same time goes into one transaction."""

    def __init__(self, ledger: Ledger, account: str, ceiling: Ceiling, owner: str | None = None) -> None:
        self.ledger = ledger
        self.account = account
        self.ceiling = ceiling
        self.owner = owner or this_process()
        self._changes = Changes()
        self._calls: list[asyncio.Future[Answer]] = []
        self._dialogues: list[asyncio.Future[Answer]] = []
        self._task: asyncio.Task[None] | None = None
        self._paces: dict[str, Pace] = {}
        self._replies: Mapping[str, Mapping[str, Any]] | None = None
        self._since = time.monotonic()
        self._seconds = 0.0
        self._crossed: str | None = None

    def __reduce__(self) -> Any:
        url = self.ledger.engine.url.render_as_string(hide_password=False)
        return _elsewhere, (url, self.account, self.ceiling)

    def open(self, tournament: str, dead: Callable[[str], bool] = is_dead) -> None:
        self.ledger.open(self.account, tournament, dead)

    # ── for bots ──────────────────────────────────────────────────────────────────────────────

    async def reserve(self, payer: str, most: Amount) -> Amount:
        pace = self._paces.setdefault(payer, Pace())
        if self.ceiling.max_cost is None and self.ceiling.max_tokens is None:
            pace.window = 1 << 20
        await pace.enter()
        most = pace.at_most(most)
        try:
            await self._granted(self._calls, self._changes_calls, most)
        except BaseException:
            pace.under_way -= 1
            pace._wake()
            raise
        return most

    def settle(self, payer: str, reserved: Amount, actual: Amount) -> None:
        self._paces[payer].leave(reserved, actual)
        self._changes.settled.append(Settled(reserved, actual))
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

    # ── for dialogues ─────────────────────────────────────────────────────────────────────────

    async def begin(self, expected: Amount) -> None:
        """Waits until there is room for one more dialogue beside those that have begun."""
        await self._granted(self._dialogues, self._changes_dialogues, expected)

    def end(self, expected: Amount) -> None:
        self._changes.ended.append(expected)
        self._kick()

    @property
    def out_of_time(self) -> bool:
        most = self.ceiling.max_seconds
        return most is not None and self._seconds + time.monotonic() - self._since >= most

    async def flush(self) -> None:
        """Everything that was told is in the database."""
        while self._task is not None:
            await asyncio.shield(self._task)
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

    def _changes_calls(self) -> list[Amount]:
        return self._changes.calls

    def _changes_dialogues(self) -> list[Amount]:
        return self._changes.dialogues

    async def _granted(
        self,
        futures: list[asyncio.Future[Answer]],
        wanted: Callable[[], list[Amount]],
        amount: Amount,
    ) -> None:
        while True:
            future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
            futures.append(future)
            wanted().append(amount)
            self._kick()
            answer = await future
            if answer is Answer.GRANTED:
                return
            if answer is Answer.SPENT:
                raise BudgetSpent(self.spent_sentence())
            await asyncio.sleep(LOOK)

    def _kick(self) -> None:
        if self._task is None:
            self._task = asyncio.get_running_loop().create_task(self._drain())

    async def _drain(self) -> None:
        try:
            while self._changes:
                await asyncio.sleep(0)  # who is ready now joins this transaction
                await self._exchange()
        finally:
            self._task = None

    async def _exchange(self) -> None:
        changes, self._changes = self._changes, Changes()
        calls, dialogues = list(self._calls), list(self._dialogues)
        self._calls.clear()
        self._dialogues.clear()
        now = time.monotonic()
        changes.seconds, self._since = now - self._since, now
        try:
            balance: Balance = await retry_store(
                self.ledger.exchange, self.account, self.owner, changes, self.ceiling
            )
        except BaseException as error:
            for future in (*calls, *dialogues):
                if not future.done():
                    future.set_exception(error)
            raise
        self._seconds, self._crossed = balance.seconds, balance.crossed or self._crossed
        self._answer(calls, balance.calls, changes.calls, self._take_back_call)
        self._answer(dialogues, balance.dialogues, changes.dialogues, self.end)

    def _answer(
        self,
        futures: Sequence[asyncio.Future[Answer]],
        answers: Sequence[Answer],
        amounts: Sequence[Amount],
        take_back: Callable[[Amount], None],
    ) -> None:
        for future, answer, amount in zip(futures, answers, amounts, strict=True):
            if not future.done():
                future.set_result(answer)
            elif answer is Answer.GRANTED:  # who asked was cancelled meanwhile
                take_back(amount)

    def _take_back_call(self, most: Amount) -> None:
        self._changes.settled.append(Settled(most, Amount()))
        self._kick()


def _elsewhere(url: str, account: str, ceiling: Ceiling) -> Purse:
    """The same account in another process, perhaps on another host."""
    from db import connect

    return Purse(Ledger(connect(url, create=False)), account, ceiling)


class Admission:
    """Lets dialogues begin while the budget lasts for all that have begun."""

    def __init__(self, purse: Purse | None, tournament: Tournament) -> None:
        self._purse = purse
        self._questions = 0
        if tournament.inquirer is not None:
            self._questions = 1 if tournament.per_turn == "all" else int(tournament.per_turn)
        self._ended = self._actual = self._expected = 0.0

    @asynccontextmanager
    async def dialogue(self, plan: DialoguePlan) -> AsyncIterator[None]:
        if self._purse is None:
            yield
            return
        expected = self._estimate(plan)
        await self._purse.begin(expected)
        try:
            yield
        finally:
            self._purse.end(expected)

    def learn(self, plan: DialoguePlan, played: Dialogue) -> None:
        """What dialogues really cost, compared with the most they could have."""
        facts = played.facts
        if self._purse is None or played.reason is not None:
            return
        at_most = at_most_for(plan, self._questions)
        by_tokens = self._purse.ceiling.max_cost is None
        tokens = float(facts.get("tokens_in", 0)) + float(facts.get("tokens_out", 0))
        self._actual += tokens if by_tokens else float(facts.get("cost", 0.0))
        self._expected += at_most.tokens if by_tokens else at_most.cost

    def _estimate(self, plan: DialoguePlan) -> Amount:
        at_most = at_most_for(plan, self._questions)
        if self._expected <= 0 or self._actual <= 0:
            return at_most
        share = min(1.0, SPARE * self._actual / self._expected)
        scaled = at_most.scaled(share)
        return Amount(at_most.calls, scaled.tokens, scaled.cost)


def at_most_for(plan: DialoguePlan, questions: int) -> Amount:
    """What a dialogue can cost if every reply is as long as it may be."""
    total = Amount()
    for spec, replies, asked in (
        (plan.speaker, plan.turns - 1, 0),
        (plan.tested, plan.turns, plan.turns * questions),
    ):
        longest = reply_tokens(spec)
        written = (replies + asked) * longest
        # The history grows by two messages each turn; an inquiry reads what the reply before it read.
        read = sum(2 * turn * longest for turn in range(1, plan.turns + 1)) * (1 + bool(asked) * questions)
        price_in, price_out = prices(spec)
        total += Amount(replies + asked, read + written, (read * price_in + written * price_out) / 1e6)
    return total


def reply_tokens(spec: BotSpec) -> int:
    decoding = spec.settings.get("decoding")
    longest = (
        decoding.get("max_tokens", decoding.get("max_new_tokens")) if isinstance(decoding, Mapping) else None
    )
    return longest if isinstance(longest, int) else UNBOUNDED


def prices(spec: BotSpec) -> tuple[float, float]:
    """Per million tokens read and written."""
    return float(spec.settings.get("price_in") or 0.0), float(spec.settings.get("price_out") or 0.0)


def entries(tournament: Tournament) -> Iterator[Mapping[str, Any]]:
    """The settings of every bot of the tournament, judges' and question writers' included."""
    for bot in tournament.bots:
        yield bot.settings
    for place in (*(judge.settings for judge in tournament.judges), tournament.inquirer or {}):
        yield from _nested(place)


def _nested(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
        for item in value.values():
            yield from _nested(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _nested(item)


def purse_for(repository: Repository, tournament: Tournament, owner: str) -> Purse | None:
    """An account where there is something to count: a budget, prices, or a rate that processes share."""
    settings = list(entries(tournament))
    priced = any(each.get("price_in") or each.get("price_out") for each in settings)
    shared = any(each.get("rate_limit_shared") for each in settings)
    if not (tournament.ceiling.given or priced or shared):
        return None
    account = digest("budget", without_budget(tournament.info.config))[:32]
    return Purse(Ledger(repository.engine), account, tournament.ceiling, owner)


def keeps_replies(tournament: Tournament) -> bool:
    """Whether replies are kept until their dialogue is stored: where they count."""
    priced = (each.get("price_in") or each.get("price_out") for each in entries(tournament))
    return tournament.ceiling.given or any(priced)
