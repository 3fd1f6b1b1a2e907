"""Arrays of the database: a summary says what the rows say, and knows when it is stale."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import text

from arena.results.view import counts, inquiries, progress_counts, view
from arena.results.votes import votes_of
from db import Repository, connect, statistics, summaries
from db.session import reading
from tests.support import tournaments as play


@pytest.fixture
def store(database: str) -> Repository:
    made = Repository(connect(database))
    play.play(made, play.text(play.STEADY, play.MOODY, dialogues=4))
    play.play(made, play.text(play.STEADY, play.MOODY, dialogues=7, release="r2", more="tau: 0.4"))
    return made


def both(store: Repository, release: str) -> list[statistics.Scores]:
    stored = store.find(release)
    judge = store.judges(stored.id)[0][0]
    played = statistics.dialogues(store.engine, stored.id)
    summaries.summarise(store.engine, judge)
    return [
        statistics.exact(store.engine, stored.id, judge, played),
        summaries.scores(store.engine, judge, played),
    ]


@pytest.mark.parametrize("release", ["r1", "r2"])
def test_a_summary_says_what_the_rows_say(store: Repository, release: str) -> None:
    rows, packed = both(store, release)
    assert len(rows.score) == len(packed.score) > 20
    for values in ("score", "dialogue", "distance", "evasive"):
        first, second = getattr(rows, values), getattr(packed, values)
        assert np.array_equal(np.sort(first), np.sort(second), equal_nan=True), values
    played = statistics.dialogues(store.engine, store.find(release).id)
    votes = votes_of([])
    for tau in (0.1, 0.5):
        a, b = (inquiries(played, scores, votes).counts(tau) for scores in (rows, packed))
        assert np.array_equal(a.inquiries, b.inquiries) and np.array_equal(a.contradictions, b.contradictions)


def test_new_verdicts_make_a_summary_stale(store: Repository) -> None:
    stored = store.find("r1")
    judge = store.judges(stored.id)[0][0]
    assert not summaries.fresh(store.engine, judge)
    summaries.summarise(store.engine, judge)
    assert summaries.fresh(store.engine, judge)
    play.play(store, play.text(play.STEADY, play.MOODY, dialogues=9, release="r3"))
    assert not summaries.fresh(store.engine, judge)
    summaries.summarise(store.engine, judge)
    assert summaries.fresh(store.engine, judge)


def test_many_verdicts_are_read_from_a_summary_that_makes_itself(
    store: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    stored = store.find("r2")
    rows = view(store, stored)
    monkeypatch.setattr(summaries, "MANY", 10)
    packed = view(store, stored)
    assert packed.packed and not rows.packed
    assert np.array_equal(counts(rows).contradictions, counts(packed).contradictions)
    assert summaries.fresh(store.engine, rows.judge.row)


def test_dialogues_come_by_pair_and_number(store: Repository) -> None:
    played = statistics.dialogues(store.engine, store.find("r2").id)
    assert played.bots == ("moody", "steady") and len(played.id) == 28 and played.done.all()
    order = np.lexsort((played.number, played.tested, played.speaker))
    assert order.tolist() == list(range(28))
    assert sorted(set(played.number.tolist())) == list(range(7))


def test_circumstances_pair_equal_openers_and_seeds(store: Repository) -> None:
    first, second = (statistics.circumstances(store.engine, store.find(name).id) for name in ("r1", "r2"))
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
    made = play.store(tmp_path)
    play.play(made, play.text(play.STEADY, play.MOODY))
    monkeypatch.setattr(summaries, "MANY", 1)
    locked = Repository(connect(f"sqlite:///{tmp_path / 'arena.db'}", create=False, read_only=True))
    assert not view(locked, locked.find("r1")).packed
