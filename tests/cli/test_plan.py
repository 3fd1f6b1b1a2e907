"""arena plan: what a difference needs, what a file detects, what an earlier tournament says of both."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from arena.cli import app
from tests.support import tournaments as play


def arena(*words: str) -> str:
    result = CliRunner().invoke(app, list(words))
    assert result.exception is None, result.output
    return result.stdout


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "tournament.yaml"
    path.write_text(play.text(dialogues=50, turns=12, openers="default"))
    return path


def test_smaller_differences_need_more_dialogues(file: Path) -> None:
    document = json.loads(arena("plan", str(file), "--json"))
    numbers = [row["dialogues_per_pair"] for row in document["needed"] if row["difference"] > 0.02]
    assert [row["difference"] for row in document["needed"]] == [0.02, 0.05, 0.1, 0.2]
    assert numbers == sorted(numbers, reverse=True) and numbers[0] > 4 * numbers[1] > 12 * numbers[2]
    assert (
        document["bots"] == 2
        and document["openers"] == 200
        and document["assumed"]["inquiries_per_dialogue"] == 4
    )
    [at_that] = json.loads(arena("plan", str(file), "--difference", str(document["detectable"]), "--json"))[
        "needed"
    ]
    assert at_that["dialogues_per_pair"] == pytest.approx(50, rel=0.1)


def test_one_opener_and_too_few_openers_are_said(file: Path, tmp_path: Path) -> None:
    one = tmp_path / "one.yaml"
    one.write_text(play.text(dialogues=50))
    assert "one opener" in arena("plan", str(one))
    six = tmp_path / "six.yaml"
    six.write_text(play.text(dialogues=50, openers="[a, b, c, d, e, f]"))
    words = ("--correlation", "0.4", "--difference", "0.1")
    assert "no number is enough" in arena("plan", str(six), *words)
    assert "no number is enough" not in arena("plan", str(file), *words)


def test_an_earlier_tournament_gives_rates_and_variance(file: Path, tmp_path: Path) -> None:
    play.play(play.store(tmp_path), play.text(dialogues=8, openers="default"))
    db = f"sqlite:///{tmp_path / 'arena.db'}"
    document = json.loads(arena("plan", str(file), "--like", "r1", "--db", db, "--json"))
    assert 0 < document["assumed"]["rate"] < 0.5
    assert set(document["variance"]) == {"opener", "opponent", "dialogue", "question", "of_rate"}
    assert "Where the variance comes from" in arena("plan", str(file), "--like", "r1", "--db", db)


def test_a_dry_run_says_what_the_size_detects(file: Path) -> None:
    document = json.loads(arena("run", str(file), "--dry-run", "--json"))
    assert document["detectable"] == pytest.approx(
        json.loads(arena("plan", str(file), "--json"))["detectable"]
    )
    assert "told apart" in CliRunner().invoke(app, ["run", str(file), "--dry-run"]).output
