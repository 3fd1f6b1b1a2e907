"""The interface that the orchestrator needs from an engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from arena.core.types import BotSpec, InquiryReport, JudgeSpec, Kind
from bots.base import Bot, RunOptions
from bots.batching import DialogueCounter
from judges.base import Judge


class Inquiring(Protocol):
    async def inquire(self, utterances: Sequence[str], kinds: Sequence[Kind]) -> list[InquiryReport]: ...

    async def close(self) -> None: ...


class Engine(Protocol):
    """Loads bots, inquirers and judges, which may take a while. Engines keep no state that affects results."""

    async def bot(self, spec: BotSpec, run: RunOptions, company: DialogueCounter) -> Bot: ...

    async def inquirer(self, settings: Mapping[str, Any], run: RunOptions | None = None) -> Inquiring:
        """Load the inquirer. Only question writers that ask bots need `run`."""
        ...

    async def judge(self, spec: JudgeSpec, run: RunOptions) -> Judge: ...

    async def close(self) -> None: ...
