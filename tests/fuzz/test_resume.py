"""Schedule and resume against a model: grow, kill, limit, retry, share; what is stored is always right.

A killed run is one whose database takes no further write, as after SIGKILL; tests/faults kills real processes.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from tempfile import TemporaryDirectory
from typing import Any
from unittest.mock import patch

from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import Connection, Engine, func, select

import db.session
from arena.config.resolve import parse
from arena.config.tournament import Tournament
from arena.engines.local import Local
from arena.play.options import Options, Tally
from arena.play.orchestrator import Orchestrator
from arena.play.schedule import plans
from db import Repository, connect
from db.health import examine
from db.session import reading
from db.tables import DIALOGUES, INQUIRIES, MESSAGES, SCHEDULE, VERDICTS
from tests.fuzz.examples import tried
from tests.support.tournaments import MOODY, STEADY, exported, text

TURNS = 2
STORMY = "  - {name: stormy, adapter: faulty, sheet_seed: 5}"  # fails in a storm, else speaks soundly
POOL = (STEADY, MOODY, STORMY)
MOST = 3


class Killed(BaseException):
    """The process is no more."""


class Storm:
    """While it blows, every dialogue with the stormy bot fails."""

    blows = False

    @staticmethod
    def fault(_self: Any, _draw: float) -> str | None:
        return "raises" if Storm.blows else None


@contextmanager
def killed_at(commit: int, before: bool) -> Iterator[None]:
    """From the commit of that number on nothing is written any more."""
    real, commits = db.session.writing, 0

    @contextmanager
    def writing(engine: Engine) -> Iterator[Connection]:
        nonlocal commits
        commits += 1
        if commits > commit:
            raise Killed
        with real(engine) as connection:
            yield connection
            if commits == commit and before:
                raise Killed

    with (
        patch("db.repository.writing", writing),
        patch("db.playing.writing", writing),
        patch("db.judging.writing", writing),
    ):
        yield


@cache
def calm() -> dict[str, dict[str, Any]]:
    """Every dialogue there can be, from one undisturbed run, by key."""
    with TemporaryDirectory() as folder:
        repository = Repository(connect(f"sqlite:///{folder}/calm.db"))
        tournament = parse(text(*POOL, turns=TURNS, dialogues=MOST))
        repository.add_tournament(tournament.info, 0.0)
        repository.schedule(tournament.info.id, plans(tournament))
        tally = played(repository, tournament, Options(), "calm")
        assert tally.played == len(POOL) ** 2 * MOST
        lines = [json.loads(line) for line in exported(repository, tournament.info.id).splitlines()]
    return {line["dialogue"]: line for line in lines}


def played(repository: Repository, tournament: Tournament, options: Options, owner: str) -> Tally:
    """One run by a process of that name; all former ones are gone."""
    orchestrator = Orchestrator(
        repository, tournament, Local(), options, owner=owner, is_dead=lambda other: other != owner
    )
    with patch("bots.faulty.Faulty._fault", Storm.fault):
        return asyncio.run(orchestrator.run(lambda: list(plans(tournament))))


class Resuming(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.repository = Repository(connect(f"sqlite:///{self.folder.name}/arena.db"))
        self.bots, self.dialogues, self.release = [STEADY], 1, "r1"
        self.scheduled: set[str] = set()
        self.done: set[str] = set()
        self.failed: set[str] = set()
        self.runs = 0
        Storm.blows = False

    def teardown(self) -> None:
        Storm.blows = False
        self.repository.close()
        self.folder.cleanup()

    # ── the file ──────────────────────────────────────────────────────────────────────────────

    @property
    def tournament(self) -> Tournament:
        return parse(
            text(
                *self.bots,
                release=self.release,
                turns=TURNS,
                dialogues=self.dialogues,
                more="limits: {retries: 0}",
            )
        )

    @precondition(lambda self: self.dialogues < MOST)
    @rule()
    def longer(self) -> None:
        self.dialogues += 1

    @precondition(lambda self: len(self.bots) < len(POOL))
    @rule()
    def wider(self) -> None:
        self.bots.append(POOL[len(self.bots)])

    @rule(release=st.sampled_from(["r1", "r2"]))
    def another_release(self, release: str) -> None:
        self.release = release

    @rule(blows=st.booleans())
    def weather(self, blows: bool) -> None:
        Storm.blows = blows

    # ── running ───────────────────────────────────────────────────────────────────────────────

    def stored(self) -> Tournament:
        tournament = self.tournament
        self.repository.add_tournament(tournament.info, float(self.runs))
        self.repository.schedule(tournament.info.id, plans(tournament))
        self.scheduled |= {plan.key for plan in plans(tournament)}
        self.runs += 1
        return tournament

    def left(self, tournament: Tournament) -> set[str]:
        """What the model says is still to be played."""
        return {plan.key for plan in plans(tournament)} - self.done - self.failed

    def ends(self, keys: set[str]) -> None:
        for key in keys:
            names = {calm()[key]["speaker"], calm()[key]["tested"]}
            (self.failed if Storm.blows and "stormy" in names else self.done).add(key)

    @rule(
        limit=st.none() | st.integers(1, 6),
        concurrency=st.sampled_from([1, 3, 50]),
        retry=st.booleans(),
        judge=st.booleans(),
    )
    def run(self, limit: int | None, concurrency: int, retry: bool, judge: bool) -> None:
        tournament = self.stored()
        if retry:
            self.failed -= {plan.key for plan in plans(tournament)}
        left = self.left(tournament)
        options = Options(concurrency=concurrency, limit=limit, retry_failed=retry, judge=judge)
        tally = played(self.repository, tournament, options, f"run{self.runs}")
        over = left & {key for key, status in self.states().items() if status in ("done", "failed")}
        assert tally.played == len(over) == (len(left) if limit is None else min(limit, len(left)))
        rounds = {key: calm()[key]["number"] for key in left}
        assert max((rounds[key] for key in over), default=0) <= min(
            (rounds[k] for k in left - over), default=MOST
        )
        before = len(self.failed)
        self.ends(over)
        assert tally.failed == len(self.failed) - before

    @rule(
        commit=st.integers(0, 7),
        before=st.booleans(),
        retry=st.booleans(),
        concurrency=st.sampled_from([1, 4]),
    )
    def killed(self, commit: int, before: bool, retry: bool, concurrency: int) -> None:
        tournament = self.stored()
        options = Options(concurrency=concurrency, retry_failed=retry)
        try:
            with killed_at(commit, before):
                played(self.repository, tournament, options, f"run{self.runs}")
        except Killed:
            pass
        states = self.states()
        done = {key for key, status in states.items() if status == "done"}
        failed = {key for key, status in states.items() if status == "failed"}
        own = {plan.key for plan in plans(tournament)}
        assert self.done <= done and (retry or self.failed <= failed)
        assert (done | failed) - (self.done | self.failed) <= own and self.failed - failed <= own
        self.done, self.failed = done, failed

    @rule(number=st.integers(1, 4))
    def a_process_on_another_host_dies(self, number: int) -> None:
        """It held some dialogues, and only its lease tells that it is gone."""
        tournament = self.stored()
        waiting = [item.id for item in self.repository.pending(tournament.info.id)][:number]
        self.repository.release(lambda _: True)
        assert self.repository.claim(waiting, "elsewhere", 0.0, 1.0) == set(waiting)
        keys = self.left(tournament)
        orchestrator = Orchestrator(
            self.repository,
            tournament,
            Local(),
            Options(judge=False),
            owner=f"run{self.runs}",
            is_dead=lambda _: False,
        )
        with patch("bots.faulty.Faulty._fault", Storm.fault):
            asyncio.run(orchestrator.run(lambda: list(plans(tournament))))
        self.ends(keys)

    # ── what always holds ─────────────────────────────────────────────────────────────────────

    def states(self) -> dict[str, str]:
        with reading(self.repository.engine) as connection:
            return dict(connection.execute(select(DIALOGUES.c.key, DIALOGUES.c.status)).tuples().all())

    @invariant()
    def every_dialogue_exists_once_and_whole(self) -> None:
        states = self.states()
        assert set(states) == self.scheduled
        assert {key for key, status in states.items() if status == "done"} == self.done
        assert {key for key, status in states.items() if status == "failed"} == self.failed
        with reading(self.repository.engine) as connection:
            counted = select(func.count()).select_from
            assert connection.scalar(counted(MESSAGES)) == len(self.done) * 2 * TURNS
            asked = sum(len(calm()[key]["inquiries"]) for key in self.done)
            assert connection.scalar(counted(INQUIRIES)) == asked
            assert (connection.scalar(counted(VERDICTS)) or 0) <= asked
            assert connection.scalar(counted(SCHEDULE)) == sum(
                len(tournament.config["pairs"]) * tournament.config["dialogues_per_pair"]
                for tournament in self.repository.tournaments()
            )

    @invariant()
    def what_is_stored_is_what_an_undisturbed_run_stores(self) -> None:
        for tournament in self.repository.tournaments():
            for line in map(json.loads, exported(self.repository, tournament.id).splitlines()):
                reference = calm()[line["dialogue"]]
                assert line["messages"] == (reference["messages"] if line["status"] == "done" else [])
                if line["status"] == "done":
                    assert [without(i) for i in line["inquiries"]] == [
                        without(i) for i in reference["inquiries"]
                    ]

    @rule()
    def in_the_end_nothing_tells_of_what_happened(self) -> None:
        """One calm run that retries what failed makes the export of an undisturbed one."""
        Storm.blows = False
        self.run(None, 50, retry=True, judge=True)
        tournament = self.repository.find(self.tournament.info.id)
        for line in map(json.loads, exported(self.repository, tournament.id).splitlines()):
            about = {"tournament": tournament.id, "release": self.release}
            assert line == calm()[line["dialogue"]] | about
        checks = examine(self.repository)
        assert all(check.ok for check in checks), checks


def without(inquiry: dict[str, Any]) -> dict[str, Any]:
    """An inquiry before it is judged."""
    return {name: value for name, value in inquiry.items() if name != "verdicts"}


def test_schedule_and_resume_do_what_the_model_says() -> None:
    run_state_machine_as_test(Resuming, settings=tried(20, stateful_step_count=10))
