"""Findings, questions of one's own and the practice round on the pages, shown without a browser."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import ui
from arena.core.types import Check
from arena.labelling import own
from arena.labelling import work as labelling
from arena.labelling.schemas import SCHEMAS
from arena.results.checks import view_of
from arena.stats.leaderboard import leaderboard
from db.finding_desk import parse_subject
from db.labels import Labels
from tests.support import findings
from tests.ui import listed
from tests.ui.conftest import Played
from ui.words import percent

APP = Path(ui.__file__).with_name("app.py")
OWN = """\
name: manners
about: inquiry
title: Manners
questions:
  - {name: tone, ask: "Which tone does the answer have?", answers: [warm, neutral, cold], keys: wnk}
  - {name: rude, ask: "Is it rude?", answers: [yes, no]}
practice:
  - {said: I love dogs., asked: "What do you love?", answered: "Guess!", right: {tone: cold, rude: yes}, why: Rude.}
"""


@pytest.fixture
def judged(own: Played) -> Played:
    for judge in (0, 1):
        findings.add(own.store, own.first, judge=judge)
    findings.add(own.store, own.first, Check.PERSONA)
    return own


def shown(monkeypatch: pytest.MonkeyPatch, db: str, page: str, folder: Path, **parameters: str) -> AppTest:
    monkeypatch.setenv("ARENA_DB", db)
    monkeypatch.setenv("ARENA_UI_STATE", str(folder / "state"))
    test = AppTest.from_file(str(APP), default_timeout=120)
    test.run()
    test.switch_page(f"views/{page}.py")
    for name, value in parameters.items():
        test.query_params[name] = value
    return ran(test)


def ran(test: AppTest) -> AppTest:
    test.run()
    assert not test.exception, test.exception[0].message
    return test


def page_text(test: AppTest) -> str:
    kinds = ("html", "title", "subheader", "caption")
    return "\n".join(
        str(one.value if kind != "html" else one.proto.body) for kind in kinds for one in test.get(kind)
    )


def press(test: AppTest, ending: str) -> AppTest:
    """The button whose key ends so."""
    next(b for b in test.button if b.key and b.key.endswith(ending)).click()
    return ran(test)


def test_a_message_is_labelled_by_two_questions(
    judged: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    door = shown(monkeypatch, judged.url, "label", tmp_path, tournament=judged.first)
    assert list(door.radio[0].options) == [
        "Inquiries: does the answer contradict what was said? (AIH)",
        "Messages: do they contradict what the bot said, its persona or its knowledge?",
    ]
    test = shown(
        monkeypatch, judged.url, "label", tmp_path, tournament=judged.first, rater="Ann", form="finding"
    )
    words = page_text(test)
    assert "Are both statements about the speaker?" in words and "The bot said later" in words
    assert not any(name in words for name in ("steady", "moody", "fickle", "truth"))
    press(test, "_about_speaker_1")
    press(test, "_contradicts_5")
    [label] = Labels(judged.store).of(judged.first, "finding")
    assert {"about_speaker": True, "contradicts": False}.items() <= label.values.items()
    assert {"earlier", "later"} <= set(label.values) and label.drawn is not None
    item = labelling.desk(judged.store, labelling.FINDING).item(label.subject)
    assert item is not None and item.stored.items() <= label.values.items()
    assert not any(b.key and b.key.startswith(label.subject) for b in test.button)  # the next item shows


def test_nothing_to_compare_says_how_to_get_it(
    own: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = shown(monkeypatch, own.url, "label", tmp_path, tournament=own.first, rater="Ann", form="finding")
    assert "no check has compared a message" in page_text(test)


def test_a_practice_round_gives_feedback_and_stores_nothing(
    own: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = shown(
        monkeypatch, own.url, "label", tmp_path, tournament=own.first, rater="Ann", form="aih", practice="1"
    )
    assert "item 1 of 6" in page_text(test) and "daycare" in page_text(test)
    for ending in ("appropriate_1", "relevant_4", "contradicts_8"):
        press(test, ending)
    assert "Not quite." in page_text(test) and "contradicts: the right answer is “Yes”" in page_text(test)
    press(test, "contradicts_7")
    assert "Right." in page_text(test)
    press(test, "next")
    assert "item 2 of 6" in page_text(test)
    test.query_params["practice"] = "7"
    assert "You gave 3 of 3 answers as they should be." in page_text(ran(test))
    press(test, "begin_real")
    assert "It was asked" in page_text(test) and "practice" not in test.query_params
    assert Labels(own.store).of() == []


def test_questions_of_ones_own_are_asked_stored_and_counted(
    own: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from arena.results.agreement import compute

    form = owned(own)
    for person, key in (("Ann", "w"), ("Bob", "k")):
        test = shown(
            monkeypatch, own.url, "label", tmp_path, tournament=own.first, rater=person, form="manners"
        )
        assert "Which tone does the answer have?" in page_text(test)
        queue = labelling.queue(labelling.desk(own.store, form).waiting(own.first), labelling_task(own))
        test.query_params["item"] = queue[0]
        ran(test)
        press(test, f"_tone_{key}")
        press(test, "_rude_2")
    labels = Labels(own.store).of(own.first, "manners")
    assert [dict(label.values) for label in labels] == [
        {"tone": "warm", "rude": False},
        {"tone": "cold", "rude": False},
    ]
    stored = own.store.find(own.first)
    result = compute(own.store, stored, "tone", form)
    assert (result.people.n, result.people.items, result.people.share_unanimous) == (2, 1, 0.0)
    assert compute(own.store, stored, "rude", form).people.share_unanimous == 1.0
    organiser = shown(monkeypatch, own.url, "organiser", tmp_path, tournament=own.first, form="manners")
    table = next(d.value for d in organiser.dataframe if "Unanimous" in d.value).set_index("Question")
    assert table.loc["tone", "Unanimous"] == "0.0%" and table.loc["rude", "Unanimous"] == "100.0%"
    people = next(d.value for d in organiser.dataframe if "Person" in d.value).set_index("Person")
    assert list(people["Items"]) == [1, 1] and people.loc["Ann", "As the others"] == "0%"


def owned(own_database: Played):  # type: ignore[no-untyped-def]
    engine = own_database.store
    own.add(engine, own.parse(OWN), 1.0)
    return own.schemas(engine)["manners"]


def labelling_task(own_database: Played):  # type: ignore[no-untyped-def]
    return labelling.desk(own_database.store, SCHEMAS["aih"]).task(own_database.first)


def test_the_organiser_settles_messages_side_by_side(
    judged: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = labelling.desk(judged.store, labelling.FINDING)
    subject = desk.waiting(judged.first)[0].subject
    for person, key in (("Ann", "4"), ("Bob", "5")):
        test = shown(
            monkeypatch, judged.url, "label", tmp_path,
            tournament=judged.first, rater=person, form="finding", item=subject,
        )  # fmt: skip
        press(test, "_about_speaker_1")
        press(test, f"_contradicts_{key}")
    test = shown(monkeypatch, judged.url, "organiser", tmp_path, tournament=judged.first, form="finding")
    [split] = listed.rows(test)["facts"]
    assert split == "tied | yes: Ann | no: Bob"
    [item] = listed.rows(test)["item"]
    settled = shown(
        monkeypatch, judged.url, "organiser", tmp_path, tournament=judged.first, form="finding", item=item
    )  # a link to one disagreement
    press(settled, "_True")
    assert listed.rows(settled)["facts"][0] == "decided: yes | yes: Ann | no: Bob"


def test_a_transcript_draws_links_between_messages(
    judged: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = next(r for r in judged.store.records(judged.first) if len(r.messages) > 6)
    bad = next(
        v
        for v in record.message_verdicts
        if v.check is Check.HISTORY and (v.judgement.contradiction or 0) > v.tau
    )
    subject = f"{record.key}:{bad.message}:history"
    test = shown(
        monkeypatch, judged.url, "transcripts", tmp_path,
        tournament=judged.first, dialogue=record.key, finding=subject,
    )  # fmt: skip
    words = page_text(test)
    other = bad.judgement.evidence["message"]
    assert f"contradicts message {other}" in words and f"contradicted by message {bad.message}" in words
    assert f'class="turn linked first" data-index="{other}"' in words
    assert f'class="turn linked last" data-index="{bad.message}"' in words
    assert "contradicts its persona" in words
    press(test, "go_o")
    assert test.query_params["to"] == str(other)
    wrong = shown(
        monkeypatch, judged.url, "transcripts", tmp_path,
        tournament=judged.first, dialogue=record.key, finding=f"{record.key}:99:history",
    )  # fmt: skip
    assert "This dialogue has no finding" in page_text(wrong)


def test_transcripts_list_messages_by_check(
    judged: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    test = shown(
        monkeypatch, judged.url, "transcripts", tmp_path,
        tournament=judged.first, check="history", says="contradicts", judge="truth", tested="fickle",
    )  # fmt: skip
    rows = listed.rows(test)
    assert {"It had said", "Then it said"} <= set(rows) and len(rows)
    assert rows["facts"].str.contains("fickle with ").all() and (listed.scores(rows) > 0.5).all()


def test_the_leaderboard_ranks_by_messages_under_a_check(
    judged: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = {"tournament": judged.first, "judge": "truth"}
    inquiries = shown(monkeypatch, judged.url, "leaderboard", tmp_path, **link)
    assert "Inquiries" in listed.table(inquiries)
    field = next(box for box in inquiries.selectbox if box.label == "Check")
    messages = field.select("history").run()
    assert not messages.exception and messages.query_params["check"] == "history"
    table = listed.table(messages).set_index("Bot")
    assert "Messages" in table and not {"Inquiries", "Evasive", "Asked"} & set(table)
    assert "messages under the check history" in page_text(messages)
    expected = leaderboard(
        view_of(judged.store, judged.store.find(judged.first), Check.HISTORY, "truth").inquiries,
        0.5,
        kind=None,
        distance=None,
    )
    rates = {s.bot: percent(s.rate) for s in expected.standings if s.inquiries}
    assert rates and {bot: table.loc[bot, "Rate"] for bot in rates} == rates
    for name in ("Pairs", "Stability"):
        again = shown(monkeypatch, judged.url, "leaderboard", tmp_path, check="history", view=name, **link)
        assert not again.exception


def test_a_bot_has_rates_by_check(judged: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    test = shown(
        monkeypatch, judged.url, "bot", tmp_path,
        tournament=judged.first, bot="fickle", judge="truth", check="history",
    )  # fmt: skip
    words = page_text(test)
    assert "<th>Check</th>" in words and "<td" in words and "had said" in words
    assert [b.label for b in test.button].count("Read the dialogue") == 10


def test_every_finding_of_the_queue_is_one_that_can_be_shown(judged: Played) -> None:
    desk = labelling.desk(judged.store, labelling.FINDING)
    waiting = desk.waiting(judged.first)
    assert waiting and all(desk.item(one.subject) is not None for one in waiting)
    assert {parse_subject(one.subject)[2] for one in waiting} == {Check.HISTORY, Check.PERSONA}
