"""Every page, shown without a browser: full, empty, with one bot, under way."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import ui
from arena.core.types import Judgement, Label
from arena.exchange import imports
from arena.judging.runner import JudgeRunner
from arena.labelling import work as labelling
from db.labels import Labels
from judges import registry as judges
from judges.begin.protocol import label_of
from judges.begin.taxonomy import Label as Class
from tests.support import tournaments as play
from tests.ui import listed
from tests.ui.conftest import Played
from ui import charts
from ui.words import reason as reason_in_words

APP = Path(ui.__file__).with_name("app.py")
PAGES = ("leaderboard", "bot", "releases", "transcripts", "label", "organiser", "chat", "launch")


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARENA_UI_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("ARENA_UI_LAUNCH", "1")


def test_names_beside_equal_rates_are_moved_apart() -> None:
    assert charts.stacked([0.0, 0.0, 0.005, 0.3], 0.01) == pytest.approx([0.0, 0.01, 0.02, 0.3])
    rows = [{"release": r, "bot": b, "rate": 0.0, "verdict": "same"} for r in ("a", "b") for b in ("x", "y")]
    drawn = charts.slopes(rows, ["a", "b"]).to_dict()
    named = next(layer for layer in drawn["layer"] if layer["mark"]["type"] == "text")
    places = [row["place"] for row in drawn["datasets"][named["data"]["name"]]]
    assert len(places) == 2 and abs(places[1] - places[0]) > 0.02


def shown(monkeypatch: pytest.MonkeyPatch, db: str, page: str, **parameters: str) -> AppTest:
    monkeypatch.setenv("ARENA_DB", db)
    test = AppTest.from_file(str(APP), default_timeout=60)
    test.run()
    test.switch_page(f"views/{page}.py")
    for name, value in parameters.items():
        test.query_params[name] = value
    test.run()
    assert not test.exception, test.exception[0].message
    return test


def words(test: AppTest) -> str:
    """Everything that the page says."""
    kinds = ("html", "text", "title", "subheader", "caption", "markdown", "code")
    return "\n".join(
        str(one.value if kind != "html" else one.proto.body) for kind in kinds for one in test.get(kind)
    )


@pytest.mark.parametrize("page", PAGES)
def test_full(page: str, played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    test = shown(monkeypatch, played.url, page, tournament=played.first)
    assert "notice bad" not in words(test)


@pytest.mark.parametrize("page", PAGES)
def test_empty(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    output = words(shown(monkeypatch, f"sqlite:///{tmp_path / 'empty.db'}", page))
    if page == "releases":
        assert "Two judged tournaments are needed" in output
    elif page != "launch":
        assert "There is no tournament yet" in output


@pytest.mark.parametrize("page", PAGES)
def test_one_bot(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play.play(play.store(tmp_path), play.text(play.MOODY))
    output = words(shown(monkeypatch, f"sqlite:///{tmp_path / 'arena.db'}", page))
    assert "notice bad" not in output
    if page == "leaderboard":
        assert "No bot can be ranked yet." in output and "Not enough data to rank moody." in output


@pytest.mark.parametrize("page", PAGES)
def test_under_way(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = play.store(tmp_path)
    play.play(store, play.text(dialogues=4), limit=3, judge=False)
    test = shown(monkeypatch, f"sqlite:///{tmp_path / 'arena.db'}", page)
    output = words(test)
    assert "notice bad" not in output
    if page == "leaderboard":
        assert any("3 of 16 dialogues" in one.proto.text for one in test.get("progress"))
        assert "Nothing is judged yet" in output


@pytest.mark.parametrize("page", ["leaderboard", "bot"])
def test_what_is_not_judged_yet_is_told(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every dialogue is over, and the judge is still at work: the figures are not the last ones."""
    store = play.store(tmp_path)
    tournament, _ = play.play(store, play.text(dialogues=4), judge=False)
    id, url = tournament.info.id, f"sqlite:///{tmp_path / 'arena.db'}"
    judge = store.judge_id("truth", "1", 0.5)
    open_ = store.unjudged(id, judge, 0, 10_000)
    store.add_verdicts(judge, [(one.inquiry, Judgement(0.0)) for one in open_[:3]])
    assert store.waiting(id, judge) == len(open_) - 3 > 1
    shown_now = shown(monkeypatch, url, page, tournament=id)
    assert f"{len(open_) - 3} inquiries are not judged yet by truth" in words(shown_now)
    store.add_verdicts(judge, [(one.inquiry, Judgement(0.0)) for one in open_[3:]])
    assert store.waiting(id, judge) == 0
    assert "not judged yet" not in words(shown_now.run())


