"""Tournaments from end to end: truth recovered, growth, resume, faults, limits."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from arena.config.resolve import parse
from arena.exchange.imports import read
from db.health import examine
from tests.support.tournaments import MOODY, STEADY, exported, play, store, text


def fickle(repository_file: Path) -> dict[str, tuple[int, int, int]]:
    """By tested bot: recorded fickle answers, contradictions by the judge, judged inquiries."""
    rows = sqlite3.connect(repository_file).execute(
        """select s.tested, sum(i.facts like '%"fickle": true%'), sum(v.contradiction > 0.5), count(v.contradiction)
           from inquiries i join schedule s on s.dialogue = i.dialogue join verdicts v on v.inquiry = i.id
           group by 1"""
    )
    return {name: (recorded, judged, number) for name, recorded, judged, number in rows}


def test_the_truth_judge_recovers_exactly_what_scripted_bots_did(tmp_path: Path) -> None:
    bots = [
        f"  - {{name: p{p}, adapter: scripted, fickleness: {p}, sheet_seed: {p * 10:.0f}}}"
        for p in (0, 0.3, 0.7)
    ]
    repository = store(tmp_path)
    play(repository, text(*bots, turns=8, dialogues=12))
    result = fickle(tmp_path / "arena.db")
    for p in (0, 0.3, 0.7):
        recorded, judged, number = result[f"p{p}"]
        assert recorded == judged and number > 100
        assert abs(judged / number - p) <= (0 if p == 0 else 0.12)


def test_running_again_does_nothing_and_a_longer_file_plays_only_what_is_new(tmp_path: Path) -> None:
    repository = store(tmp_path)
    first, tally = play(repository, text(dialogues=2))
    assert tally.played == 8 and tally.verdicts > 0
    before = exported(repository, first.info.id)
    _, again = play(repository, text(dialogues=2))
    assert (again.played, again.verdicts) == (0, 0)
    assert exported(repository, first.info.id) == before
    _, longer = play(repository, text(dialogues=3))
    assert longer.played == 4
    _, wider = play(repository, text(STEADY, MOODY, "  - {name: e, adapter: echo}", dialogues=3))
    assert wider.played == 9 * 3 - 12
    assert exported(repository, first.info.id) == before


def test_a_limit_stops_and_the_next_run_goes_on_to_the_same_end(tmp_path: Path) -> None:
    whole, parts = store(tmp_path, "a.db"), store(tmp_path, "b.db")
    tournament, _ = play(whole, text())
    played = [play(parts, text(), limit=5)[1].played for _ in range(3)]
    assert played == [5, 5, 2]
    assert exported(whole, tournament.info.id) == exported(parts, tournament.info.id)


def test_equal_seeds_give_equal_content_whatever_the_concurrency(tmp_path: Path) -> None:
    one, many = store(tmp_path, "a.db"), store(tmp_path, "b.db")
    tournament, _ = play(one, text(), concurrency=1)
    play(many, text(), concurrency=50)
    assert exported(one, tournament.info.id) == exported(many, tournament.info.id)


def test_faults_are_counted_under_their_reason_and_nothing_hangs(tmp_path: Path) -> None:
    broken = (
        "  - {name: broken, adapter: faulty, raises: 0.2, hangs: 0.2, empty: 0.2, huge: 0.2, binary: 0.2}"
    )
    repository = store(tmp_path)
    limits = "limits: {reply_seconds: 0.05, retries: 1}"
    tournament, tally = play(repository, text(STEADY, broken, turns=2, dialogues=10, more=limits))
    progress = repository.progress(tournament.info.id)
    assert progress.done + progress.failed == progress.planned == 40 == tally.played
    assert set(progress.failures) == {"raised", "timeout", "empty", "too_long", "control_characters"}
    assert progress.done >= 10  # the sound pair
    assert all(check.ok for check in examine(repository))


def test_failed_dialogues_are_tried_again_only_when_asked(tmp_path: Path) -> None:
    flaky = "  - {name: f, adapter: faulty, raises: 0.5}"
    repository = store(tmp_path)
    source = text(flaky, turns=3, dialogues=10, more="limits: {retries: 0}")
    tournament, tally = play(repository, source)
    assert tally.failed > 0
    assert play(repository, source)[1].played == 0
    assert play(repository, source, retry_failed=True)[1].played == tally.failed
    assert repository.progress(tournament.info.id).planned == 10


def test_a_dialogue_that_says_the_same_over_and_over_is_flagged(tmp_path: Path) -> None:
    repository = store(tmp_path)
    source = text("  - {name: e, adapter: echo}", turns=6, dialogues=1, more="on_loop: keep")
    tournament, _ = play(repository, source)
    (record,) = repository.records(tournament.info.id)
    assert "repeats" in record.facts["tested_degenerate"]


def test_knowledge_reaches_the_judge(tmp_path: Path) -> None:
    repository = store(tmp_path)
    answers = "  - {name: a, adapter: scripted, knowledge: The sky is blue.}"
    tournament, _ = play(repository, text(answers), judge=False)
    row = repository.judge_id("any", "1", 0.5)
    work = repository.unjudged(tournament.info.id, row, 0, 10)
    assert work and all(item.case.knowledge == "The sky is blue." for item in work)
    assert all(item.case.source in item.case.context for item in work)


def test_a_hanging_adapter_cannot_stop_a_run(tmp_path: Path) -> None:
    hanging = "  - {name: h, adapter: faulty, hangs: 1.0}"
    repository = store(tmp_path)
    source = text(hanging, turns=2, dialogues=4, more="limits: {reply_seconds: 0.02, retries: 1}")
    tournament, _ = play(repository, source)
    assert repository.progress(tournament.info.id).failures == {"timeout": 4}


@pytest.mark.parametrize("release", ["=1+1", "a'b", "‮rtl", "x" * 200])
def test_release_tags_are_only_text(release: str, tmp_path: Path) -> None:
    import json

    repository = store(tmp_path)
    source = text(turns=1, dialogues=1).replace("release: r1", f"release: {json.dumps(release)}")
    if not release.isprintable():
        from arena.core.errors import InputError

        with pytest.raises(InputError, match="cannot be printed"):
            parse(source)
        return
    tournament, _ = play(repository, source)
    assert repository.find(release).id == tournament.info.id


def test_until_stable_stops_early_and_stays_stopped(tmp_path: Path) -> None:
    repository = store(tmp_path)
    wild = "  - {name: wild, adapter: scripted, fickleness: 0.9, sheet_seed: 3}"
    tournament = parse(text(STEADY, MOODY, wild, turns=5, dialogues=80))
    from arena.play.options import Options
    from arena.play.progress import Silent
    from arena.play.runner import run

    tally = run(repository, tournament, Options(), watcher=Silent(), stable=0.95)
    assert tally.stopped == "stable" and 9 * 20 <= tally.played < 9 * 80
    again = run(repository, tournament, Options(), watcher=Silent(), stable=0.95)
    assert (again.played, again.stopped) == (0, "stable")


def test_a_spent_budget_stops_the_run_and_a_larger_one_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from dataclasses import replace

    from bots.scripted import Scripted

    real = Scripted._one
    monkeypatch.setattr(Scripted, "_one", lambda self, request: replace(real(self, request), cost=0.01))
    repository = store(tmp_path)
    tournament, tally = play(repository, text(dialogues=20, more="budget: {max_cost: 2}"), concurrency=2)
    assert tally.stopped == "budget" and 0 < tally.played < 80
    assert 1.7 < repository.cost(tournament.info.id) <= 2  # begun dialogues are kept reply by reply
    more, tally = play(repository, text(dialogues=20, more="budget: {max_cost: 100}"), concurrency=2)
    assert tally.stopped is None and repository.progress(more.info.id).done == 80


def test_a_files_threshold_stays_with_its_tournament(tmp_path: Path) -> None:
    from arena.results.view import choose

    repository = store(tmp_path)
    strict, _ = play(repository, text(more="tau: 0.9"))
    plain, _ = play(repository, text(release="r2"))
    taus = [choose(repository, repository.find(t.info.id)).tau for t in (strict, plain)]
    assert taus == [0.9, 0.5]


def test_loops_and_personas_survive_the_way_out_and_in(tmp_path: Path) -> None:
    repository = store(tmp_path)
    bots = (
        "  - {name: a, adapter: scripted, persona: I am Ann.}",
        "  - {name: e, adapter: echo, persona: [I am Bo., I am Cy.]}",
    )
    tournament, _ = play(repository, text(*bots, turns=6, dialogues=2))
    records = {(r.speaker, r.tested, r.number): r for r in repository.records(tournament.info.id)}
    assert records["a", "e", 1].personas == ("I am Ann.", "I am Cy.")
    assert records["e", "e", 0].collapse is not None and len(records["e", "e", 0].messages) < 12
    lines = exported(repository, tournament.info.id)
    elsewhere = store(tmp_path, "other.db")
    (tmp_path / "x.jsonl").write_text(lines, encoding="utf-8")
    read(elsewhere, tmp_path / "x.jsonl", None)
    assert exported(elsewhere, tournament.info.id) == lines
