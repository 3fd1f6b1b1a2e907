"""Runs of an orchestrator that tests watch, count and start."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.config.resolve import parse
from arena.config.tournament import Tournament
from arena.core.types import BotSpec, JudgeSpec
from arena.engines.base import Inquiring
from arena.engines.local import Local
from arena.play.orchestrator import Orchestrator
from arena.play.progress import Silent, State
from arena.play.schedule import plans
from bots.base import Bot, RunOptions
from bots.batching import DialogueCounter
from db import Repository
from judges.base import Judge
from tests.support.tournaments import store, text


@dataclass
class Watching(Silent):
    """Keeps what it is told, and may do something about it."""

    react: Callable[[State], None] = lambda _: None
    states: list[State] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def update(self, state: State) -> None:
        self.states.append(state)
        self.react(state)

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)


class Counting(Local):
    """Counts what is loaded and closed."""

    def __init__(self) -> None:
        self.bots: list[str] = []
        self.runs: list[RunOptions] = []
        self.judges: list[float | None] = []
        self.inquirers = self.closed = self.bots_closed = 0

    async def bot(self, spec: BotSpec, run: RunOptions, company: DialogueCounter) -> Bot:
        self.bots.append(spec.name)
        self.runs.append(run)
        loaded = await super().bot(spec, run, company)
        real = loaded.close

        async def close() -> None:
            self.bots_closed += 1
            await real()
            raise RuntimeError("what goes wrong at the end hurts nobody")

        loaded.close = close  # type: ignore[method-assign]
        return loaded

    async def inquirer(self, settings: Mapping[str, Any], run: RunOptions | None = None) -> Inquiring:
        self.inquirers += 1
        return await super().inquirer(settings, run)

    async def judge(self, spec: JudgeSpec, run: RunOptions) -> Judge:
        self.judges.append(spec.tau)
        return await super().judge(spec, run)

    async def close(self) -> None:
        self.closed += 1


def prepared(folder: Path, source: str = "") -> tuple[Repository, Tournament]:
    repository, tournament = store(folder), parse(source or text())
    repository.add_tournament(tournament.info, 0.0)
    repository.schedule(tournament.info.id, plans(tournament))
    return repository, tournament


def run(orchestrator: Orchestrator) -> Any:
    return asyncio.run(orchestrator.run(lambda: list(plans(orchestrator.tournament))))
