"""Judging again, people's labels and agreement, by the commands alone."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import app
from arena.core.types import Label
from arena.labelling.work import AIH
from db import Repository
from db.desks import Inquiries
from tests.support.tournaments import play, store, text


def arena(*arguments: str, fails: bool = False) -> Result:
    result = CliRunner().invoke(app, list(arguments))
    assert fails or result.exception is None, result.output
    return result


def facts(*arguments: str) -> Any:
    return json.loads(arena(*arguments, "--json").stdout)


@pytest.fixture
def played(tmp_path: Path) -> tuple[Repository, str, list[str]]:
    """A scripted tournament, its id, and what every command needs to find it."""
    repository = store(tmp_path)
    tournament, _ = play(repository, text(dialogues=4, turns=6))
    return repository, tournament.info.id, ["--db", f"sqlite:///{tmp_path / 'arena.db'}"]


def truths(repository: Repository, tournament: str) -> dict[str, bool]:
    return {
        verdict.inquiry: verdict.judgement.contradiction == 1.0
        for record in repository.records(tournament)
        for verdict in record.verdicts
        if verdict.judge == "truth" and verdict.judgement.reason is None
    }


def labelled(folder: Path, truth: dict[str, bool], people: int = 3, slips: float = 0.1) -> Path:
    """A file of labels by people who slip now and then."""
    draw, file = random.Random(5), folder / "labels.csv"
    lines = ["subject,person,appropriate,relevant,contradicts,seconds"]
    for subject, fickle in truth.items():
        for person in range(people):
            sentence = fickle != (draw.random() < slips)
            lines.append(f"{subject},p{person},yes,yes,{'yes' if sentence else 'no'},3.5")
    file.write_text("\n".join(lines) + "\n")
    return file


def test_judging_again_adds_verdicts_once(played: tuple[Repository, str, list[str]]) -> None:
    repository, tournament, db = played
    first = facts("judge", tournament, "--judge", "lexical", "--judge", "{judge: overlap, name: words}", *db)
    assert [one["judge"] for one in first["judges"]] == ["lexical", "words"]
    answered = sum(
        i.answer is not None for record in repository.records(tournament) for i in record.inquiries
    )
    assert all(one["new"] == answered for one in first["judges"])
    assert all(one["verdicts"] + sum(one["unjudged"].values()) == answered for one in first["judges"])
    again = facts("judge", tournament, "--judge", "lexical", *db)
    assert again["judges"][0]["new"] == 0


def test_without_a_name_the_tournaments_own_judges_judge(played: tuple[Repository, str, list[str]]) -> None:
    _, tournament, db = played
    assert [one["judge"] for one in facts("judge", tournament, *db)["judges"]] == ["truth"]


def test_a_bot_of_the_tournament_may_judge_it(played: tuple[Repository, str, list[str]]) -> None:
    _, tournament, db = played
    [document] = facts("judge", tournament, "--judge", "llm:steady", *db)["judges"]
    assert document["new"] == document["verdicts"] + sum(document["unjudged"].values())


def test_a_wrong_judge_is_one_sentence(played: tuple[Repository, str, list[str]]) -> None:
    _, tournament, db = played
    result = arena("judge", tournament, "--judge", "lexicl", *db, fails=True)
    assert "did you mean 'lexical'" in str(result.exception)
    result = arena("judge", tournament, "--judge", "lexical", "--judge", "lexical", *db, fails=True)
    assert "Two judges are called 'lexical'" in str(result.exception)


def test_labels_come_in_count_and_go_out(played: tuple[Repository, str, list[str]], tmp_path: Path) -> None:
    repository, tournament, db = played
    truth = truths(repository, tournament)
    file = labelled(tmp_path, truth)
    assert facts("labels", "import", str(file), *db)["new"] == 3 * len(truth)
    assert facts("labels", "import", str(file), *db) == {
        "new": 0, "changed": 0, "equal": 3 * len(truth), "skipped": 0,
    }  # fmt: skip
    for name in ("out.jsonl", "out.csv"):
        arena("labels", "export", tournament, "--out", str(tmp_path / name), *db)
        assert facts("labels", "import", str(tmp_path / name), *db)["equal"] == 3 * len(truth)
    shown = arena("labels", "export", tournament, *db).stdout.splitlines()
    assert len(shown) == 3 * len(truth)
    assert json.loads(shown[0])["schema"] == "aih"


@pytest.mark.parametrize("kind", ["csv", "jsonl"])
def test_half_answered_labels_stay_at_home(
    played: tuple[Repository, str, list[str]], tmp_path: Path, kind: str
) -> None:
    repository, tournament, db = played
    one, other = sorted(truths(repository, tournament))[:2]
    desk = Inquiries(repository)
    answers = {"appropriate": True, "relevant": True, "contradicts": False}
    for subject, values in ((one, answers), (other, {"appropriate": True})):
        label = Label(subject, "inquiry", "aih", "ann", values, "", 1.0)
        desk.answer(label, AIH.complete, 1.0)
    out = tmp_path / f"out.{kind}"
    output = arena("labels", "export", tournament, "--out", str(out), *db).stderr
    assert "1 labels" in output and "1 half-answered left out" in output
    text = out.read_text()
    assert one in text and other not in text
    assert facts("labels", "import", str(out), *db)["equal"] == 1


def test_labels_of_something_else_are_refused_or_left_out(
    played: tuple[Repository, str, list[str]], tmp_path: Path
) -> None:
    _, _, db = played
    file = labelled(tmp_path, {"nowhere": True}, people=1)
    result = arena("labels", "import", str(file), *db, fails=True)
    assert "1 of 1 labels have subjects that are not in this database" in str(result.exception)
    assert facts("labels", "import", str(file), "--skip-unknown", *db)["skipped"] == 1


def test_agreement(played: tuple[Repository, str, list[str]], tmp_path: Path) -> None:
    repository, tournament, db = played
    truth = truths(repository, tournament)
    arena("labels", "import", str(labelled(tmp_path, truth)), *db)
    arena("judge", tournament, "--judge", "lexical", *db)
    document = facts("agreement", tournament, *db)
    people = document["people"]
    assert (people["n"], people["items"]) == (3, len(truth))
    assert 0.4 < people["fleiss_kappa"] <= 1.0
    assert abs(people["fleiss_kappa"] - people["krippendorff_alpha"]) < 0.05
    assert set(people["pearson_with_vote"]) == {"p0", "p1", "p2"}
    assert set(people["by_bot"]) == {"steady", "moody"}
    assert set(document["judges"]) == {"truth", "lexical"}
    assert document["judges"]["truth"]["f1"] > 0.8
    assert document["judges"]["truth"]["best_tau"] is not None
    assert document["judge_pairs"][0]["kappa"] is not None
    shown = arena("agreement", tournament, *db).stdout
    assert "Fleiss" in shown and "lexical" in shown


def test_agreement_without_labels_says_so(played: tuple[Repository, str, list[str]]) -> None:
    _, tournament, db = played
    document = facts("agreement", tournament, *db)
    assert document["people"]["n"] == document["people"]["items"] == 0
    assert document["people"]["fleiss_kappa"] is None
    result = arena("agreement", tournament, "--fit", "truth,truth", *db, fails=True)
    assert "at least two judges" in str(result.exception)


def test_a_fitted_ensemble_judges(played: tuple[Repository, str, list[str]], tmp_path: Path) -> None:
    repository, tournament, db = played
    truth = truths(repository, tournament)
    arena("labels", "import", str(labelled(tmp_path, truth, slips=0.0)), *db)
    arena("judge", tournament, "--judge", "lexical", "--judge", "overlap", *db)
    fitted = facts("agreement", tournament, "--fit", "lexical, overlap", *db)["ensemble"]
    assert fitted["items"] > 20
    entry = json.dumps(fitted["entry"])
    [judged] = facts("judge", tournament, "--judge", entry, *db)["judges"]
    assert judged["verdicts"] > 0
    document = facts("agreement", tournament, *db)["judges"]["ensemble"]
    assert document["auc"] >= facts("agreement", tournament, *db)["judges"]["overlap"]["auc"] - 0.02


def test_judges_are_listed_described_and_tried() -> None:
    listed = {one["name"]: one for one in facts("judges", "list")["judges"]}
    assert {"nli", "hybrid", "lexical", "llm", "overlap"} <= set(listed)
    assert all(one["detail"] for one in listed.values())
    assert "lexical" in arena("judges", "list").stdout
    described = facts("judges", "describe", "mnli")
    assert described["settings"]["format"]["default"] == "aih"
    assert "0.15" in arena("judges", "describe", "mnli").stdout
    tried = facts(
        "judges", "try", "I have two kids.", "How many kids do you have?", "Three.", "--judge", "lexical"
    )
    assert tried["contradiction"] == 0.9
    assert tried["evidence"]["rule"] == "other_number"
    shown = arena("judges", "try", "I have two kids.", "How many?", " ", "--judge", "lexical").stdout
    assert "does not judge it: empty_answer" in shown


def test_text_on_the_terminal_is_harmless() -> None:
    shown = arena(
        "judges", "try", "I have two kids.", "How many kids?", "\x1b[2J three", "--judge", "overlap"
    ).stdout
    assert "\x1b" not in shown


@pytest.mark.parametrize("what", ["judge", "reader", "begin", "entities", "questions"])
def test_training_explains_itself(what: str) -> None:
    assert "--data" in arena("train", what, "--help").stdout


def test_a_check_is_ranked_by_the_judge_and_threshold_of_the_file(tmp_path: Path) -> None:
    repository = store(tmp_path)
    entries = "judges: [{judge: overlap, tau: 0.95}, lexical]"
    own = text(dialogues=4, turns=6, more="checks: [inquiry, history]").replace("judges: [truth]", entries)
    tournament, _ = play(repository, own)
    assert len(tournament.judges) == 2
    db = ["--db", f"sqlite:///{tmp_path / 'arena.db'}"]
    board = facts("leaderboard", tournament.info.id, "--check", "history", *db)
    assert (board["judge"], board["tau"]) == ("overlap", 0.95)
    headline = {bot["bot"]: bot for bot in facts("leaderboard", tournament.info.id, *db)["bots"]}
    for own in board["bots"]:
        shown = headline[own["bot"]]["checks"]["history"]
        assert shown["judge"] == "overlap"
        assert (shown["rate"], shown["findings"]) == (own["contradiction_rate"], own["inquiries"])
    other = facts("leaderboard", tournament.info.id, "--check", "history", "--judge", "lexical", *db)
    assert other["judge"] == "lexical"


def test_checks_are_judged_by_name_once(played: tuple[Repository, str, list[str]]) -> None:
    repository, tournament, db = played
    document = facts("judge", tournament, "--judge", "lexical", "--check", "history", *db)["judges"][0]
    messages = sum(m.seat for record in repository.records(tournament) for m in record.messages)
    counts = document["checks"]["history"]
    assert document["new"] == messages == counts["verdicts"] + sum(counts["unjudged"].values())
    assert document["verdicts"] == 0 and "persona" not in document["checks"]
    board = facts("leaderboard", tournament, "--judge", "lexical", "--check", "history", *db)
    assert board["check"] == "history" and board["judge_measured"] == {}
    assert sum(bot["inquiries"] for bot in board["bots"]) == counts["verdicts"]
    inquiries = facts("leaderboard", tournament, *db)
    assert inquiries["check"] == "inquiry"
    for own, other in zip(board["bots"], inquiries["bots"], strict=True):
        checked = next((bot for bot in inquiries["bots"] if bot["bot"] == own["bot"]), other)["checks"]
        assert "inquiry" in checked and "inquiry" not in own["checks"]
        if own["inquiries"]:
            assert checked["history"]["rate"] == own["contradiction_rate"]
    refused = arena("leaderboard", tournament, "--check", "persona", *db, fails=True)
    assert "'arena judge" in str(refused.exception)
    refused = arena("leaderboard", tournament, "--check", "history", "--corrected", *db, fails=True)
    assert "leave out --corrected" in str(refused.exception)
    again = facts("judge", tournament, "--judge", "lexical", "--check", "history", "--check", "inquiry", *db)
    assert again["judges"][0]["new"] == again["judges"][0]["verdicts"] + sum(
        again["judges"][0]["unjudged"].values()
    )