@pytest.mark.parametrize("page", PAGES)
def test_imported(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exported dialogues and chat logs know less of their tournament than one that was played here."""
    store = play.store(tmp_path)
    first = play.store(tmp_path, "first.db")
    tournament, _ = play.play(first, play.text(turns=4, dialogues=2))
    (tmp_path / "out.jsonl").write_text(play.exported(first, tournament.info.id))
    chat = [
        ("user", "Hello!"),
        ("assistant", "I have a dog named Rex."),
        ("user", "What is the name of your dog?"),
        ("assistant", "Its name is Rex."),
    ]
    log = {"messages": [{"role": role, "content": text} for role, text in chat]}
    (tmp_path / "log.jsonl").write_text(json.dumps(log) + "\n")
    for file in ("log.jsonl", "out.jsonl"):
        for id, *_ in imports.read(store, tmp_path / file, None):
            judge = judges.create("truth", "truth" if file == "out.jsonl" else "lexical")
            asyncio.run(JudgeRunner(store, id, judge).sweep())
            output = words(shown(monkeypatch, f"sqlite:///{tmp_path / 'arena.db'}", page, tournament=id))
            assert "notice bad" not in output


def test_tau_is_live(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    test = shown(monkeypatch, played.url, "leaderboard", tournament=played.first)
    assert listed.table(test)["Contradictions"].astype(int).sum() > 0
    test.slider[0].set_value(1.0).run()
    assert listed.table(test)["Contradictions"].astype(int).sum() == 0


@pytest.mark.parametrize("view", ["Ranking", "Pairs", "Stability", "τ and distance", "Kinds and entities"])
def test_views_of_the_leaderboard(view: str, played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    test = shown(monkeypatch, played.url, "leaderboard", tournament=played.first)
    test.query_params["view"] = view
    test.run()
    assert not test.exception


def test_what_was_not_asked_is_shown_when_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = play.store(tmp_path)
    tournament, _ = play.play(
        store, play.text(play.STEADY, "  - {name: echo, adapter: echo}", turns=5, more="on_loop: keep")
    )
    test = shown(monkeypatch, f"sqlite:///{tmp_path / 'arena.db'}", "leaderboard")
    before = len(test.dataframe)
    test.query_params["aside"] = "1"
    test.run()
    table = test.dataframe[before].value.set_index("Bot")
    assert table.loc["echo", "Degenerate dialogues"] > 0 == table.loc["steady", "Degenerate dialogues"]
    refused = [r.refused for r in store.records(tournament.info.id) if r.tested == "steady"]
    for reason in {name for one in refused for name in one}:
        assert table.loc["steady", reason_in_words(reason)] == sum(one.get(reason, 0) for one in refused)


def test_one_dialogue_by_url(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    record = next(r for r in played.store.records(played.first) if r.inquiries)
    inquiry = record.inquiries[0]
    test = shown(monkeypatch, played.url, "transcripts", dialogue=record.key, inquiry=inquiry.id)
    output = words(test)
    assert "Inquiry 1" in output and " source" in output and "fork" in output
    assert "There is no dialogue" in words(shown(monkeypatch, played.url, "transcripts", dialogue="nonsense"))


def test_filters_of_transcripts(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    parameters = {"tournament": played.first, "tested": "fickle", "judge": "truth", "says": "contradicts"}
    rows = listed.rows(shown(monkeypatch, played.url, "transcripts", **parameters))
    assert rows["facts"].str.contains("| fickle with ", regex=False).all()
    assert len(rows) and (listed.scores(rows) > 0.5).all()


def test_a_draft_is_checked_as_it_is_written(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    test = shown(monkeypatch, played.url, "launch")
    start = next(b for b in test.button if b.label == "Start")
    assert not start.disabled
    next(t for t in test.text_input if t.label == "Name").set_value("moody").run()
    assert "two bots are named" in words(test)
    assert next(b for b in test.button if b.label == "Start").disabled


def test_behind_a_proxy_nothing_is_launched(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_UI_LAUNCH", "0")
    test = shown(monkeypatch, played.url, "launch")
    assert "Launching is off" in words(test)
    assert not any(b.label == "Start" for b in test.button) and not test.text_area


def test_releases_compare(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    test = shown(monkeypatch, played.url, "releases")
    verdicts = test.dataframe[0].value.set_index("Bot")["Verdict"]
    assert verdicts["moody"].startswith(("better", "unclear")) and len(verdicts) == 3


def test_incomparable_releases_say_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = play.store(tmp_path)
    play.play(store, play.text(release="short", turns=3))
    play.play(store, play.text(release="long", turns=5))
    output = words(shown(monkeypatch, f"sqlite:///{tmp_path / 'arena.db'}", "releases"))
    assert "not comparable" in output and "numbers of turns differ" in output


def test_a_hundred_bots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    names = [
        f"  - {{name: bot {n}, adapter: scripted, sheet_seed: {n}, fickleness: {n / 100}}}"
        for n in range(100)
    ]
    pairs = "pairs: [" + ", ".join(f"['bot {n}', 'bot {(n + 1) % 100}']" for n in range(100)) + "]"
    play.play(play.store(tmp_path), play.text(*names, turns=2, dialogues=2, more=pairs))
    for page in PAGES:
        test = shown(monkeypatch, f"sqlite:///{tmp_path / 'arena.db'}", page)
        assert "notice bad" not in words(test)


KNOWING = "  - {name: informed, adapter: scripted, knowledge: 'Rome lies on the Tiber. Oslo is in Norway.'}"


def pressed(test: AppTest, key: str) -> AppTest:
    """The button behind this key of the form."""
    next(b for b in test.button if b.key and b.key.endswith(f"_{key}")).click().run()
    assert not test.exception, test.exception[0].message
    return test


def test_begins_form_asks_one_question_after_the_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = play.store(tmp_path)
    tournament, _ = play.play(store, play.text(play.STEADY, KNOWING))
    url, chosen = f"sqlite:///{tmp_path / 'arena.db'}", tournament.info.id
    door = shown(monkeypatch, url, "label", tournament=chosen)
    assert len(door.radio[0].options) == 2
    door.radio[0].set_value("begin").run()
    assert "follows from the answers" in words(door)
    test = shown(monkeypatch, url, "label", tournament=chosen, rater="Ann", form="begin")
    assert "Rome lies on the Tiber." in words(test) and "informed" not in words(test)
    asked = ["topic_5", "cooperative_4", "personal_1", "informative_5", "contradicts_1"]
    for key in asked:
        pressed(test, key)
    desk = labelling.desk(store, labelling.BEGIN)
    [subject] = [one.subject for one in desk.labels(chosen)]
    test.button(key="undo").click().run()
    pressed(test, "contradicts_2")
    [label] = Labels(store).of(chosen, "begin")
    given = {"topic": "5", "cooperative": "4", "personal": "1", "informative": "5", "contradicts": "2"}
    assert {name: label.values[name] for name in given} == given
    sentences = int(label.values["sentences"])
    pressed(test, "supported_2")
    for number in range(2, sentences + 1):
        pressed(test, f"topic_{number}_1")
        pressed(test, f"aside_{number}_2")
        pressed(test, f"cooperative_{number}_3")
        pressed(test, f"personal_{number}_5")
    [label] = Labels(store).of(chosen, "begin")
    assert label.subject == subject and label_of(label.values) is Class.HALLUCINATION
    shown_next = next(b.key for b in test.button if b.key and b.key.endswith("_topic_1"))
    assert not shown_next.startswith(subject)


def test_the_organiser_sees_begins_form(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = play.store(tmp_path)
    tournament, _ = play.play(store, play.text(play.STEADY, KNOWING))
    url, chosen = f"sqlite:///{tmp_path / 'arena.db'}", tournament.info.id
    desk = labelling.desk(store, labelling.BEGIN)
    given = {"topic": "5", "cooperative": "5", "personal": "5"}
    subjects = [one.subject for one in desk.waiting(chosen)][:4]
    for place, subject in enumerate(subjects):
        for person in ("Ann", "Bob"):
            odd = {"personal": "4"} if person == "Bob" and place == 0 else {}
            desk.answer(Label(subject, "message", "begin", person, given | odd), labelling.form_complete, 1.0)
    test = shown(monkeypatch, url, "organiser", tournament=chosen)
    assert len(test.button_group[0].options) == 2
    test.button_group[0].set_value("begin").run()
    assert not test.exception, test.exception[0].message
    table = next(d.value for d in test.dataframe if "Krippendorff α" in d.value).set_index("Question")
    assert set(table.index) == {"topic", "cooperative", "personal", "class"}
    assert table.loc["personal", "Unanimous"] == "75.0%" and table.loc["class", "Unanimous"] == "100.0%"


def test_nothing_rests_on_knowledge(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    door = shown(monkeypatch, played.url, "label", tournament=played.first)
    assert not door.radio
    test = shown(monkeypatch, played.url, "label", tournament=played.first, rater="Ann", form="begin")
    assert "was given `knowledge`" in words(test)


def test_a_bots_page_shows_its_worst_contradictions(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    test = shown(monkeypatch, played.url, "bot", tournament=played.first, bot="fickle", judge="truth")
    assert [one.label for one in test.button].count("Read the dialogue") == 10
    tables = [str(one.proto.body) for one in test.get("html") if "<th>Opponent</th>" in one.proto.body]
    assert len(tables) == 1 and all(name in tables[0] for name in ("steady", "moody", "fickle"))
    steady = words(
        shown(monkeypatch, played.url, "bot", tournament=played.first, bot="steady", judge="truth")
    )
    assert "No inquiry of this bot lies above τ." in steady


def test_all_failed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tournament whose dialogues all failed says so, and nothing else."""
    store = play.store(tmp_path)
    text = play.text("  - {name: broken, adapter: faulty, raises: 1.0}", more="limits: {retries: 0}")
    play.play(store, text)
    for page in PAGES:
        output = words(shown(monkeypatch, f"sqlite:///{tmp_path / 'arena.db'}", page))
        if page == "leaderboard":
            assert "Every dialogue failed" in output and "No bot" not in output
        if page == "transcripts":
            assert "failed" in output
