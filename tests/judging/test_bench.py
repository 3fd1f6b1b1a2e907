"""Judging beside the bots."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from arena.core.errors import MissingPart
from arena.core.types import Case, Judgement, JudgeSpec
from arena.engines.local import Local
from arena.judging.runner import BESIDE_BOTS, JudgeRunner
from arena.play.options import Options
from arena.play.orchestrator import Orchestrator
from bots.base import RunOptions
from judges import registry
from judges.base import Judge
from tests.play.orchestration import Watching, prepared, run
from tests.support.tournaments import text

MANY = text(dialogues=60, turns=6)


def test_verdicts_come_while_dialogues_are_played_and_each_once(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path, MANY)
    watcher = Watching()
    tally = run(Orchestrator(repository, tournament, Local(), Options(concurrency=2), watcher))
    early = [state.verdicts for state in watcher.states if state.stage == "playing"]
    assert max(early) > 0, "a leaderboard is live before the last dialogue"
    stored = [v for record in repository.records(tournament.info.id) for v in record.verdicts]
    assert tally.verdicts == len(stored) == repository.progress(tournament.info.id).inquiries


def test_judging_beside_bots_changes_no_dialogue(tmp_path: Path) -> None:
    played = []
    for name, judge in (("with", True), ("without", False)):
        (tmp_path / name).mkdir()
        repository, tournament = prepared(tmp_path / name, MANY)
        run(Orchestrator(repository, tournament, Local(), Options(judge=judge)))
        played.append([m.hash for r in repository.records(tournament.info.id) for m in r.messages])
    assert played[0] == played[1]


class Absent(Local):
    """Has no judge while bots play."""

    asked = 0

    async def judge(self, spec: JudgeSpec, run: RunOptions) -> Judge:
        self.asked += 1
        if self.asked == 1:
            raise MissingPart("The weights are missing: fetch them.")
        return await super().judge(spec, run)


def test_a_judge_that_fails_beside_the_bots_is_told_and_tried_again_at_the_end(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path, MANY)
    watcher = Watching()
    tally = run(Orchestrator(repository, tournament, Absent(), Options(concurrency=2), watcher))
    assert tally.verdicts == repository.progress(tournament.info.id).inquiries
    assert watcher.notes == ["No verdicts before the end: The weights are missing: fetch them."]


def test_a_pace_beside_bots_rests_and_judges_the_same(tmp_path: Path) -> None:
    repository, tournament = prepared(tmp_path, MANY)
    run(Orchestrator(repository, tournament, Local(), Options(judge=False)))
    seen: list[int] = []

    class Counted:
        def __init__(self, judge: Judge) -> None:
            self.__dict__.update(name=judge.name, revision=judge.revision, tau=judge.tau, cacheable=False)
            self._judge = judge
            self.key, self.scale, self.use, self.close = judge.key, judge.scale, judge.use, judge.close

        async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
            seen.append(len(cases))
            return await self._judge.judge(cases)

    judge = Counted(registry.create("truth", "truth"))
    runner = JudgeRunner(repository, tournament.info.id, judge)  # type: ignore[arg-type]
    judged = asyncio.run(runner.sweep(pace=BESIDE_BOTS, new=True))
    assert judged == sum(seen) == repository.progress(tournament.info.id).inquiries
    assert max(seen) <= BESIDE_BOTS.inquiries
    assert asyncio.run(runner.sweep()) == 0, "nothing is judged twice"
