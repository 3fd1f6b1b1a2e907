"""Who plays what, what is counted and told, and how it all stops."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from arena.config.resolve import parse
from arena.config.tournament import Tournament
from arena.core.errors import StoreError
from arena.core.types import BotSpec, Dialogue, JudgeSpec, Status
from arena.engines.base import Inquiring
from arena.engines.local import Local
from arena.judging import runner as judging
from arena.play import leases as keeper
from arena.play import orchestrator as module
from arena.play.orchestrator import Options, Orchestrator
from arena.play.progress import Silent, State
from arena.play.schedule import plans
from bots.base import Bot, Reply, ReplyRequest, RunOptions
from bots.batching import DialogueCounter
from db import Repository
from db.records import Pending
from judges.base import Judge
from tests.support.tournaments import MOODY, STEADY, store, text


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
        made = await super().bot(spec, run, company)
        real = made.close

        async def close() -> None:
            self.bots_closed += 1
            await real()
            raise RuntimeError("what goes wrong at the end hurts nobody")

        made.close = close  # type: ignore[method-assign]
        return made

    async def inquirer(self, settings: Mapping[str, Any]) -> Inquiring:
        self.inquirers += 1
        return await super().inquirer(settings)

    async def judge(self, spec: JudgeSpec) -> Judge:
        self.judges.append(spec.tau)
        return await super().judge(spec)

    async def close(self) -> None:
        self.closed += 1


def prepared(folder: Path, source: str = "") -> tuple[Repository, Tournament]:
    repository, tournament = store(folder), parse(source or text())
    repository.add_tournament(tournament.info, 0.0)
    repository.schedule(tournament.info.id, plans(tournament))
    return repository, tournament


def run(orchestrator: Orchestrator) -> Any:
    return asyncio.run(orchestrator.run(lambda: list(plans(orchestrator.tournament))))


def test_what_is_counted_is_what_is_stored(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path)
    watcher = Watching()
    tally = run(Orchestrator(repository, tournament, Local(), watcher=watcher))
    progress = repository.progress(tournament.info.id)
    assert (tally.played, tally.failed, tally.stopped) == (12, 0, None)
    assert tally.replies == progress.replies > 0
    assert tally.verdicts == progress.inquiries > 0
    assert 0 < tally.playing_seconds < tally.seconds
    last = watcher.states[-1]
    assert (last.stage, last.planned, last.over, last.failed) == ("judging", 12, 12, 0)
    assert (last.replies, last.verdicts) == (tally.replies, tally.verdicts)
    assert [state.stage for state in watcher.states] == sorted(
        (state.stage for state in watcher.states), key=["loading", "playing", "judging"].index
    )
    playing = [state.over for state in watcher.states if state.stage == "playing"]
    assert playing == sorted(playing) and playing[-1] == 12


def test_failures_are_counted_as_failures(tmp_path: Path) -> None:
    broken = "  - {name: broken, adapter: faulty, raises: 1.0}"
    repository, tournament = prepared(tmp_path, text(STEADY, broken, more="limits: {retries: 0}"))
    watcher = Watching()
    tally = run(Orchestrator(repository, tournament, Local(), watcher=watcher))
    assert (tally.played, tally.failed) == (12, 9) and watcher.states[-1].failed == 9
    assert len(watcher.notes) == 1 and watcher.notes[0].startswith("broken, raised: "), (
        "told once, counted always"
    )
    assert tally.replies == repository.progress(tournament.info.id).replies


def test_every_bot_is_loaded_once_and_closed_and_nothing_is_loaded_for_nothing(tmp_path: Path) -> None:
    repository, tournament = prepared(
        tmp_path, text(STEADY, MOODY, "  - {name: twin, adapter: scripted}", more="tau: 0.25")
    )
    engine = Counting()
    run(Orchestrator(repository, tournament, engine))
    assert sorted(engine.bots) == ["moody", "steady"], "steady and twin are one bot"
    assert (engine.inquirers, engine.bots_closed, engine.closed) == (1, 2, 1)
    assert engine.judges == [None], "a file's threshold is applied when reading"
    again = Counting()
    run(Orchestrator(repository, tournament, again))
    assert (again.bots, again.inquirers, again.closed) == ([], 0, 1)


def test_what_the_run_decides_reaches_the_bots(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path, text(dialogues=1, more="budget: {max_cost: 7}"))
    engine = Counting()
    run(Orchestrator(repository, tournament, engine, Options(batch=9, cache_bytes=123)))
    assert {(o.deterministic, o.batch, o.cache_bytes, o.max_cost) for o in engine.runs} == {
        (False, 9, 123, 7)
    }
    repository, tournament = prepared(tmp_path, text(seed=99))
    engine = Counting()
    run(Orchestrator(repository, tournament, engine, Options(batch=9, deterministic=True)))
    assert {(o.deterministic, o.batch, o.max_cost) for o in engine.runs} == {(True, 1, None)}


def test_without_an_inquirer_or_judging_there_is_neither(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path, text(inquirer="false"))
    engine = Counting()
    tally = run(Orchestrator(repository, tournament, engine, Options(judge=False)))
    assert (engine.inquirers, engine.judges, tally.verdicts, tally.played) == (0, [], 0, 12)


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
    assert (tally.verdicts > 0) == (why == "budget"), "whoever presses Ctrl-C does not wait for judges"


def test_a_signal_while_judging_ends_the_judging(tmp_path: Path) -> None:
    judges = "judges: [truth, lexical]"
    repository, tournament = prepared(tmp_path, text().replace("judges: [truth]", judges))
    watcher = Watching(lambda state: orchestrator.stop("signal") if state.verdicts else None)
    orchestrator = Orchestrator(repository, tournament, Local(), watcher=watcher)
    tally = run(orchestrator)
    assert [name for _, name, *_ in repository.judges(tournament.info.id)] == ["truth"]
    assert tally.verdicts == repository.progress(tournament.info.id).inquiries


def test_a_signal_ends_even_the_judging_after_a_budget(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "BATCH", 5)
    repository, tournament = prepared(tmp_path)

    def react(state: State) -> None:
        if state.over == 12:
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


def test_what_others_play_is_waited_for(tmp_path: Path) -> None:
    """Another process holds three dialogues; it gives two back later, and its lease on the third ends."""
    repository, tournament = prepared(tmp_path)
    held = [item.id for item in repository.pending(tournament.info.id)][:3]
    assert repository.claim(held, "another", 0.0, 9e9) == set(held)

    def react(state: State) -> None:
        if state.over == 9:
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


def test_a_mistake_in_the_program_is_not_swallowed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository, tournament = prepared(tmp_path)

    async def play(*_: object) -> Dialogue:
        raise ZeroDivisionError

    monkeypatch.setattr(module, "play", play)
    with pytest.raises(ZeroDivisionError):
        run(Orchestrator(repository, tournament, Local()))
    assert repository.progress(tournament.info.id).running == 0


def test_a_run_that_finds_nothing_to_do_says_how_far_all_is(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path)
    run(Orchestrator(repository, tournament, Local()))
    watcher, began = Watching(), module.time.perf_counter()
    tally = run(Orchestrator(repository, tournament, Local(), watcher=watcher))
    assert 0 < tally.seconds < module.time.perf_counter() - began and tally.playing_seconds == 0
    (state,) = watcher.states
    assert (state.planned, state.over, state.replies, state.verdicts) == (12, 12, 0, 0)
    assert 0 < state.seconds < module.time.perf_counter() - began


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
    assert len(renewed) >= 3 and all(0 < left <= module.LEASE_SECONDS for left in renewed)
    assert max(pauses) <= module.LEASE_SECONDS / 2, "one renewal may be late"


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


async def test_all_stays_loaded_for_the_next_round(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path)
    engine, watcher = Counting(), Watching()
    orchestrator = Orchestrator(repository, tournament, engine, watcher=watcher)
    first, all = list(plans(tournament, 1)), list(plans(tournament))
    for round, number in ((first, 4), (all, 12)):
        await orchestrator.round(round)
        assert orchestrator.tally.played == number and engine.closed == 0
        assert (watcher.states[-1].planned, watcher.states[-1].over) == (number, number)
    await orchestrator.close()
    assert (len(engine.bots), engine.inquirers, len(engine.judges)) == (2, 1, 1)
    assert (engine.closed, engine.bots_closed) == (1, 2)


@pytest.mark.parametrize("most", [1.0, 1.25])
def test_a_budget_is_spent_when_it_is_reached(most: float) -> None:
    watcher = Watching()
    orchestrator = Orchestrator(
        None,
        parse(text(more=f"budget: {{max_cost: {most}}}")),
        Local(),
        watcher=watcher,  # type: ignore[arg-type]
    )
    for stopped in (None, "budget" if most == 1 else None, "budget", "budget"):
        orchestrator._pay(Dialogue("k", (), (), facts={"cost": 0.5}))
        assert orchestrator.tally.stopped == stopped
    assert len(watcher.notes) == 1, "it is said once"
    free = Orchestrator(None, parse(text()), Local())  # type: ignore[arg-type]
    free._pay(Dialogue("k", (), (), facts={"cost": 99.0}))
    assert free.tally.stopped is None


@pytest.mark.parametrize("size", [0, 1, 5, 1000])
async def test_dialogues_are_handed_out_in_order_and_never_too_many(size: int) -> None:
    work = [Pending(id, f"key {id}", "a", "b", 0) for id in range(100, 1300)]
    ids = [item.id for item in work]
    claims: list[list[int]] = []

    class Claiming:
        def claim(self, wanted: Sequence[int], owner: str, now: float, until: float) -> set[int]:
            assert owner == "me" and until - now == pytest.approx(module.LEASE_SECONDS)
            left = len(ids) - sum(map(len, claims))
            assert len(wanted) == max(1, min(size, 64, left // 16))
            claims.append(list(wanted))
            return {id for id in wanted if id % 3}  # somebody else had the others

    feeder = module._Feeder(Claiming(), work, "me", size)  # type: ignore[arg-type]
    await feeder.settled()
    found = []
    while (item := await feeder.next()) is not None:
        found.append(item.id)
    assert found == [id for id in ids if id % 3]
    assert [id for one in claims for id in one] == ids


async def test_whoever_gives_back_waits_for_a_claim_under_way() -> None:
    claiming, go, claimed = threading.Event(), threading.Event(), []

    class Slow:
        def claim(self, wanted: Sequence[int], *_: object) -> set[int]:
            claiming.set()
            go.wait()
            claimed.extend(wanted)
            return set(wanted)

    feeder = module._Feeder(Slow(), [Pending(1, "k", "a", "b", 0)], "me", 1)  # type: ignore[arg-type]
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


async def test_finished_dialogues_are_stored_in_groups() -> None:
    """As many as wait, at most GROUP, in their order; None ends it, with all before it stored."""
    for number in (0, 1, module.GROUP - 1, module.GROUP, module.GROUP + 1, 2 * module.GROUP):
        groups: list[list[int]] = []

        class Storing:
            def finish(self, played: Sequence[tuple[int, Dialogue]], owner: str) -> int:
                assert owner == "me"
                groups.append([id for id, _ in played])  # noqa: B023
                return len(played) - 1  # somebody else stored one

        watcher = Watching()
        orchestrator = Orchestrator(
            Storing(),
            parse(text()),
            Local(),
            watcher=watcher,
            owner="me",  # type: ignore[arg-type]
        )
        finished: asyncio.Queue[Any] = asyncio.Queue()
        for id in range(number):
            finished.put_nowait((id, Dialogue(f"k{id}", (), (), reason="raised" if id == 1 else None)))
        finished.put_nowait(None)
        await orchestrator._write(finished)
        ids = list(range(number))
        assert groups == [ids[k : k + module.GROUP] for k in range(0, number, module.GROUP)]
        assert (orchestrator.tally.played, orchestrator.tally.failed) == (number, number > 1)
        assert orchestrator.tally.replies == 0
        assert [state.over for state in watcher.states] == [
            min(number, (k + 1) * module.GROUP) - k - 1 for k in range(len(groups))
        ]


def test_a_database_that_refuses_ends_the_run_with_its_sentence(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path, text(dialogues=40))

    def finish(played: Any, owner: str) -> int:
        raise StoreError("no room")

    repository.finish = finish  # type: ignore[method-assign]
    engine = Counting()
    with pytest.raises(StoreError, match="no room"):
        run(Orchestrator(repository, tournament, engine, Options(concurrency=4)))
    assert engine.closed == 1 and repository.progress(tournament.info.id).running == 0


def test_failed_ones_are_played_again_when_asked(tmp_path: Path) -> None:
    broken = "  - {name: broken, adapter: faulty, raises: 1.0}"
    repository, tournament = prepared(tmp_path, text(broken, more="limits: {retries: 0}"))
    for retry, played in ((False, 3), (False, 0), (True, 3)):
        assert (
            run(Orchestrator(repository, tournament, Local(), Options(retry_failed=retry))).played == played
        )


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
    spent = repository.cost(tournament.info.id)
    assert tally.stopped == "budget" and most <= spent < most + 0.2
    assert watcher.notes == [
        f"The budget of {most:g} is spent ({spent:.4g}); raise budget.max_cost to go on."
    ]
    engine = Counting()
    again = run(Orchestrator(repository, tournament, engine, Options(concurrency=1)))
    assert again.stopped == "budget" and again.played <= 1
    assert engine.runs[0].max_cost == pytest.approx(most - spent)


async def test_an_utterance_that_comes_again_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REMEMBERED", 2)
    asked: list[str] = []

    class Inquirer:
        async def inquire(self, utterances: Sequence[str], kinds: Any) -> list[Any]:
            asked.extend(utterances)
            return [f"about {one}" for one in utterances]

    inquire = module.inquiring(Inquirer(), (), DialogueCounter())
    for said in ("a", "b", "a", "c", "a", "b"):  # c drives a out, a drives b out, b drives c out
        assert await inquire(said) == f"about {said}"
    assert asked == ["a", "b", "c", "a", "b"]
