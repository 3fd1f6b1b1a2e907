"""Rounds until the ranking is sure: what is looked at, what is asked for, and when it ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.config.resolve import parse
from arena.config.tournament import Tournament
from arena.core.types import DialoguePlan as Dialogue
from arena.engines.local import Local
from arena.play import rounds
from arena.play.options import Options
from arena.play.orchestrator import Orchestrator
from arena.play.progress import Silent
from arena.results.view import progress_counts
from arena.stats.sequential import Decision, StoppingPlan, decide
from tests.support.tournaments import MOODY, STEADY, play, store, text

PAIRS = "pairs: [[steady, moody], [moody, steady], [moody, moody]]"


def decision(targets: list[list[int]], *, stop: bool = False, settled: bool = False) -> Decision:
    claims = np.zeros((2, 2), bool)
    return Decision(np.array(targets), stop, settled, 0.9771, ("moody", "steady"), claims, 4)


class Rounds:
    """An orchestrator that plays nothing and keeps what it is asked for."""

    def __init__(self, tournament: Tournament, ends_after: int = 99) -> None:
        self.tournament = tournament
        self.watcher = self
        self.tally = Orchestrator(None, tournament, Local()).tally  # type: ignore[arg-type]
        self.rounds: list[set[tuple[str, str, int]]] = []
        self.notes: list[str] = []
        self.closed = 0
        self._ends_after = ends_after

    @property
    def ended(self) -> bool:
        return len(self.rounds) >= self._ends_after

    async def round(self, plans: list[Dialogue]) -> None:
        assert not self.closed
        self.rounds.append({(p.speaker.name, p.tested.name, p.number) for p in plans})

    async def close(self) -> None:
        self.closed += 1

    def note(self, sentence: str) -> None:
        self.notes.append(sentence)


@pytest.mark.parametrize("settled", [True, False])
async def test_rounds_go_on_until_the_decision_says_stop(
    settled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = [
        decision([[1, 2], [0, 1]]),
        decision([[1, 3], [2, 1]]),
        decision([[1, 3], [2, 1]], stop=True, settled=settled),
    ]
    orchestrator: Any = Rounds(parse(text(dialogues=3)))
    asked: list[float] = []
    monkeypatch.setattr(rounds, "look", lambda one, probability: (asked.append(probability), looks.pop(0))[1])
    tally = await rounds.until_stable(orchestrator, 0.9)
    first = {
        ("steady", "steady", 0),
        ("steady", "moody", 0),
        ("steady", "moody", 1),
        ("moody", "moody", 0),
    }
    more = {("steady", "moody", 2), ("moody", "steady", 0), ("moody", "steady", 1)}
    assert orchestrator.rounds == [first, first | more] and asked == [0.9] * 3 and orchestrator.closed == 1
    assert tally is orchestrator.tally and tally.stopped == ("stable" if settled else None)
    why = "every order in the ranking is sure" if settled else "the planned dialogues are played"
    assert orchestrator.notes == [
        f"Stopped after 4 looks: {why} (the order moody < steady has probability 0.977)."
    ]


async def test_a_run_that_ended_is_not_looked_at_again(monkeypatch: pytest.MonkeyPatch) -> None:
    orchestrator: Any = Rounds(parse(text()), ends_after=1)
    looks = [decision([[1, 1], [1, 1]])]
    monkeypatch.setattr(rounds, "look", lambda *_: looks.pop())
    assert await rounds.until_stable(orchestrator, 0.9) is orchestrator.tally
    assert (len(orchestrator.rounds), orchestrator.closed, orchestrator.notes) == (1, 1, [])


async def test_what_goes_wrong_closes_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    orchestrator: Any = Rounds(parse(text()))

    def look(*_: object) -> Decision:
        raise ZeroDivisionError

    monkeypatch.setattr(rounds, "look", look)
    with pytest.raises(ZeroDivisionError):
        await rounds.until_stable(orchestrator, 0.9)
    assert orchestrator.closed == 1


def test_a_look_knows_the_pairs_the_plan_and_what_was_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = store(tmp_path)
    source = text(MOODY, STEADY, turns=5, dialogues=20, more=PAIRS + "\ntau: 0.4")
    tournament, _ = play(repository, source.replace("judges: [truth]", "judges: [truth, lexical]"))
    asked: list[tuple[Any, ...]] = []
    monkeypatch.setattr(
        rounds, "decide", lambda counts, *rest: (asked.append((counts, *rest)), decide(counts, *rest))[1]
    )
    orchestrator = Orchestrator(repository, tournament, Local(), Options(), Silent())
    result = rounds.look(orchestrator, 0.9)
    ((counts, pairs, plan),) = asked
    assert plan == StoppingPlan(20, 0.9)
    names = {(counts.bots[i], counts.bots[j]) for i, j in zip(*np.nonzero(pairs), strict=True)}
    assert names == {("steady", "moody"), ("moody", "steady"), ("moody", "moody")}
    plain = progress_counts(repository, repository.find(tournament.info.id), "truth", 0.4)
    assert counts.inquiries.tolist() == plain.inquiries.tolist() and counts.inquiries.sum() > 100
    assert counts.contradictions.tolist() == plain.contradictions.tolist()
    assert result.stop and result.order == ("steady", "moody")
