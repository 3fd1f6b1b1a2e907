"""Arrays of the database: a summary says what the rows say, and knows when it is stale."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import text, update

from arena.core.types import TESTED
from arena.results.view import counts, inquiries, progress_counts, view
from arena.results.votes import votes_of
from arena.stats.leaderboard import leaderboard
from db import Repository, connect, statistics, summaries
from db.session import reading, writing
from db.tables import VERDICTS
from tests.support import tournaments as play


@pytest.fixture
def store(database: str) -> Repository:
    repository = Repository(connect(database))
    play.play(repository, play.text(play.STEADY, play.MOODY, dialogues=4))
    play.play(repository, play.text(play.STEADY, play.MOODY, dialogues=7, release="r2", more="tau: 0.4"))
    return repository


def both(store: Repository, release: str) -> list[statistics.Scores]:
    stored = store.find(release)
    judge = store.judges(stored.id)[0][0]
    played = statistics.dialogues(store, stored.id)
    summaries.summarise(store, judge)
    return [
        statistics.exact(store, stored.id, judge, played),
        summaries.scores(store, judge, played),
    ]


@pytest.mark.parametrize("release", ["r1", "r2"])
def test_a_summary_says_what_the_rows_say(store: Repository, release: str) -> None:
    rows, packed = both(store, release)
    assert len(rows.score) == len(packed.score) > 20
    for values in ("score", "dialogue", "distance", "evasive"):
        first, second = getattr(rows, values), getattr(packed, values)
        assert np.array_equal(np.sort(first), np.sort(second), equal_nan=True), values
    played = statistics.dialogues(store, store.find(release).id)
    votes = votes_of([])
    for tau in (0.1, 0.5):
        a, b = (inquiries(played, scores, votes).counts(tau) for scores in (rows, packed))
        assert np.array_equal(a.inquiries, b.inquiries) and np.array_equal(a.contradictions, b.contradictions)


def test_a_judge_that_knows_the_topic_decides_what_is_an_evasion(store: Repository) -> None:
    neutral = {"entailment": 0.1, "neutral": 0.8, "contradiction": 0.1}
    with writing(store.engine) as connection:
        connection.execute(update(VERDICTS).values(classes=neutral, evidence={"on_topic": 0.9}))
        third = VERDICTS.c.inquiry % 3 == 0
        connection.execute(update(VERDICTS).where(third).values(evidence={"on_topic": 0.2}))
    for scores in both(store, "r1"):
        assert 0.2 < np.nanmean(scores.evasive) < 0.5
        assert np.array_equal(scores.relevant, 1 - scores.evasive, equal_nan=True)


def test_a_judge_that_does_not_know_the_topic_says_nothing_of_relevance(store: Repository) -> None:
    for scores in both(store, "r1"):
        assert np.isnan(scores.relevant).all()


def test_new_verdicts_make_a_summary_stale(store: Repository) -> None:
    stored = store.find("r1")
    judge = store.judges(stored.id)[0][0]
    assert not summaries.fresh(store, judge)
    summaries.summarise(store, judge)
    assert summaries.fresh(store, judge)
    play.play(store, play.text(play.STEADY, play.MOODY, dialogues=9, release="r3"))
    assert not summaries.fresh(store, judge)
    summaries.summarise(store, judge)
    assert summaries.fresh(store, judge)


def test_many_verdicts_are_read_from_a_summary_that_makes_itself(
    store: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = store.find("r2")
    rows = view(store, stored)
    monkeypatch.setattr(summaries, "MANY", 10)
    packed = view(store, stored)
    assert packed.packed and not rows.packed
    assert np.array_equal(counts(rows).contradictions, counts(packed).contradictions)
    assert summaries.fresh(store, rows.judge.row)


def test_dialogues_come_by_pair_and_number(store: Repository) -> None:
    played = statistics.dialogues(store, store.find("r2").id)
    assert played.bots == ("moody", "steady") and len(played.id) == 28 and played.done.all()
    order = np.lexsort((played.number, played.tested, played.speaker))
    assert order.tolist() == list(range(28))
    assert sorted(set(played.number.tolist())) == list(range(7))


def test_circumstances_pair_equal_openers_and_seeds(store: Repository) -> None:
    first, second = (statistics.circumstances(store, store.find(name).id) for name in ("r1", "r2"))
    assert first.turns == {4} and first.openers == {"hello"} and len(first.inquirers) == 1
    assert len(np.intersect1d(first.unit, second.unit)) == len(np.unique(first.unit))


def test_the_sequential_plan_sees_every_dialogue_that_is_over(store: Repository) -> None:
    seen = progress_counts(store, store.find("r2"))
    assert len(seen) == 28
    assert seen.inquiries.sum() == counts(view(store, store.find("r2"))).inquiries.sum()


def test_the_files_tau_and_a_given_one_win_over_the_judges_own(store: Repository) -> None:
    assert view(store, store.find("r2")).judge.tau == 0.4
    assert view(store, store.find("r2"), tau=0.2).judge.tau == 0.2


def test_views_can_be_read_by_anyone(store: Repository) -> None:
    with reading(store.engine) as connection:
        for name in ("v_messages", "v_inquiries", "v_verdicts", "v_pair_rates"):
            assert connection.execute(text(f"SELECT * FROM {name}")).first() is not None, name
        connection.execute(text("SELECT * FROM v_labels")).all()
        rates = connection.execute(
            text("SELECT inquiries, contradictions, rate FROM v_pair_rates WHERE release = 'r1'")
        ).all()
    assert all(float(rate) == pytest.approx(float(bad) / asked) for asked, bad, rate in rates)


def test_a_read_only_database_is_read_row_by_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = play.store(tmp_path)
    play.play(repository, play.text(play.STEADY, play.MOODY))
    monkeypatch.setattr(summaries, "MANY", 1)
    locked = Repository(connect(f"sqlite:///{tmp_path / 'arena.db'}", create=False, read_only=True))
    assert not view(locked, locked.find("r1")).packed


def test_drawn_and_dealt_personas_are_told_and_fixed_ones_are_not(database: str) -> None:
    repository = Repository(connect(database))
    bots = (
        "  - {name: drawn, adapter: scripted, persona: library}",
        "  - {name: fixed, adapter: scripted, persona: 'I am Bob.', sheet_seed: 2}",
        "  - {name: dealt, adapter: scripted, persona: [I am A., I am B.], sheet_seed: 3}",
    )
    play.play(repository, play.text(*bots, dialogues=4))
    played = statistics.dialogues(repository, repository.find("r1").id)
    personas = {
        bot: [played.personas[code] if code >= 0 else None for code in played.persona[played.tested == k]]
        for k, bot in enumerate(played.bots)
    }
    assert len(set(personas["drawn"])) == 12 and None not in personas["drawn"]
    assert set(personas["fixed"]) == {None}
    assert personas["dealt"] == ["I am A.", "I am B."] * 6
    seen = view(repository, repository.find("r1"))
    assert leaderboard(seen.inquiries, 0.5).personas == 14
    assert "personas like these" in leaderboard(seen.inquiries, 0.5).scope


def test_replies_of_dialogues_that_ended_early_are_not_counted(database: str) -> None:
    repository = Repository(connect(database))
    parrot = "  - {name: parrot, adapter: echo}"
    for release, policy in (("ended", "end"), ("kept", "keep")):
        play.play(
            repository, play.text(play.STEADY, parrot, release=release, turns=8, more=f"on_loop: {policy}")
        )
        seen = view(repository, repository.find(release))
        board = leaderboard(seen.inquiries, 0.5)
        sentence: Counter[str] = Counter()
        for record in repository.records(seen.tournament.id):
            sentence[record.tested] += sum(message.seat == TESTED for message in record.messages)
        assert {s.bot: s.replies for s in board.standings} == sentence
        assert (min(sentence.values()) < 2 * 3 * 8) == (policy == "end")
