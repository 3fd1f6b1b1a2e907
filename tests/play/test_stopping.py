"""How a run stops: signals, limits, budgets and databases that refuse."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.core.errors import StoreError
from arena.core.types import BotSpec
from arena.engines.local import Local
from arena.judging import run_judges
from arena.judging.runner import Pace
from arena.play import orchestrator as module
from arena.play.budget import purse_for
from arena.play.options import Options
from arena.play.orchestrator import Orchestrator
from arena.play.progress import State
from arena.play.schedule import plans
from bots.base import Bot, Reply, ReplyRequest, RunOptions
from bots.batching import DialogueCounter
from tests.play.orchestration import Counting, Watching, prepared, run
from tests.support.tournaments import text


@pytest.mark.parametrize("why", ["signal", "budget"])
def test_a_stop_stores_what_is_finished_and_gives_the_rest_back(why: str, tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path, text(dialogues=40))
    watcher = Watching(lambda state: orchestrator.stop(why) if state.over >= 20 else None)
    orchestrator = Orchestrator(repository, tournament, Local(), Options(concurrency=2), watcher)
    tally = run(orchestrator)
    orchestrator.stop("later")
    progress = repository.progress(tournament.info.id)
    assert tally.stopped == why and orchestrator.ended
    assert 20 <= progress.done == tally.played < 160 and progress.running == 0
    judged_to_the_end = "judging" in {state.stage for state in watcher.states}
    assert judged_to_the_end == (why == "budget"), "whoever presses Ctrl-C does not wait for judges"


def test_a_signal_while_judging_ends_the_judging(tmp_path: Path) -> None:
    judges = "judges: [truth, lexical]"
    repository, tournament = prepared(tmp_path, text().replace("judges: [truth]", judges))
    run(Orchestrator(repository, tournament, Local(), Options(judge=False)))
    watcher = Watching(lambda state: orchestrator.stop("signal") if state.verdicts else None)
    orchestrator = Orchestrator(repository, tournament, Local(), watcher=watcher)
    tally = run(orchestrator)
    assert [name for _, name, *_ in repository.judges(tournament.info.id)] == ["truth"]
    assert tally.verdicts == repository.progress(tournament.info.id).inquiries


def test_a_signal_ends_even_the_judging_after_a_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run_judges, "ALONE", Pace(inquiries=5))
    repository, tournament = prepared(tmp_path)
    run(Orchestrator(repository, tournament, Local(), Options(judge=False)))

    def react(state: State) -> None:
        if state.stage == "judging":
            orchestrator.stop("budget")
        if state.verdicts == 10:
            orchestrator.stop("signal")

    orchestrator = Orchestrator(repository, tournament, Local(), watcher=Watching(react))
    tally = run(orchestrator)
    assert (tally.stopped, tally.verdicts) == ("signal", 10)
    assert repository.progress(tournament.info.id).inquiries > 15
    assert run(Orchestrator(repository, tournament, Local())).verdicts > 5, "the next run judges the rest"


def test_the_limit_is_of_this_run(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path)
    looks: list[int] = []
    real = repository.pending
    repository.pending = lambda id: (looks.append(1), real(id))[1]  # type: ignore[method-assign]
    orchestrator = Orchestrator(repository, tournament, Local(), Options(limit=5))
    assert not orchestrator.ended
    assert run(orchestrator).played == 5 and orchestrator.ended
    assert len(looks) == 1, "whoever has played all it may looks for no more"
    more = Orchestrator(repository, tournament, Local(), Options(limit=50))
    assert run(more).played == 7 and not more.ended


def test_dialogues_under_way_are_given_up_when_the_run_is_stopped(tmp_path: Path) -> None:
    """The one bot never answers: only that its dialogues are cancelled ends the run."""
    repository, tournament = prepared(tmp_path)

    class Silence:
        async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
            orchestrator.stop("signal")
            await asyncio.Event().wait()
            return []

        async def close(self) -> None: ...

    class Engine(Local):
        async def bot(self, spec: BotSpec, run: RunOptions, company: DialogueCounter) -> Bot:
            return Silence()

    orchestrator = Orchestrator(repository, tournament, Engine())
    assert run(orchestrator).played == 0
    progress = repository.progress(tournament.info.id)
    assert (progress.done, progress.failed, progress.running) == (0, 0, 0)


def test_a_stop_while_the_database_refuses_waits_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many dialogues wait to be stored as may, and none of them ever will be."""
    monkeypatch.setattr(module, "WAITING", 1)
    repository, tournament = prepared(tmp_path, text(dialogues=40))
    refused, queues = threading.Event(), []

    def finish(played: Any, owner: str) -> int:
        while not queues[0].full():
            time.sleep(0.001)
        loop[0].call_soon_threadsafe(orchestrator.stop, "signal")
        refused.wait()
        raise StoreError("no room")

    put = asyncio.Queue.put

    async def putting(self: Any, item: Any) -> None:
        queues.append(self)
        if item is None:
            refused.set()
        await put(self, item)

    monkeypatch.setattr(asyncio.Queue, "put", putting)
    repository.finish = finish  # type: ignore[method-assign]
    orchestrator = Orchestrator(repository, tournament, Local(), Options(concurrency=4))
    loop: list[asyncio.AbstractEventLoop] = []

    async def stopped() -> Any:
        loop.append(asyncio.get_running_loop())
        return await orchestrator.run(lambda: list(plans(tournament)))

    with pytest.raises(StoreError, match="no room"):
        asyncio.run(stopped())
    assert repository.progress(tournament.info.id).running == 0


