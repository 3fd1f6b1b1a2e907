"""Packed verdicts: gone on with, they are what packing all anew gives; labelled inquiries are found in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from sqlalchemy import delete, select, update

from arena.core.types import Label
from arena.results.labels import label_votes
from arena.results.view import view
from db import Repository, connect, statistics, summaries
from db.labels import Labels
from db.session import reading, writing
from db.summaries import STATES, SUMMARIES
from tests.support import tournaments as play

KINDS = (
    "{entities: rules, questions: rules, kinds: [wh, ask_twice, yes_no_true], distances: [0, 1], per_turn: 2}"
)


@pytest.fixture
def store(database: str, monkeypatch: pytest.MonkeyPatch) -> Repository:
    monkeypatch.setattr(summaries, "BLOCK", 4)
    return Repository(connect(database))


def source(dialogues: int, **more: Any) -> str:
    return play.text(play.STEADY, play.MOODY, dialogues=dialogues, inquirer=KINDS, turns=3, **more)


def stored(store: Repository, judge: int) -> dict[tuple[Any, ...], Mapping[str, Any]]:
    with reading(store.engine) as connection:
        rows = connection.execute(select(SUMMARIES).where(SUMMARIES.c.judge == judge)).mappings()
        return {(row["block"], row["kind"], row["distance"]): dict(row) for row in rows}


def anew(store: Repository, judge: int) -> dict[tuple[Any, ...], Mapping[str, Any]]:
    with writing(store.engine) as connection:
        connection.execute(delete(STATES).where(STATES.c.judge == judge))
    summaries.summarise(store, judge)
    return stored(store, judge)


def test_gone_on_with_they_are_what_packing_anew_gives(store: Repository) -> None:
    play.play(store, source(4))
    judge = store.judges(store.tournaments()[0].id)[0][0]
    whole = summaries.summarise(store, judge)
    assert whole == len(stored(store, judge)) and summaries.summarise(store, judge) == 0
    play.play(store, source(5))  # the same tournament grown: equal dialogues are there already
    assert 0 < summaries.summarise(store, judge) < whole
    play.play(store, source(3, seed=8, release="r2"), judge=False)
    summaries.summarise(store, judge)
    waiting = stored(store, judge)
    assert any(row["unjudged"] and "not_judged" in row["unjudged"] for row in waiting.values())
    play.play(store, source(3, seed=8, release="r2"))
    assert not summaries.fresh(store, judge)
    assert 0 < summaries.summarise(store, judge) < len(waiting)
    assert summaries.fresh(store, judge)
    assert stored(store, judge) == anew(store, judge)


def test_a_lower_number_that_was_stored_later_is_noticed(store: Repository) -> None:
    play.play(store, source(3))
    judge = store.judges(store.tournaments()[0].id)[0][0]
    summaries.summarise(store, judge)
    before = stored(store, judge)
    with writing(store.engine) as connection:
        connection.execute(delete(SUMMARIES).where(SUMMARIES.c.block == 0))
        connection.execute(update(STATES).values(inquiries=STATES.c.inquiries - 1))
    summaries.summarise(store, judge)
    assert stored(store, judge) == before


def test_little_is_not_worth_a_summary(store: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    tournament, tally = play.play(store, source(2))
    judge = store.judges(tournament.info.id)[0][0]
    assert summaries.refresh(store, judge) == 0 and stored(store, judge) == {}
    monkeypatch.setattr(summaries, "MANY", tally.verdicts)
    assert summaries.refresh(store, judge) == len(stored(store, judge)) > 0


def test_a_run_leaves_the_summaries_of_its_judges(store: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(summaries, "MANY", 10)
    tournament, _ = play.play(store, source(3))
    assert all(summaries.fresh(store, judge) for judge, *_ in store.judges(tournament.info.id))


def test_labelled_inquiries_are_found(store: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    play.play(store, source(2, seed=8, release="r2"))
    tournament, _ = play.play(store, source(6))
    result = store.find(tournament.info.id)
    judge = store.judges(result.id)[0][0]
    played = statistics.dialogues(store, result.id)
    rows = statistics.exact(store, result.id, judge, played)
    keys = sorted(rows.rows)[::3]
    labels = [
        Label(key, "inquiry", "aih", "ann", {"contradicts": bool(n % 2), "relevant": n % 3 > 0})
        for n, key in enumerate(keys)
    ]
    Labels(store).put(labels, 0.0)
    whole = view(store, result)
    monkeypatch.setattr(summaries, "MANY", 1)
    packed = view(store, result)
    assert packed.packed and not whole.packed and sorted(packed.rows) == keys
    for question in ("contradicts", "relevant"):
        a, b = label_votes(whole, question), label_votes(packed, question)
        for key in keys:
            assert a[whole.rows[key]] == b[packed.rows[key]]
    assert np.isfinite(label_votes(packed)).sum() == len(keys)
    for key in keys:
        at, here = whole.rows[key], packed.rows[key]
        for values in ("score", "dialogue", "distance"):
            one, other = getattr(whole.inquiries, values)[at], getattr(packed.inquiries, values)[here]
            assert one == other or (np.isnan(one) and np.isnan(other))
        assert (
            whole.inquiries.kinds[whole.inquiries.kind[at]]
            == packed.inquiries.kinds[packed.inquiries.kind[here]]
        )
