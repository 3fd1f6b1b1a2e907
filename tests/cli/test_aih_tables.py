"""AIH's Tables 2 to 8 of a tournament that was played, judged, labelled and chatted with, against a count by hand."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from statistics import correlation, mean
from typing import Any

import pytest

from arena.cli import main
from arena.core.types import BotSpec, Inquiry, Label
from arena.play import chat as chats_of
from arena.play.chat import Mode, Partners
from db import Repository
from db.chats import Chats
from db.labels import Labels
from db.records import Record
from tests.support import tournaments as play

PEOPLE = ("ann", "bob", "eve")


def contradictory(inquiry: Inquiry) -> bool:
    return inquiry.facts.get("fickle") is True


def judged(inquiry: Inquiry) -> bool:
    """An evasive answer has no known truth, so the judge keeps silent."""
    return "fickle" in inquiry.facts


def says(person: str, place: int, inquiry: Inquiry) -> dict[str, bool]:
    """Eve errs in every third inquiry, and finds every fourth question odd."""
    wrong = person == "eve" and place % 3 == 0
    return {
        "appropriate": not (place % 4 == 0 and person != "ann"),
        "relevant": True,
        "contradicts": contradictory(inquiry) != wrong,
    }


def talk(store: Repository, tournament: str, mode: Mode, turns: int, seconds: float) -> tuple[str, BotSpec]:
    """A person's chat with a bot, from the first word to the end."""
    stored = store.find(tournament)
    desk, info, who = (
        Chats(store),
        chats_of.home(stored, store.bots(stored.id)),
        chats_of.person("Ann"),
    )
    bot = info.bots[0]
    start = chats_of.opening(who, bot, mode)
    partners = Partners()
    for turn in range(turns):
        if turn == 0:
            chats_of.begin(desk, info, start, "hello", 1.0)
        else:
            chats_of.speak(desk, wanted(desk, start.key), f"Tell me more, {turn}.")
        chat = wanted(desk, start.key)
        chats_of.answer(desk, chat, partners.ask(bot, chats_of.request(chat, bot)))
    key = chats_of.finish(desk, wanted(desk, start.key), who, bot, seconds)
    partners.close()
    assert key is not None
    return key, bot


def wanted(desk: Chats, key: str) -> Any:
    result = desk.get(key)
    assert result is not None
    return result


def asked(records: Iterable[Record]) -> list[tuple[Record, Inquiry]]:
    return [(r, i) for r in records for i in r.inquiries if i.kind == "wh" and i.distance == 0 and i.answer]


