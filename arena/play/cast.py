"""The participants of a run: its bots, each behind a guard, and the inquirer."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence

from arena.config.tournament import Tournament
from arena.core.types import BotSpec, DialoguePlan, InquiryReport, Kind
from arena.engines.base import Engine, Inquiring
from arena.play.dialogue import InquiryPlan
from arena.play.guard import Guard
from bots import registry
from bots.base import Bot, RunOptions
from bots.batching import Batcher, DialogueCounter

log = logging.getLogger(__name__)

REMEMBERED = 20_000  # reports that are kept for repeated utterances


class Cast:
    """The loaded bots and the loaded inquirer. They stay loaded for all rounds of a run."""

    def __init__(self, engine: Engine, tournament: Tournament, company: DialogueCounter) -> None:
        self.guards: dict[str, Guard] = {}
        self.asking: InquiryPlan | None = None
        self._engine = engine
        self._tournament = tournament
        self._company = company
        self._bots: list[Bot] = []
        self._inquirer: Inquiring | None = None

    async def load(self, plans: Sequence[DialoguePlan], run: RunOptions) -> None:
        """Load every bot that plays, once per identity, and the inquirer."""
        limits = self._tournament.limits
        for spec in _distinct(plans):
            if spec.identity not in self.guards:
                began = time.perf_counter()
                bot = await self._engine.bot(spec, run, self._company)
                log.info("loaded the bot '%s' in %.1f s", spec.name, time.perf_counter() - began)
                self._bots.append(bot)
                bounded = registry.adapter(spec.adapter).bounded
                self.guards[spec.identity] = Guard(
                    spec.name, bot, limits.reply_seconds, limits.reply_chars, limits.retries, bounded
                )
        if self._tournament.inquirer is not None and self.asking is None:
            inquirer = self._inquirer = await self._engine.inquirer(self._tournament.inquirer, run)
            inquire = inquiring(inquirer, self._tournament.kinds, self._company)
            self.asking = InquiryPlan(
                inquire,
                self._tournament.kinds,
                self._tournament.distances,
                self._tournament.per_turn,
                self._tournament.prefer,
            )

    def failures(self) -> dict[tuple[str, str], str]:
        """The first error message for each bot and each reason of failure."""
        return {
            (guard.name, reason): sentence
            for guard in self.guards.values()
            for reason, sentence in guard.failures.items()
        }

    async def close(self) -> None:
        everyone: list[Bot | Inquiring] = [*self._bots]
        if self._inquirer is not None:
            everyone.append(self._inquirer)
        await asyncio.gather(*(one.close() for one in everyone), return_exceptions=True)


def inquiring(
    inquirer: Inquiring, kinds: tuple[Kind, ...], company: DialogueCounter
) -> Callable[[str], Awaitable[InquiryReport]]:
    """Return a function that asks about one utterance. Calls are combined into batches, and results are reused for
    repeated utterances.
    """
    memory: dict[str, InquiryReport] = {}

    async def batch(utterances: list[str]) -> Sequence[InquiryReport]:
        return await inquirer.inquire(utterances, kinds)

    batcher: Batcher[str, InquiryReport] = Batcher(batch, 64, 0.005, company=company)

    async def inquire(utterance: str) -> InquiryReport:
        report = memory.get(utterance)
        if report is None:
            report = await batcher.submit(utterance)
            if len(memory) >= REMEMBERED:
                memory.pop(next(iter(memory)))
            memory[utterance] = report
        return report

    return inquire


def _distinct(plans: Sequence[DialoguePlan]) -> list[BotSpec]:
    seen: dict[str, BotSpec] = {}
    for plan in plans:
        for spec in (plan.speaker, plan.tested):
            seen.setdefault(spec.identity, spec)
    return list(seen.values())
