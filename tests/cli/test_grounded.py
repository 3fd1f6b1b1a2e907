"""From BEGIN's form on the page to a file on which judges are judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from arena.cli import main
from arena.core.types import Label
from arena.labelling import work as labelling
from db.grounded import Responses
from tests.support import tournaments as play

KNOWING = "  - {name: informed, adapter: scripted, knowledge: I like dogs and I live in Rome.}"
HELPFUL = {"topic": "5", "cooperative": "5", "personal": "1"}
ANSWERS = {
    "entailment": HELPFUL | {"informative": "5", "contradicts": "1", "supported": "5"},
    "generic": {"topic": "1", "aside": "generic", "cooperative": "3", "personal": "4"},
    "hallucination": HELPFUL | {"personal": "5"},
}


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    assert not stop.value.code
    return capsys.readouterr().out


def test_answers_become_a_set_to_validate_on(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = play.store(tmp_path)
    tournament, _ = play.play(store, play.text(play.STEADY, KNOWING))
    db, chosen = f"sqlite:///{tmp_path / 'arena.db'}", tournament.info.id
    desk = Responses(store)
    subjects = [one.subject for one in desk.waiting(chosen)]

    def label(subject: str, person: str, what: str) -> None:
        desk.answer(
            Label(subject, "message", "begin", person, ANSWERS[what], "", 2.0), labelling.form_complete, 1.0
        )

    for place, subject in enumerate(subjects[:6]):
        label(subject, "Ann", list(ANSWERS)[place % 3])
    for person in ("Bob", "Eve"):  # outvotes Ann
        label(subjects[0], person, "generic")
    label(subjects[1], "Bob", "hallucination")  # a tie
    written = run(capsys, "labels", "export", chosen, "--db", db, "--schema", "begin")
    assert len(written.splitlines()) == 9 and json.loads(written.splitlines()[0])["values"]
    again = tmp_path / "again.jsonl"
    again.write_text(written)
    assert json.loads(run(capsys, "labels", "import", str(again), "--db", db, "--json")) == {
        "new": 0, "changed": 0, "equal": 9, "skipped": 0
    }  # fmt: skip
    built = tmp_path / "own.tsv"
    run(capsys, "labels", "export", chosen, "--db", db, "--format", "begin", "--out", str(built))
    rows = [line.split("\t") for line in built.read_text().splitlines()]
    assert rows[0] == ["knowledge", "message", "response", "begin_label"]
    assert sorted(row[3] for row in rows[1:]) == [
        "entailment",
        "generic",
        "generic",
        "hallucination",
        "hallucination",
    ]
    judge = "{judge: begin, nli: none}"
    document = json.loads(
        run(capsys, "validate", "begin", "--data", str(built), "--judge", judge, "--rounds", "20", "--json")
    )
    assert document["n"] == 5 and "own five_way" in document["judges"]["begin"]["series"]


def test_replies_are_held_against_their_knowledge(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = play.store(tmp_path)
    parrot = "  - {name: parrot, adapter: echo, knowledge: Rome lies on the Tiber.}"
    tournament, _ = play.play(store, play.text(play.STEADY, KNOWING, parrot, more="on_loop: keep"))
    db, chosen = f"sqlite:///{tmp_path / 'arena.db'}", tournament.info.id
    lines = tmp_path / "replies.jsonl"
    words = (
        "judge",
        chosen,
        "--db",
        db,
        "--replies",
        "--judge",
        "{judge: begin, nli: none}",
        "--judge",
        "overlap",
    )
    document = json.loads(run(capsys, *words, "--out", str(lines), "--json"))["replies"]
    assert set(document) == {"begin", "overlap"} and set(document["begin"]) == {"informed", "parrot"}
    one = document["begin"]["informed"]
    assert (
        one["replies"] == 3 * 3 * 4 and one["dialogues"] == 9
    )  # steady has no knowledge, and is no bot here
    assert one["ci_low"] <= one["score"] <= one["ci_high"] and sum(one["classes"].values()) == pytest.approx(
        1
    )
    rows = [json.loads(line) for line in lines.read_text().splitlines()]
    assert len(rows) == 2 * 2 * 36 and {row["knowledge"] for row in rows if row["bot"] == "parrot"} == {
        "Rome lies on the Tiber."
    }
    parroted = next(row for row in rows if row["bot"] == "parrot")
    assert parroted["reply"] == parroted["previous"]
    assert "Replies beside their knowledge" in run(capsys, *words)
    play.play(store, play.text(play.STEADY, play.MOODY, release="r2"))
    with pytest.raises(SystemExit) as stop:
        main(["judge", "r2", "--db", db, "--replies", "--judge", "overlap"])
    assert stop.value.code == 2 and "knowledge" in capsys.readouterr().err