def test_a_claim_under_way_is_given_back_too(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path, text(dialogues=40))
    given = threading.Event()
    claim, give_back = repository.claim, repository.give_back
    calls: list[int] = []

    def claiming(*arguments: Any) -> set[int]:
        calls.append(1)
        if len(calls) == 2:
            loop[0].call_soon_threadsafe(orchestrator.stop, "signal")
            given.wait(0.3)  # whoever gives back before this claim is made leaves it behind
        return claim(*arguments)

    def giving(owner: str) -> None:
        given.set()
        give_back(owner)

    repository.claim, repository.give_back = claiming, giving  # type: ignore[method-assign]
    orchestrator = Orchestrator(repository, tournament, Local(), Options(concurrency=2))
    loop: list[asyncio.AbstractEventLoop] = []

    async def stopped() -> Any:
        loop.append(asyncio.get_running_loop())
        return await orchestrator.run(lambda: list(plans(tournament)))

    assert asyncio.run(stopped()).stopped == "signal" and len(calls) == 2
    assert repository.progress(tournament.info.id).running == 0


def test_a_database_that_refuses_ends_the_run_with_its_sentence(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path, text(dialogues=40))

    def finish(played: Any, owner: str) -> int:
        raise StoreError("no room")

    repository.finish = finish  # type: ignore[method-assign]
    engine = Counting()
    with pytest.raises(StoreError, match="no room"):
        run(Orchestrator(repository, tournament, engine, Options(concurrency=4)))
    assert engine.closed == 1 and repository.progress(tournament.info.id).running == 0


@pytest.mark.parametrize("most", [0.5, 0.05])
def test_the_budget_is_of_the_tournament_not_of_the_run(
    most: float, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from bots.scripted import Scripted

    real = Scripted._one
    monkeypatch.setattr(Scripted, "_one", lambda self, request: replace(real(self, request), cost=0.01))
    repository, tournament = prepared(tmp_path, text(dialogues=20, more=f"budget: {{max_cost: {most}}}"))
    watcher = Watching()
    tally = run(Orchestrator(repository, tournament, Local(), Options(concurrency=1), watcher))
    assert tally.stopped == "budget"
    purse = purse_for(repository, tournament, "look")
    assert purse is not None
    first = purse.ledger.spent(purse.account)
    assert first is not None and most - 0.01 < first.cost <= most + 1e-9
    (note,) = watcher.notes
    assert "budget.max_cost" in note
    again = run(Orchestrator(repository, tournament, Local(), Options(concurrency=1)))
    assert again.stopped == "budget" and again.played == 0
    second = purse.ledger.spent(purse.account)
    assert second is not None and second.cost == pytest.approx(first.cost)