@pytest.fixture
def tables(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> tuple[dict[str, Any], list[Record]]:
    store = play.store(tmp_path)
    tournament, _ = play.play(store, play.text(play.STEADY, play.MOODY, turns=6, dialogues=4))
    chosen = tournament.info.id
    records = list(store.records(chosen))
    labels = [
        Label(inquiry.id, "inquiry", "aih", person, says(person, place, inquiry), seconds=4.0)
        for place, (_, inquiry) in enumerate(asked(records))
        for person in PEOPLE
    ]
    natural, bot = talk(store, chosen, Mode.NATURAL, 6, 120.0)
    expert, _ = talk(store, chosen, Mode.EXPERT, 5, 60.0)
    short, _ = talk(store, chosen, Mode.EXPERT, 2, 5.0)  # too short to count
    for person in ("ann", "bob"):
        labels += [
            Label(f"{natural}:{index}", "message", "reply", person, {"inconsistent": index == 3}, seconds=2.0)
            for index in (1, 3, 5)
        ]
    for key, person, score in (
        (expert, "ann", 0.25),
        (expert, "bob", 0.75),
        (natural, "ann", 1.0),
        (short, "ann", 0.0),
    ):
        labels.append(Label(key, "dialogue", "session", person, {"score": score}))
    Labels(store).put(labels, 0.0)
    with pytest.raises(SystemExit) as stop:
        words = ["validate", "aih", "--tournament", chosen, "--db", f"sqlite:///{tmp_path / 'arena.db'}"]
        main([*words, "--judge", "truth", "--json"])
    assert not stop.value.code
    document = json.loads(capsys.readouterr().out)
    assert document["table_2"] == {
        "people": {"ann": {bot.name: 0.25}, "bob": {bot.name: 0.75}},
        "mean": {bot.name: 0.5},
    }
    return document, records


def test_every_table(tables: tuple[dict[str, Any], list[Record]]) -> None:
    result, records = tables
    items = list(enumerate(asked(records)))
    by_pair: dict[tuple[str, str], list[tuple[int, Inquiry]]] = defaultdict(list)
    for place, (record, inquiry) in items:
        by_pair[record.speaker, record.tested].append((place, inquiry))
    votes = {
        place: sum(says(person, place, inquiry)["contradicts"] for person in PEOPLE) > 1
        for place, (_, inquiry) in items
    }
    for (speaker, tested), own in by_pair.items():
        rate = mean(contradictory(inquiry) for _, inquiry in own if judged(inquiry))
        assert result["table_3"]["machine"][speaker][tested] == pytest.approx(rate, abs=1e-6)
        answers = mean(votes[place] for place, _ in own)
        assert result["table_3"]["people"][speaker][tested] == pytest.approx(answers, abs=1e-6)
        asked_each = len(own) / 4  # four dialogues per pair
        assert result["table_5"]["questions"][speaker][tested] == pytest.approx(asked_each)
        odd = mean(sum(says(p, place, i)["appropriate"] for p in PEOPLE) > 1 for place, i in own)
        assert result["table_6"][speaker][tested] == pytest.approx(odd, abs=1e-6)
    for tested in ("moody", "steady"):
        column = [result["table_3"]["machine"][speaker][tested] for speaker in ("moody", "steady")]
        assert result["table_3"]["machine"]["mean"][tested] == pytest.approx(mean(column), abs=1e-6)
    assert (
        result["table_3"]["machine"]["mean"]["steady"] == 0.0 < result["table_3"]["machine"]["mean"]["moody"]
    )


def test_seconds_and_contradictions(tables: tuple[dict[str, Any], list[Record]]) -> None:
    result, records = tables
    four = result["table_4"]
    machine, people, chats = four["AIH (machine)"], four["AIH (people)"], four["people and bots"]
    assert machine["seconds_to_create"] == pytest.approx(mean(r.seconds or 0.0 for r in records), abs=1e-6)
    spent = [v.seconds for r in records for v in r.verdicts]
    assert all(seconds is not None and seconds > 0 for seconds in spent)
    assert 0 < machine["seconds_to_judge"] < machine["seconds_to_create"] + 60
    labelled = {record.key for record, _ in asked(records)}
    assert people["seconds_to_judge"] == pytest.approx(4.0 * len(asked(records)) / len(labelled), abs=1e-6)
    wrong = sum(contradictory(inquiry) for _, inquiry in asked(records))
    assert machine["contradictions"] == pytest.approx(wrong / len(records), abs=1e-6)
    assert people["contradictions"] == pytest.approx(wrong / len(labelled), abs=1e-6)
    assert chats == {"seconds_to_create": 120.0, "seconds_to_judge": 6.0, "contradictions": 1.0}
    assert result["paper"]["table_4"]["people and bots"]["seconds_to_create"] == 246


def test_the_machine_and_each_person_against_the_vote(tables: tuple[dict[str, Any], list[Record]]) -> None:
    result, records = tables
    items = list(enumerate(asked(records)))
    judged_items = sum(judged(inquiry) for _, (_, inquiry) in items)
    assert 0 < judged_items < len(items)
    assert set(result["table_7"]) == {"0.1", "0.15", "0.3", "0.5"}
    for row in result["table_7"].values():  # the judge knows, and two of three people are always right
        assert row["f1"] == 1.0 and row["pearson"] == pytest.approx(1.0) and row["n"] == judged_items
    own = [(place, inquiry) for place, (record, inquiry) in items if record.tested == "moody"]
    truth = [float(contradictory(inquiry)) for _, inquiry in own]
    eve = [float(says("eve", place, inquiry)["contradicts"]) for place, inquiry in own]
    expected = mean((1.0, 1.0, correlation(eve, truth)))
    assert result["table_8"]["moody"] == pytest.approx(expected, abs=1e-5)
    assert result["paper"]["table_8"]["BL"] == 0.818
