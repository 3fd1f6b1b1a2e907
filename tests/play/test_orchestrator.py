"""What a run loads, counts, plays, stores and reports."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.config.resolve import parse
from arena.core.process import LEASE_SECONDS
from arena.core.types import Dialogue
from arena.engines.local import Local
from arena.play import cast
from arena.play import orchestrator as module
from arena.play.feeder import Feeder
from arena.play.options import Options
from arena.play.orchestrator import Orchestrator
from arena.play.schedule import plans
from bots.batching import DialogueCounter
from db.records import Pending
from tests.play.orchestration import Counting, Watching, prepared, run
from tests.support.tournaments import MOODY, STEADY, text


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
    assert {(o.deterministic, o.batch, o.cache_bytes, o.keep_replies) for o in engine.runs} == {
        (False, 9, 123, True)
    }
    assert all(o.account is not None for o in engine.runs)
    repository, tournament = prepared(tmp_path, text(seed=99))
    engine = Counting()
    run(Orchestrator(repository, tournament, engine, Options(batch=9, deterministic=True)))
    assert {(o.deterministic, o.batch, o.account) for o in engine.runs} == {(True, 1, None)}


def test_without_an_inquirer_or_judging_there_is_neither(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path, text(inquirer="false"))
    engine = Counting()
    tally = run(Orchestrator(repository, tournament, engine, Options(judge=False)))
    assert (engine.inquirers, engine.judges, tally.verdicts, tally.played) == (0, [], 0, 12)


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


@pytest.mark.parametrize("size", [0, 1, 5, 1000])
async def test_dialogues_are_handed_out_in_order_and_never_too_many(size: int) -> None:
    work = [Pending(id, f"key {id}", "a", "b", 0) for id in range(100, 1300)]
    ids = [item.id for item in work]
    claims: list[list[int]] = []

    class Claiming:
        def claim(self, wanted: Sequence[int], owner: str, now: float, until: float) -> set[int]:
            assert owner == "me" and until - now == pytest.approx(LEASE_SECONDS)
            left = len(ids) - sum(map(len, claims))
            assert len(wanted) == max(1, min(size, 64, left // 16))
            claims.append(list(wanted))
            return {id for id in wanted if id % 3}  # somebody else had the others

    feeder = Feeder(Claiming(), work, "me", size)  # type: ignore[arg-type]
    await feeder.settled()
    collected = []
    while (item := await feeder.next()) is not None:
        collected.append(item.id)
    assert collected == [id for id in ids if id % 3]
    assert [id for one in claims for id in one] == ids


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


def test_failed_ones_are_played_again_when_asked(tmp_path: Path) -> None:
    broken = "  - {name: broken, adapter: faulty, raises: 1.0}"
    repository, tournament = prepared(tmp_path, text(broken, more="limits: {retries: 0}"))
    for retry, played in ((False, 3), (False, 0), (True, 3)):
        assert (
            run(Orchestrator(repository, tournament, Local(), Options(retry_failed=retry))).played == played
        )


async def test_an_utterance_that_comes_again_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cast, "REMEMBERED", 2)
    asked: list[str] = []

    class Inquirer:
        async def inquire(self, utterances: Sequence[str], kinds: Any) -> list[Any]:
            asked.extend(utterances)
            return [f"about {one}" for one in utterances]

    inquire = cast.inquiring(Inquirer(), (), DialogueCounter())
    for sentence in ("a", "b", "a", "c", "a", "b"):  # c drives a out, a drives b out, b drives c out
        assert await inquire(sentence) == f"about {sentence}"
    assert asked == ["a", "b", "c", "a", "b"]
