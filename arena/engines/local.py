"""Runs everything in this process: one event loop, with models in their adapters' worker threads."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from arena.core.types import BotSpec, JudgeSpec
from arena.engines.base import Inquiring
from bots.base import Bot, RunOptions
from bots.batching import DialogueCounter
from judges.base import Judge


class Local:
    """The engine for one machine."""

    async def bot(self, spec: BotSpec, run: RunOptions, company: DialogueCounter) -> Bot:
        from bots import registry

        return await asyncio.to_thread(registry.create, spec, run, company)

    async def inquirer(self, settings: Mapping[str, Any], run: RunOptions | None = None) -> Inquiring:
        from inquirer.build import build

        built = await asyncio.to_thread(build, settings)
        if run is not None:
            built.use(run)
        return built

    async def judge(self, spec: JudgeSpec, run: RunOptions) -> Judge:
        from judges import registry

        return await asyncio.to_thread(registry.from_spec, spec, run)

    async def close(self) -> None:
        """Do nothing, because all models end with the process."""
