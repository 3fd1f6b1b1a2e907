"""The address of a page is its state: what is chosen stands in it, what it says is chosen."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import ui
from tests.ui import listed
from tests.ui.conftest import Played

APP = Path(ui.__file__).with_name("app.py")


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, played: Played) -> None:
    monkeypatch.setenv("ARENA_UI_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("ARENA_DB", played.url)


def page(name: str, **parameters: str) -> AppTest:
    test = AppTest.from_file(str(APP), default_timeout=60)
    test.run()
    test.switch_page(f"views/{name}.py")
    for key, value in parameters.items():
        test.query_params[key] = value
    test.run()
    assert not test.exception, test.exception[0].message
    return test


def stands(test: AppTest, name: str) -> str:
    given = test.query_params[name]
    return given if isinstance(given, str) else given[-1]


def field(test: AppTest, label: str) -> object:
    widgets = [*test.selectbox, *test.text_input, *test.slider, *test.toggle]
    return next(one for one in widgets if one.label == label)


def test_a_choice_is_written_into_the_address(played: Played) -> None:
    test = page("transcripts", tournament=played.first)
    field(test, "Verdict").set_value("contradicts").run()  # type: ignore[attr-defined]
    assert stands(test, "says") == "contradicts" and stands(test, "tournament") == played.first
    field(test, "Text").set_value("bank").run()  # type: ignore[attr-defined]
    assert stands(test, "text") == "bank"
    rows = listed.rows(test)
    assert len(rows) and all(
        "bank" in f"{text} {asked} {answered}".lower()
        for text, asked, answered in zip(rows["Said"], rows["Asked"], rows["Answered"], strict=True)
    )
    field(test, "Verdict").set_value("any").run()  # type: ignore[attr-defined]
    assert "says" not in test.query_params  # the default is left out


def test_the_address_decides_what_is_shown(played: Played) -> None:
    test = page("transcripts", tournament=played.first, judge="lexical", tau="0.25", says="consistent")
    assert field(test, "Tournament").value == played.first  # type: ignore[attr-defined]
    assert field(test, "Judge").value == "lexical"  # type: ignore[attr-defined]
    assert field(test, "τ: contradiction above").value == 0.25  # type: ignore[attr-defined]
    scores = listed.scores(listed.rows(test))
    assert len(scores) and (scores <= 0.25).all()


@pytest.mark.parametrize("tau", ["7", "nan", "0.5.5", "x" * 100])
def test_nonsense_in_the_address_is_left_alone(tau: str, played: Played) -> None:
    test = page("transcripts", tournament=played.first, tau=tau, says="never", tested="nobody")
    assert field(test, "Verdict").value == "any"  # type: ignore[attr-defined]
    assert len(listed.rows(test))


def test_an_unknown_tournament_is_named(played: Played) -> None:
    test = page("leaderboard", tournament="doesnotexist")
    shown = " ".join(str(one.proto.body) for one in test.get("html"))
    assert (
        "There is no tournament &#x27;doesnotexist&#x27;" in shown or "no tournament 'doesnotexist'" in shown
    )
    test = page("transcripts", tournament=played.first, judge="nobody")
    shown = " ".join(str(one.proto.body) for one in test.get("html"))
    assert "has judged this tournament" in shown


def pressed(test: AppTest, label: str) -> AppTest:
    next(one for one in test.button if one.label == label).click().run()
    assert not test.exception, test.exception[0].message
    return test


def test_the_page_of_a_list_and_the_row_that_was_read_are_in_the_address(played: Played) -> None:
    test = page("transcripts", tournament=played.first)
    first = listed.rows(test)
    second = listed.rows(pressed(test, "More"))
    after = stands(test, "after")
    assert not set(first["open"]) & set(second["open"]) and after == first["dialogue"].iloc[-1]
    again = page("transcripts", tournament=played.first, after=after)  # a link sent to a colleague
    assert list(listed.rows(again)["open"]) == list(second["open"])
    row = second.iloc[3]
    read = page(
        "transcripts", tournament=played.first, after=after, dialogue=row["dialogue"], inquiry=row["open"]
    )
    back = listed.rows(pressed(read, "All transcripts"))
    assert list(back["open"]) == list(second["open"])
    assert list(back[back["current"]]["open"]) == [row["open"]]
    field(read, "Verdict").set_value("contradicts").run()  # type: ignore[attr-defined]
    assert "after" not in read.query_params and "row" not in read.query_params  # another list
    assert listed.rows(pressed(test, "Back"))["open"].equals(first["open"])
    wrong = page("transcripts", tournament=played.first, after="nonsense")
    assert listed.rows(wrong)["open"].equals(first["open"])
    assert any("no such page" in str(one.proto.body) for one in wrong.get("html"))


def test_the_order_of_the_leaderboard_is_in_the_address(played: Played) -> None:
    by_rank = listed.table(page("leaderboard", tournament=played.first))
    most = listed.table(page("leaderboard", tournament=played.first, order="-Contradictions"))
    least = listed.table(page("leaderboard", tournament=played.first, order="Contradictions"))
    numbers = most["Contradictions"].astype(int)
    assert list(numbers) == sorted(numbers, reverse=True) and numbers.iloc[0] > numbers.iloc[-1]
    assert list(least["Bot"]) == list(most["Bot"])[::-1]
    nonsense = listed.table(page("leaderboard", tournament=played.first, order="-Nothing"))
    assert list(nonsense["Bot"]) == list(by_rank["Bot"]) == ["steady", "moody", "fickle"]


def test_a_fold_that_is_open_is_in_the_address(played: Played) -> None:
    shut = page("transcripts", tournament=played.first)
    assert not shut.get("html") or all('class="wide' not in str(one.proto.body) for one in shut.get("html"))
    entries = listed.table(page("transcripts", tournament=played.first, all="1"))
    assert len(entries) == 50 and set(entries["Status"]) == {"done"}


def test_the_next_and_the_previous_match_lie_in_other_dialogues_too(played: Played) -> None:
    """Forwards through every contradiction of a bot, and back again."""
    filters = {"tournament": played.first, "tested": "moody", "judge": "truth", "says": "contradicts"}
    rows = listed.rows(page("transcripts", **filters))
    assert rows["dialogue"].nunique() > 3
    test = page("transcripts", **filters, dialogue=rows["dialogue"][0], inquiry=rows["open"][0])
    seen = [stands(test, "inquiry")]
    seen += [stands(pressed(test, "Next match"), "inquiry") for _ in range(len(rows) - 1)]
    assert seen == list(rows["open"])
    assert next(one for one in test.button if one.label == "Next match").disabled
    for inquiry in seen[-2::-1]:
        assert stands(pressed(test, "Previous match"), "inquiry") == inquiry
    assert next(one for one in test.button if one.label == "Previous match").disabled


def test_choices_follow_from_page_to_page(played: Played) -> None:
    test = page("leaderboard", tournament=played.first, judge="lexical", tau="0.3")
    test.switch_page("views/bot.py")
    test.query_params["tournament"] = played.first
    test.query_params["judge"] = "lexical"
    test.query_params["tau"] = "0.3"
    test.run()
    assert field(test, "Judge").value == "lexical"  # type: ignore[attr-defined]
    assert field(test, "τ: contradiction above").value == 0.3  # type: ignore[attr-defined]
    test.switch_page("views/leaderboard.py").run()
    assert field(test, "τ: contradiction above").value in (0.3, 0.5)  # type: ignore[attr-defined]
