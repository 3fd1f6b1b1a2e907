"""Plays many dialogues at once, stores them, and stops cleanly."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from arena.config.tournament import Tournament
from arena.core.errors import BudgetSpent, StoreError
from arena.core.process import is_dead, this_process
from arena.core.types import Dialogue, DialoguePlan
from arena.engines.base import Engine
from arena.judging.run_judges import RunJudges
from arena.play.budget import Admission, keeps_replies, purse_for
from arena.play.cast import Cast
from arena.play.dialogue import play
from arena.play.feeder import Feeder
from arena.play.leases import renew_leases
from arena.play.machine_time import Meter
from arena.play.options import Options, Tally
from arena.play.progress import Silent, State, Watcher
from arena.play.purse import lost_sentence
from bots.base import RunOptions
from bots.batching import DialogueCounter
from db.records import Pending
from db.repository import Repository
from db.retry import retry_store

log = logging.getLogger(__name__)

GROUP = 64  # dialogues per transaction
WAITING = 4 * GROUP  # the most dialogues that may wait to be stored
SHORTEST_PAUSE, LONGEST_PAUSE = 0.1, 2.0  # seconds between two looks at what other processes still play


@dataclass
class Orchestrator:
    """Plays and judges one stored tournament."""

    repository: Repository
    tournament: Tournament
    engine: Engine
    options: Options = field(default_factory=Options)
    watcher: Watcher = field(default_factory=Silent)
    owner: str = field(default_factory=this_process)
    is_dead: Callable[[str], bool] = is_dead  # whether the process that held a dialogue has ended

    def __post_init__(self) -> None:
        self.tally = Tally()
        self._stop = asyncio.Event()
        self._signal = asyncio.Event()  # told to stop from outside
        self._company = DialogueCounter()
        self._meter = Meter()
        self._cast = Cast(self.engine, self.tournament, self._company)
        self._begun = time.perf_counter()
        self._planned = self._over = 0
        self._purse = purse_for(self.repository, self.tournament, self.owner)
        self._admission = Admission(self._purse, self.tournament)
        self._broke = False  # no dialogue is begun; dialogues in progress may end
        self._judges = RunJudges(
            self.repository,
            self.tournament,
            self.engine,
            self.run_options,
            self._judged,
            self._must_not_judge,
            self.watcher.note,
        )
        self._stage = "loading"

    def stop(self, why: str) -> None:
        """End the run after storing what is finished. The remaining dialogues are played by the next run."""
        if self.tally.stopped is None or why == "signal":
            self.tally.stopped = why
        if why == "signal":
            self._signal.set()
        self._stop.set()

    async def run(self, plans: Callable[[], Sequence[DialoguePlan]]) -> Tally:
        """Play the unfinished plans and judge everything that is stored."""
        try:
            await self.round(plans())
        finally:
            await self.close()
        return self.tally

    async def round(self, plans: Sequence[DialoguePlan]) -> None:
        """Play and judge one round of dialogues. Bots stay loaded for the next round."""
        wanted = {plan.key: plan for plan in plans}
        if self.options.retry_failed:
            await retry_store(self.repository.retry_failed, self.tournament.info.id)
        if self._purse is not None:
            lost = await retry_store(self._purse.open, self.tournament.info.id, self.is_dead)
            if lost.calls:
                self.watcher.note(lost_sentence(lost))
        async with self._purse.beating() if self._purse is not None else nullcontext():
            await self._play_and_judge(wanted)
        if self._purse is not None and not self.ended and not self.tally.failed:
            await self._purse.flush()
            if self.options.judge:  # a player with only a share leaves the replies of others alone
                await retry_store(self._purse.ledger.forget, self._purse.account)
        self.tally.seconds = time.perf_counter() - self._begun
        self._tell()

    async def _play_and_judge(self, wanted: dict[str, DialoguePlan]) -> None:
        pause = SHORTEST_PAUSE
        while work := await self._left(wanted):
            before = self.tally.played
            await self._play(work, wanted)
            if self.ended:
                break
            if self.tally.played == before:  # other processes play what is left
                with suppress(TimeoutError):
                    await asyncio.wait_for(self._stop.wait(), timeout=pause)
                pause = min(2 * pause, LONGEST_PAUSE)
        if self.options.judge and not self._interrupted():
            await self._unless_signalled(self._judge())

    async def _left(self, wanted: dict[str, DialoguePlan]) -> list[Pending]:
        """The unfinished dialogues of the round that this run may play."""
        await retry_store(self.repository.release, self.is_dead)
        stored = await retry_store(self.repository.pending, self.tournament.info.id)
        work = [item for item in stored if item.key in wanted]
        self._planned, self._over = len(wanted), len(wanted) - len(work)
        if self._stop.is_set():
            return []
        if self.options.limit is None:
            return work
        now = time.time()  # dialogues without a lease come first: nothing to wait for
        work.sort(key=lambda item: item.lease is not None and item.lease >= now)
        return work[: self.options.limit - self.tally.played]

    @property
    def ended(self) -> bool:
        """Whether this run was stopped or has reached its limit."""
        return self._stop.is_set() or self._broke or self._spent()

    def _spent(self) -> bool:
        return self.options.limit is not None and self.tally.played >= self.options.limit

    async def close(self) -> None:
        await asyncio.gather(self._cast.close(), self._judges.close(), return_exceptions=True)
        await self.engine.close()
        if self._purse is not None:
            with suppress(StoreError):  # its amounts are settled when it counts as dead
                await self._purse.close()

    async def _unless_signalled(self, work: Coroutine[Any, Any, None]) -> bool:
        """Wait for the work and return whether it was completed. Ctrl-C ends the wait."""
        task, signal = asyncio.create_task(work), asyncio.create_task(self._signal.wait())
        try:
            await asyncio.wait({task, signal}, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                await task
                return True
            return False
        finally:
            await _ended(task, signal)

    # ── playing ───────────────────────────────────────────────────────────────────────────────

    async def _play(self, work: Sequence[Pending], wanted: dict[str, DialoguePlan]) -> None:
        if not await self._unless_signalled(
            self._cast.load([wanted[w.key] for w in work], self.run_options())
        ):
            return
        self._stage = "playing"
        log.info("%d dialogues to play", len(work))
        began = time.perf_counter()
        feeder = Feeder(self.repository, work, self.owner, self.options.concurrency)
        finished: asyncio.Queue[tuple[int, Dialogue] | None] = asyncio.Queue(maxsize=WAITING)
        writer = asyncio.create_task(self._write(finished))
        renew = partial(self.repository.renew, self.owner)
        keeper = asyncio.create_task(renew_leases(renew, self.watcher.note))
        number = min(self.options.concurrency, len(work))
        workers = [asyncio.create_task(self._work(feeder, finished, wanted)) for _ in range(number)]
        stopper = asyncio.create_task(self._stop.wait())
        if self.options.judge:
            self._judges.start()
        try:
            everyone = asyncio.create_task(_all(workers))
            awaited: set[asyncio.Task[Any]] = {everyone, stopper, writer, keeper}
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
            everyone.cancel()
            with suppress(asyncio.CancelledError):
                await everyone
            if keeper.done():
                await keeper
        finally:
            await _ended(*workers, stopper)
            last = asyncio.create_task(finished.put(None))
            await asyncio.wait({last, writer}, return_when=asyncio.FIRST_COMPLETED)
            try:
                await writer
            finally:
                await _ended(last, keeper)
                self.tally.playing_seconds += time.perf_counter() - began
                await self._judges.rest()
                await feeder.settled()
                with suppress(StoreError):  # the writer reports a database that fails
                    await retry_store(self.repository.give_back, self.owner)

    def run_options(self) -> RunOptions:
        return RunOptions(
            deterministic=self.options.deterministic,
            batch=1 if self.options.deterministic else self.options.batch,
            cache_bytes=self.options.cache_bytes,
            account=self._purse,
            keep_replies=self._purse is not None and keeps_replies(self.tournament),
        )

    async def _work(
        self,
        feeder: Feeder,
        finished: asyncio.Queue[tuple[int, Dialogue] | None],
        wanted: dict[str, DialoguePlan],
    ) -> None:
        while not self.ended_early and (item := await feeder.next()) is not None:
            plan = wanted[item.key]
            try:
                async with self._admission.dialogue(plan):
                    with self._company.dialogue(), self._meter.dialogue():
                        played = await play(
                            plan,
                            self._cast.guards[plan.speaker.identity],
                            self._cast.guards[plan.tested.identity],
                            self._cast.asking,
                            self._meter.now,
                        )
            except BudgetSpent as error:
                self._spent_all(str(error))
                return
            self._admission.learn(plan, played)
            await finished.put((item.id, played))

    @property
    def ended_early(self) -> bool:
        return self._stop.is_set() or self._broke

    def _spent_all(self, why: str) -> None:
        """Start no further dialogues. Dialogues in progress continue as long as possible, because their replies are
        paid for.
        """
        if not self._broke:
            self.watcher.note(why)
            self._broke = True
            self.tally.stopped = self.tally.stopped or "budget"

    async def _write(self, finished: asyncio.Queue[tuple[int, Dialogue] | None]) -> None:
        """Store all finished dialogues of the queue in one transaction."""
        ended = False
        while not ended:
            group = []
            item = await finished.get()
            while item is not None:
                group.append(item)
                if len(group) >= GROUP or finished.empty():
                    break
                item = finished.get_nowait()
            ended = item is None
            if group:
                stored = await retry_store(self.repository.finish, group, self.owner)
                log.debug("stored %d of %d finished dialogues", stored, len(group))
                self._count(group, stored)
                self._judges.wake()
                if self._purse is not None:
                    over = [f"{d.key}:{seat}" for _, d in group if d.reason is None for seat in (0, 1)]
                    await retry_store(self._purse.ledger.forget, self._purse.account, over)

    def _count(self, group: Sequence[tuple[int, Dialogue]], stored: int) -> None:
        self._over += stored
        for _, dialogue in group:
            self.tally.played += 1
            self.tally.failed += dialogue.reason is not None
            answers = sum(inquiry.answer is not None for inquiry in dialogue.inquiries)
            self.tally.replies += max(0, len(dialogue.messages) - 1) + answers
        self._explain(self._cast.failures())
        self._tell()

    def _explain(self, failures: Mapping[tuple[str, str], str]) -> None:
        """Report the first failure of each bot and reason in full. Further failures are only counted."""
        for (bot, reason), sentence in failures.items():
            if (bot, reason) not in self.tally.failures:
                self.tally.failures[bot, reason] = sentence
                self.watcher.note(f"{bot}, {reason}: {sentence}")

    # ── judging ───────────────────────────────────────────────────────────────────────────────

    def _interrupted(self) -> bool:
        """Whether the run was interrupted by a signal. An interrupted run does not wait for judges."""
        return self.tally.stopped == "signal"

    async def _judge(self) -> None:
        self._stage = "judging"
        if self._purse is not None:
            self._purse.start_clock()
        try:
            await self._judges.finish()
        except BudgetSpent as error:
            self._spent_all(str(error))
        if self._out_of_time() and self._purse is not None:
            self._spent_all(self._purse.spent_sentence())

    def _must_not_judge(self) -> bool:
        return self._interrupted() or self._out_of_time()

    def _out_of_time(self) -> bool:
        return self._purse is not None and self._purse.out_of_time

    def _judged(self, number: int) -> None:
        self.tally.verdicts += number
        self._tell()

    def _tell(self) -> None:
        seconds = time.perf_counter() - self._begun
        self.watcher.update(
            State(
                self._stage,
                self._planned,
                self._over,
                self.tally.failed,
                self.tally.replies,
                self.tally.verdicts,
                seconds,
            )
        )


async def _all(tasks: Sequence[asyncio.Task[None]]) -> None:
    await asyncio.gather(*tasks)


async def _ended(*tasks: asyncio.Task[Any]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
