"""The judges of a run. They judge while dialogues are played, and judge the rest afterwards."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from arena.config.tournament import Tournament
from arena.core.errors import ArenaError, BudgetSpent
from arena.engines.base import Engine
from arena.judging.runner import ALONE, BESIDE_BOTS, JudgeRunner, Pace
from bots.base import RunOptions
from db.repository import Repository


@dataclass
class RunJudges:
    """All judges of one tournament. They are loaded when a judge is needed for the first time."""

    repository: Repository
    tournament: Tournament
    engine: Engine
    run: Callable[[], RunOptions]
    report: Callable[[int], None]
    stopped: Callable[[], bool]
    note: Callable[[str], None]
    _runners: list[JudgeRunner] | None = None
    _stored: asyncio.Event = field(default_factory=asyncio.Event)
    _beside: asyncio.Task[None] | None = None
    _resting: bool = False  # the bots are done; the rest is judged at full speed

    def start(self) -> None:
        """Start judging stored answers in the background, slowly enough that the bots keep most of the machine's
        time.
        """
        self._resting = False
        self._beside = asyncio.create_task(self._judge_beside())

    def wake(self) -> None:
        """Signal that something new was stored."""
        self._stored.set()

    async def rest(self) -> None:
        """Stop judging alongside the bots. The current batch is finished unless the run was interrupted."""
        task, self._beside = self._beside, None
        if task is None:
            return
        self._resting = True
        self._stored.set()
        if self.stopped():
            task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    async def finish(self) -> None:
        """Judge everything that has no verdict yet."""
        await self._sweep(ALONE, self.stopped, new=False)

    async def close(self) -> None:
        for runner in self._runners or ():
            await runner.close()

    async def _judge_beside(self) -> None:
        try:
            while not self._resting:
                await self._stored.wait()
                self._stored.clear()
                await self._sweep(BESIDE_BOTS, lambda: self._resting or self.stopped(), new=True)
        except ArenaError as error:  # the bots go on; the final judging reports the error again
            self.note(f"No verdicts before the end: {error}")

    async def _sweep(self, pace: Pace, stopped: Callable[[], bool], new: bool) -> None:
        spent: BudgetSpent | None = None
        for runner in await self._loaded():
            try:
                await runner.sweep(self.report, stopped, pace, new)
            except BudgetSpent as error:  # go on: other judges may be free of charge
                spent = error
        if spent is not None:
            raise spent

    async def _loaded(self) -> Sequence[JudgeRunner]:
        if self._runners is None:
            runners = []
            for spec in self.tournament.judges:
                judge = await self.engine.judge(replace(spec, tau=None), self.run())
                runners.append(
                    JudgeRunner(self.repository, self.tournament.info.id, judge, self.tournament.checks)
                )
            self._runners = runners
        return self._runners
