"""Several runs of one tournament: whose dialogues are whose, and for how long."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.core.errors import StoreError
from arena.core.process import LEASE_SECONDS
from arena.core.types import BotSpec, Status
from arena.engines.local import Local
from arena.play import leases as keeper
from arena.play import orchestrator as module
from arena.play.feeder import Feeder
from arena.play.options import Options
from arena.play.orchestrator import Orchestrator
from arena.play.progress import State
from arena.play.schedule import plans
from bots.base import Bot, Reply, ReplyRequest, RunOptions
from bots.batching import DialogueCounter
from db.records import Pending
from tests.play.orchestration import Counting, Watching, prepared, run
from tests.support.tournaments import STEADY, store, text


def test_what_others_play_is_waited_for(tmp_path: Path) -> None:
    """Another process holds three dialogues; it gives two back later, and its lease on the third ends."""
    repository, tournament = prepared(tmp_path)
    held = [item.id for item in repository.pending(tournament.info.id)][:3]
    assert repository.claim(held, "another", 0.0, 9e9) == set(held)

    given_back: list[bool] = []

    def react(state: State) -> None:
        if state.over == 9 and not given_back:
            given_back.append(True)
            repository._set(module_dialogues().c.id.in_(held[:2]), status=Status.PLANNED.value, owner=None)
            repository._set(module_dialogues().c.id == held[2], lease=0.0)

    watcher = Watching(react)
    orchestrator = Orchestrator(repository, tournament, Local(), watcher=watcher, is_dead=lambda _: False)
    assert run(orchestrator).played == 12


def module_dialogues() -> Any:
    from db.tables import DIALOGUES

    return DIALOGUES


def test_while_others_play_a_stop_is_heard(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path)
    held = [item.id for item in repository.pending(tournament.info.id)]
    repository.claim(held, "another", 0.0, 9e9)
    orchestrator = Orchestrator(repository, tournament, Local(), is_dead=lambda _: False)

    async def stopped() -> Any:
        asyncio.get_running_loop().call_later(0.05, orchestrator.stop, "signal")
        return await orchestrator.run(lambda: list(plans(tournament)))

    assert asyncio.run(stopped()).played == 0
    assert repository.progress(tournament.info.id).running == 12, "they stay with whoever holds them"


def test_looks_at_what_others_play_become_rarer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository, tournament = prepared(tmp_path)
    held = [item.id for item in repository.pending(tournament.info.id)][:3]
    repository.claim(held, "another", 0.0, 9e9)
    pauses: list[float] = []
    real = asyncio.wait_for

    async def wait_for(awaitable: Any, timeout: float | None) -> Any:
        if timeout is None or timeout > module.LONGEST_PAUSE:
            return await real(awaitable, timeout)
        awaitable.close()
        pauses.append(timeout)
        if len(pauses) == 7:
            repository.give_back("another")
        raise TimeoutError

    monkeypatch.setattr(asyncio, "wait_for", wait_for)
    assert run(Orchestrator(repository, tournament, Local(), is_dead=lambda _: False)).played == 12
    assert pauses == [0.1, 0.2, 0.4, 0.8, 1.6, 2.0, 2.0], "and none after a look that found something to play"


def test_the_limit_holds_over_several_looks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process holds all but three of the twelve, and gives them back later."""
    monkeypatch.setattr(module, "SHORTEST_PAUSE", 0.001)
    repository, tournament = prepared(tmp_path)
    repository.claim([item.id for item in repository.pending(tournament.info.id)][3:], "another", 0.0, 9e9)
    watcher = Watching(lambda state: repository.give_back("another") if state.over == 3 else None)
    options = Options(limit=5)
    orchestrator = Orchestrator(repository, tournament, Local(), options, watcher, is_dead=lambda _: False)
    assert run(orchestrator).played == 5 == repository.progress(tournament.info.id).done


class Mute(Local):
    """Loads bots that never answer."""

    async def bot(self, spec: BotSpec, run: RunOptions, company: DialogueCounter) -> Bot:
        class Silence:
            async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
                await asyncio.Event().wait()
                return []

            async def close(self) -> None: ...

        return Silence()


