"""What a tournament gave: the database's sums are those of its records, and rates follow from them."""

from __future__ import annotations

import pytest

from arena.play.options import Tally
from arena.play.summary import summary
from arena.stats import yields
from db import Repository, connect
from db.yields import sums
from tests.support import tournaments as play


def test_the_sums_are_those_of_the_records(database: str) -> None:
    store = Repository(connect(database))
    play.play(store, play.text(play.STEADY, dialogues=2, release="other"))
    asking = "{entities: rules, questions: rules, distances: [2]}"
    bots = (play.STEADY, "  - {name: echo, adapter: echo}")
    tournament, _ = play.play(store, play.text(*bots, turns=6, dialogues=3, release="r2", inquirer=asking))
    records = list(store.records(tournament.info.id))
    got = sums(store, tournament.info.id)
    asked = [i for r in records for i in r.inquiries if i.reason != "past_end"]
    assert got.replies == sum(m.seat for r in records for m in r.messages)
    assert got.planned == 6 * len(records) > got.replies
    assert got.inquiries == len(asked) > 0
    assert got.answers == sum(i.answer is not None for i in asked)
    assert got.findings == len({v.inquiry for r in records for v in r.verdicts if v.judgement.reason is None})
    assert got.seconds > 0
    facts = summary(store, store.find(tournament.info.id), Tally())["yield"]
    assert facts["inquiries_per_100_planned"] < facts["inquiries_per_100_replies"]
    assert facts["inquiries_per_100_replies"] == pytest.approx(100 * len(asked) / got.replies, abs=0.01)


def test_nothing_gives_nothing(database: str) -> None:
    got = sums(Repository(connect(database)), "none")
    assert (got.replies, got.planned, got.inquiries, got.findings) == (0, 0, 0, 0)
    assert yields.of(0, 0, 0, 0, 0, 0.0) == yields.Yield(None, None, None, None, None)
    assert yields.of(50, 100, 20, 10, 5, 30.0) == yields.Yield(40.0, 20.0, 20.0, 10.0, 10.0)
