"""Runs a bot in its own process, without network and with a memory limit. If the process dies, the run continues."""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Sequence

from arena.core.errors import BotRefused
from arena.core.types import BotSpec
from bots import confine
from bots.base import Reply, ReplyRequest, RunOptions
from bots.bot_process import BotProcess, this_program

log = logging.getLogger("arena.bots")

RESTARTS = 3  # restarts of a process that died
SHARE = (
    0.75  # of the machine's memory that an isolated bot may fill, unless `resources.memory` says otherwise
)
# The environment variables that the process gets: no keys, no passwords, no database.
ENVIRONMENT = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "VIRTUAL_ENV",
    "XDG_CACHE_HOME",
    "ARENA_CACHE",
    "HF_HOME",
    "HF_HUB_CACHE",
    "PARLAI_DATAPATH",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "CUDA_VISIBLE_DEVICES",
    "LD_LIBRARY_PATH",
)


class IsolatedBot:
    """A bot in its own process.

    The constructor starts the process and loads the bot. A process that dies is restarted a few times.
    """

    def __init__(self, spec: BotSpec, run: RunOptions, *, strict: bool) -> None:
        settings = {key: value for key, value in spec.settings.items() if key not in ("isolate", "resources")}
        memory = (spec.settings.get("resources") or {}).get("memory")
        self._name = spec.name
        self._memory = int(memory or SHARE * confine.physical_memory())
        self._order = {
            "adapter": spec.adapter,
            "settings": settings,
            "run": {
                "deterministic": run.deterministic,
                "batch": run.batch,
                "wait": run.wait,
                "cache_bytes": run.cache_bytes,
            },
            "strict": strict,
            "network_off": True,
            "memory": self._memory,
        }
        self._restarts = 0
        self._starting = threading.Lock()
        self._closed = False
        self._process = self._start()
        for note in self._process.notes:
            log.warning("The bot '%s' is isolated, except that %s.", self._name, note)

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        process = self._process
        if process.dead:
            process = await asyncio.to_thread(self._again, process)
        return await asyncio.wrap_future(process.ask(requests))

    async def close(self) -> None:
        self._closed = True
        await asyncio.to_thread(self._process.end)

    def _again(self, dead: BotProcess) -> BotProcess:
        with self._starting:
            if self._process is not dead:
                return self._process
            if self._closed or self._restarts >= RESTARTS:
                raise BotRefused(
                    f"The process of the bot '{self._name}' has died {self._restarts + 1} times"
                    f"{dead.why}; try the bot alone with 'arena bots try'.",
                    "died",
                )
            self._restarts += 1
            dead.end()
            self._process = self._start()
            return self._process

    def _start(self) -> BotProcess:
        return BotProcess(self._name, "bots.sandbox", self._order, _environment(), memory=self._memory)


def _environment() -> dict[str, str]:
    known = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
    return known | this_program() | {"HF_HUB_OFFLINE": "1"}
