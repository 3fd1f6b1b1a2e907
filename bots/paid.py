"""A bot whose replies cost money, in a process that outlives the run.

If the run is killed, the process still completes its calls in progress. It stores the replies with their costs, so
that the next run does not pay for them again.
"""

from __future__ import annotations

import asyncio
import base64
import os
import pickle
import threading
from collections.abc import Sequence
from contextlib import nullcontext

from arena.core.errors import BotError, BudgetSpent
from arena.core.types import BotSpec
from bots.base import Reply, ReplyRequest, RunOptions
from bots.batching import DialogueCounter
from bots.bot_process import CLASSES, BotProcess, this_program

FAILURES = {**CLASSES, "BudgetSpent": BudgetSpent}
STARTS = 3  # starts of the process for one reply
GOODBYE = 2.0  # seconds for which an ending run waits for the process

inside = False  # whether this is the process of a paid bot


class PaidBot:
    """A bot in a process that outlives the run.

    The constructor starts the process, so that wrong settings raise an error at once. A process that dies is
    started again.
    """

    def __init__(self, spec: BotSpec, run: RunOptions) -> None:
        self._spec = spec
        self._run = run
        self._company: DialogueCounter | None = None
        self._starting = threading.Lock()
        self._process = self._start()

    def attend(self, company: DialogueCounter) -> None:
        self._company = company

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        with self._company.waiting() if self._company is not None else nullcontext():
            for attempt in range(STARTS):
                process = self._process
                if process.dead:
                    process = await asyncio.to_thread(self._again, process)
                try:
                    return await asyncio.wrap_future(process.ask(requests))
                except BotError as error:  # a new process knows which calls the dead one had under way
                    if error.reason != "died" or attempt + 1 == STARTS:
                        raise
        raise AssertionError("unreachable")

    async def close(self) -> None:
        await asyncio.to_thread(self._process.leave, GOODBYE)

    def _again(self, dead: BotProcess) -> BotProcess:
        with self._starting:
            if self._process is dead:
                dead.end()
                self._process = self._start()
            return self._process

    def _start(self) -> BotProcess:
        spec = (self._spec.name, self._spec.adapter, dict(self._spec.settings), self._spec.identity)
        run = {"deterministic": self._run.deterministic, "batch": self._run.batch, "wait": self._run.wait}
        account = base64.b64encode(pickle.dumps(self._run.account)).decode()
        order = {"spec": spec, "run": run, "account": account}
        environment = {**os.environ, **this_program()}
        return BotProcess(self._spec.name, "bots.payer", order, environment, outlives=True, failures=FAILURES)
