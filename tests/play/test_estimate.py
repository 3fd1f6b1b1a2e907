"""Estimates: exact calls, and seconds by what the same bots took before."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.cli import main
from arena.config.resolve import parse
from arena.play.estimate import USUAL, estimate
from arena.stats.pace import seconds_per_call
from db.paces import Played, played
from db.yields import sums
from tests.support.tournaments import MOODY, STEADY, play, store, text


def test_calls_are_counted_from_the_file_alone() -> None:
    facts = estimate(parse(text(turns=4, dialogues=3)))
    assert facts["basis"] == USUAL
    # 2 pairs as speaker, 2 under test: 3 dialogues × (3 replies, or 4 replies and at most 4 answers)
    assert {bot["bot"]: bot["calls"] for bot in facts["bots"]} == {"steady": 66, "moody": 66}


@given(
    st.floats(0.001, 10),
    st.floats(0.001, 10),
    st.lists(st.tuples(st.integers(1, 40), st.integers(1, 40)), min_size=3, max_size=9, unique=True),
)
def test_paces_that_explain_the_seconds_are_found(a: float, b: float, calls: list[tuple[int, int]]) -> None:
    rows = [({"a": x, "b": y}, a * x + b * y) for x, y in calls]
    rows += [({"a": 3}, 3 * a), ({"b": 5}, 5 * b)]
    assert seconds_per_call(rows) == pytest.approx({"a": a, "b": b}, rel=1e-4, abs=1e-5)


def test_no_dialogues_give_no_pace() -> None:
    assert seconds_per_call([]) == {} and seconds_per_call([({"a": 0}, 1.0)]) == {}


def test_bots_that_played_before_are_estimated_by_it() -> None:
    tournament = parse(text(STEADY, MOODY, turns=4, dialogues=3))
    steady, moody = (bot.identity for bot in tournament.bots)
    earlier = [
        Played(steady, steady, 3, 8, 22.0),
        Played(steady, moody, 3, 8, 10.0),
        Played(moody, moody, 3, 8, 5.5),
    ]
    facts = estimate(tournament, earlier)
    assert [bot["seconds"] for bot in facts["bots"]] == pytest.approx([132.0, 33.0])
    assert facts["seconds"] == pytest.approx(165.0)
    assert facts["basis"] == "what 3 earlier dialogues in this database took"
    half = estimate(tournament, earlier[:1])
    assert half["basis"].startswith("what 1 earlier dialogues") and "for moody usual rates" in half["basis"]


def test_what_is_stored_is_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    repository = store(tmp_path)
    tournament, tally = play(repository, text())
    rows = played(repository, [bot.identity for bot in tournament.bots])
    assert len(rows) == 12 and sum(row.speaker_calls + row.tested_calls for row in rows) == tally.replies
    assert played(repository, ["nobody"]) == []
    file = tmp_path / "t.yaml"
    file.write_text(text(release="next", dialogues=30))
    with pytest.raises(SystemExit):
        main(["run", str(file), "--dry-run", "--json", "--db", f"sqlite:///{tmp_path / 'arena.db'}"])
    facts = json.loads(capsys.readouterr().out)
    assert facts["basis"] == "what 12 earlier dialogues in this database took"
    expected = facts["yield"]
    assert expected["dialogues"] == 12
    seen = sums(repository, tournament.info.id)
    assert expected["inquiries_per_100_replies"] == pytest.approx(100 * seen.inquiries / seen.replies)
    assert expected["inquiries"] == round(seen.inquiries / 12 * facts["dialogues"])
    file.write_text(text(release="alone", dialogues=30, inquirer="false"))
    with pytest.raises(SystemExit):
        main(["run", str(file), "--dry-run", "--db", f"sqlite:///{tmp_path / 'arena.db'}"])
    shown = capsys.readouterr().err
    assert "Expected yield: 0 inquiries per 100 replies" in shown and "told apart" not in shown


def test_other_questions_promise_nothing() -> None:
    tournament = parse(text(STEADY, turns=6, dialogues=3))
    (steady,) = (bot.identity for bot in tournament.bots)
    other = Played(steady, steady, 3, 8, 1.0, "another inquirer", 4, 4)
    assert estimate(tournament, [other])["yield"] == {
        "inquiries_per_100_replies": pytest.approx(100 / 3),
        "inquiries": 6,
        "dialogues": 0,
    }