async def test_a_limited_run_plays_what_is_free(tmp_path: Path) -> None:
    """Another run sits on the first four dialogues all the while."""
    repository, tournament = prepared(tmp_path)
    sitting = Orchestrator(
        repository, tournament, Mute(), Options(concurrency=4, judge=False), is_dead=lambda _: False
    )
    sitter = asyncio.create_task(sitting.run(lambda: list(plans(tournament))))
    while repository.progress(tournament.info.id).running < 4:
        await asyncio.sleep(0)
    first = [item.id for item in repository.pending(tournament.info.id) if item.lease is not None]
    assert first == [item.id for item in repository.pending(tournament.info.id)][:4]
    looks: list[int] = []
    other = store(tmp_path)
    real = other.pending

    def pending(id: str) -> list[Pending]:
        looks.append(1)
        assert len(looks) == 1, "whoever finds enough that is free waits for nobody"
        return real(id)

    other.pending = pending  # type: ignore[method-assign]
    limited = Orchestrator(other, tournament, Local(), Options(limit=5), is_dead=lambda _: False)
    tally = await limited.run(lambda: list(plans(tournament)))
    assert (tally.played, limited.ended) == (5, True)
    progress = repository.progress(tournament.info.id)
    assert (progress.done, progress.running) == (5, 4)
    sitting.stop("signal")
    await sitter
    assert repository.progress(tournament.info.id).running == 0


async def test_limited_runs_side_by_side_play_as_many_as_each_may(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path)
    runs = [
        Orchestrator(store(tmp_path), tournament, Local(), Options(concurrency=2, limit=limit))
        for limit in (2, 4, 6)
    ]
    tallies = await asyncio.gather(*(run.run(lambda: list(plans(tournament))) for run in runs))
    assert [tally.played for tally in tallies] == [2, 4, 6]
    progress = repository.progress(tournament.info.id)
    assert (progress.done, progress.running) == (12, 0)


def test_what_the_dead_held_is_played_at_once(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path)
    repository.claim([item.id for item in repository.pending(tournament.info.id)], "dead", 0.0, 9e9)
    assert (
        run(Orchestrator(repository, tournament, Local(), is_dead=lambda owner: owner == "dead")).played == 12
    )


def test_a_held_dialogue_is_kept_while_it_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lease is renewed long before it ends, over and over, and for this process's dialogues alone."""
    repository, tournament = prepared(tmp_path, text(STEADY, dialogues=1))
    renewed: list[float] = []
    pauses: list[float] = []
    real, slept = repository.renew, asyncio.sleep

    async def sleep(seconds: float) -> None:
        if seconds > 1:
            pauses.append(seconds)
        await slept(0 if seconds > 1 else seconds)

    def renew(owner: str, until: float) -> None:
        assert owner == orchestrator.owner
        renewed.append(until - module.time.time())
        real(owner, until)
        if len(renewed) >= 3 and loop:  # the bot may be asked later than that
            loop[0].call_soon_threadsafe(go.set)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(repository, "renew", renew)
    go, loop = asyncio.Event(), []

    class Slow:
        async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
            loop.append(asyncio.get_running_loop())
            await go.wait()
            return [Reply("I have two dogs.") for _ in requests]

        async def close(self) -> None: ...

    class Engine(Local):
        async def bot(self, spec: BotSpec, run: RunOptions, company: DialogueCounter) -> Bot:
            return Slow()

    orchestrator = Orchestrator(repository, tournament, Engine(), Options(judge=False))
    assert run(orchestrator).played == 1
    assert len(renewed) >= 3 and all(0 < left <= LEASE_SECONDS for left in renewed)
    assert max(pauses) <= LEASE_SECONDS / 2, "one renewal may be late"


def test_a_hold_that_cannot_be_renewed_ends_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not before it has ended; the bots never answer, so that nothing else would end the run."""
    monkeypatch.setattr(keeper, "LEASE_SECONDS", 0.0)
    monkeypatch.setattr(keeper, "EVERY", 0.0)
    repository, tournament = prepared(tmp_path)

    def renew(owner: str, until: float) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(repository, "renew", renew)
    engine = Counting()
    monkeypatch.setattr(engine, "bot", Mute().bot)
    with pytest.raises(StoreError, match=r"RuntimeError: can't start new thread.*Run the same command again"):
        run(Orchestrator(repository, tournament, engine))
    progress = repository.progress(tournament.info.id)
    assert (progress.running, progress.failed, engine.closed) == (0, 0, 1)


async def test_whoever_gives_back_waits_for_a_claim_under_way() -> None:
    claiming, go, claimed = threading.Event(), threading.Event(), []

    class Slow:
        def claim(self, wanted: Sequence[int], *_: object) -> set[int]:
            claiming.set()
            go.wait()
            claimed.extend(wanted)
            return set(wanted)

    feeder = Feeder(Slow(), [Pending(1, "k", "a", "b", 0)], "me", 1)  # type: ignore[arg-type]
    next = asyncio.create_task(feeder.next())
    await asyncio.to_thread(claiming.wait)
    next.cancel()
    await asyncio.gather(next, return_exceptions=True)
    settled = asyncio.create_task(feeder.settled())
    await asyncio.sleep(0)
    assert not settled.done() and not claimed
    go.set()
    await settled
    assert claimed == [1]
