"""Plays dialogues on many hosts. Players load no model. They claim dialogues in the database and store them there."""

from __future__ import annotations

import asyncio
import time
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from arena.config.tournament import Tournament, restore
from arena.core.errors import ArenaError, StoreError
from arena.core.process import this_process
from arena.core.types import DialoguePlan, TournamentInfo
from arena.engines.ray import FOREVER, Handles, Ray
from arena.play.options import Options, Tally
from arena.play.orchestrator import Orchestrator
from arena.play.progress import Silent
from db.records import Pending
from db.retry import retry_store

LOOK = 1.0  # seconds between two looks at the progress


@dataclass
class Spread(Orchestrator):
    """An orchestrator whose dialogues are played by Ray tasks. Judging and planning rounds stay in its own process."""

    async def _play(self, work: Sequence[Pending], wanted: dict[str, DialoguePlan]) -> None:
        engine = self.engine
        assert isinstance(engine, Ray)
        url = self._reachable(engine)
        plans = [wanted[item.key] for item in work]
        self._place(engine, plans)
        await engine.ready()
        self._stage = "playing"
        began = time.perf_counter()
        players = self._start(engine, url, plans)
        try:
            await self._wait(engine, players)
        finally:
            self.tally.playing_seconds += time.perf_counter() - began
            for player in players:
                engine.ray.cancel(player, force=True)
            run = self._run_id
            await retry_store(self.repository.release, lambda owner: owner.startswith(f"ray:{run}:"))

    def _reachable(self, engine: Ray) -> str:
        """Check that other hosts can open the database, because each player opens it itself."""
        if self.repository.serves_one_host:
            hosts = {node["NodeManagerAddress"] for node in engine.ray.nodes() if node["Alive"]}
            if len(hosts) > 1:
                raise StoreError(
                    f"SQLite serves one host, and this cluster has {len(hosts)}: "
                    "use --db postgresql+psycopg://USER:PASSWORD@HOST/NAME."
                )
        return self.repository.url

    def _place(self, engine: Ray, plans: Sequence[DialoguePlan]) -> None:
        for spec in {s.identity: s for plan in plans for s in (plan.speaker, plan.tested)}.values():
            engine.place(spec, self.run_options())
        if self.tournament.inquirer is not None:
            engine.place_inquirer(self.tournament.inquirer, self.run_options())

    def _start(self, engine: Ray, url: str, plans: Sequence[DialoguePlan]) -> list[Any]:
        self._run_id = uuid.uuid4().hex[:8]
        number = max(1, sum(node["Alive"] for node in engine.ray.nodes()))
        number = min(number, len(plans))
        task = engine.ray.remote(part).options(
            num_cpus=0, max_retries=FOREVER, scheduling_strategy="SPREAD", retry_exceptions=False
        )
        options = replace(self.options, judge=False, retry_failed=False, limit=None)
        limit = self.options.limit
        if limit is not None:
            plans = plans[: max(0, limit - self.tally.played)]
        return [
            task.remote(
                url,
                self.tournament.info,
                options,
                list(plans[k::number]),
                f"ray:{self._run_id}:{k}",
                engine.bot_hosts,
                engine.inquirer_hosts,
            )
            for k in range(number)
        ]

    async def _wait(self, engine: Ray, players: Sequence[Any]) -> None:
        left = list(players)
        before = self._over
        while left and not self._stop.is_set():
            done, left = await asyncio.to_thread(engine.ray.wait, left, num_returns=len(left), timeout=LOOK)
            over, failed = await retry_store(self.repository.over, self.tournament.info.id)
            self.tally.failed = failed
            self.tally.played += max(0, over - before)
            self._over = before = max(over, before)
            for player in done:
                self._add(await asyncio.to_thread(_result, engine, player))
            self._tell()

    def _add(self, tally: Tally) -> None:
        self.tally.replies += tally.replies
        if tally.stopped == "budget" and self._purse is not None:
            self._spent_all(self._purse.spent_sentence())
        self._explain(tally.failures)


def _result(engine: Ray, player: Any) -> Tally:
    try:
        tally: Tally = engine.ray.get(player)
    except engine.ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, ArenaError):
            raise error.cause from error
        raise
    return tally


def part(
    url: str,
    info: TournamentInfo,
    options: Options,
    plans: Sequence[DialoguePlan],
    name: str,
    bots: dict[str, list[Any]],
    inquirers: list[Any],
) -> Tally:
    """Play one player's dialogues, on any host. If the host is lost, another task continues from the database."""
    from db import Repository, connect

    tournament: Tournament = restore(info)
    repository = Repository(connect(url, create=False))
    owner = this_process(name)
    orchestrator = Orchestrator(
        repository,
        tournament,
        Handles(bots, inquirers),
        options,
        Silent(),
        owner,
        lambda other: other.startswith(f"{name}|") and other != owner,
    )
    try:
        return asyncio.run(orchestrator.run(lambda: list(plans)))
    finally:
        repository.close()
