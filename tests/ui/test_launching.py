"""What the launch page remembers, and what it shows of runs that it did not start."""

from __future__ import annotations

from pathlib import Path

import pytest
import streamlit as st
import yaml
from streamlit.testing.v1 import AppTest

import ui
from bots.library import characters
from tests.support import tournaments as play
from tests.ui import listed
from ui import bot_form, live
from ui.saved import Saved

APP = Path(ui.__file__).with_name("app.py")


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARENA_UI_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("ARENA_UI_LAUNCH", "1")
    monkeypatch.setenv("ARENA_DB", f"sqlite:///{tmp_path / 'arena.db'}")


def launch(**parameters: str) -> AppTest:
    test = AppTest.from_file(str(APP), default_timeout=60)
    test.run()
    test.switch_page("views/launch.py")
    for key, value in parameters.items():
        test.query_params[key] = value
    test.run()
    assert not test.exception, test.exception[0].message
    return test


def test_the_form_is_as_it_was_left(tmp_path: Path) -> None:
    test = launch()
    next(one for one in test.text_input if one.label == "Release tag").set_value("kept").run()
    next(one for one in test.text_input if one.label == "Name").set_value("first bot").run()
    again = launch()  # another visit: nothing but the file remembers
    assert next(one for one in again.text_input if one.label == "Release tag").value == "kept"
    assert [one.value for one in again.text_input if one.label == "Name"] == ["first bot", "moody"]
    assert next(one for one in again.number_input if one.label == "fickleness").value == 0.0
    assert Saved(tmp_path / "state").draft()["bots"][1]["fickleness"] == 0.3


def test_saved_bots_come_back(tmp_path: Path) -> None:
    saved = Saved(tmp_path / "state")
    saved.keep_bot({"name": "nurse", "adapter": "hf", "model": "embedded:smollm2-135m", "persona": "library"})
    saved.keep_bot({"name": "echo", "adapter": "echo"})
    assert set(saved.bots()) == {"nurse", "echo"}
    test = launch()
    next(one for one in test.selectbox if one.label == "Saved bots").set_value("nurse").run()
    next(one for one in test.button if one.label == "Add it").click().run()
    assert not test.exception
    drafted = saved.draft()["bots"]
    assert drafted[-1] == {
        "name": "nurse",
        "adapter": "hf",
        "model": "embedded:smollm2-135m",
        "persona": "library",
    }
    saved.forget_bot("nurse")
    assert set(saved.bots()) == {"echo"}


def test_a_persona_of_the_library_is_chosen_by_its_text(tmp_path: Path) -> None:
    saved = Saved(tmp_path / "state")
    saved.keep_draft({"bots": [{"name": "nurse", "adapter": "hf", "model": "embedded:smollm2-135m"}]})
    test = launch()
    next(one for one in test.radio if one.label == "Persona").set_value(bot_form.SHIPPED).run()
    shown = next(one for one in test.selectbox if one.label == "From the library")
    assert characters()[16].split()[0] in shown.options[16] and len(shown.options) == len(characters())
    shown.set_value("library:17").run()
    assert not test.exception
    assert saved.draft()["bots"][0]["persona"] == "library:17"
    again = launch()
    assert next(one for one in again.selectbox if one.label == "From the library").value == "library:17"


def test_what_is_missing_is_asked_for_in_the_forms_words(tmp_path: Path) -> None:
    Saved(tmp_path / "state").keep_draft({"bots": [{"name": "nurse", "adapter": "hf"}]})
    text = " ".join(str(one.proto.body) for one in launch().get("html"))
    assert (
        "Choose a model for &#x27;nurse&#x27;." in text
        and "line" not in text.partition("Choose a model")[2][:60]
    )


def test_the_estimate_rests_on_what_the_same_bots_took_here(tmp_path: Path) -> None:
    source = play.text(turns=4, dialogues=2, release="earlier")
    Saved(tmp_path / "state").keep_draft({"bots": yaml.safe_load(source)["bots"]})
    assert "usual rates of each adapter" in " ".join(one.value for one in launch().caption)
    play.play(play.store(tmp_path), source)
    st.cache_data.clear()
    shown = " ".join(one.value for one in launch().caption)
    assert "The time follows what 8 earlier dialogues in this database took" in shown


def test_the_typed_name_of_an_embedded_model_is_that_model(tmp_path: Path) -> None:
    saved = Saved(tmp_path / "state")
    saved.keep_draft({"bots": [{"name": "nurse", "adapter": "hf", "model": "smollm2-135m"}]})
    test = launch()
    assert saved.draft()["bots"][0]["model"] == "embedded:smollm2-135m"
    adapters = next(one for one in test.selectbox if one.label == "Adapter").options
    assert adapters[0].startswith("hf ") and not any(name.startswith("human") for name in adapters)


def test_an_interviewer_can_talk_with_every_bot(tmp_path: Path) -> None:
    test = launch()
    assert "pairs" not in Saved(tmp_path / "state").draft()
    next(one for one in test.radio if one.label == "Who talks with whom").set_value("interviews").run()
    assert not test.exception and Saved(tmp_path / "state").draft()["pairs"] == "interviews"
    shown = " ".join(str(one.proto.body) for one in test.get("html"))
    assert "<td>interviewer</td>" in shown  # among the bots whose calls are estimated
    again = launch()
    assert next(one for one in again.radio if one.label == "Who talks with whom").value == "interviews"


def test_embedded_language_models_are_offered() -> None:
    assert "embedded:smollm2-135m" in bot_form.embedded()
    assert not any("mpnet" in name for name in bot_form.embedded())  # an encoder cannot talk


def test_a_tournament_from_the_shell_is_among_the_runs(tmp_path: Path) -> None:
    play.play(play.store(tmp_path), play.text(dialogues=4), limit=3)
    test = launch(view="Runs")
    shown = " ".join(str(one.proto.body) for one in test.get("html"))
    assert "interrupted" in shown
    assert any("3 of 16 dialogues" in one.proto.text for one in test.get("progress"))


def test_a_tournament_that_a_shell_has_finished_is_among_the_runs(tmp_path: Path) -> None:
    play.play(play.store(tmp_path), play.text(dialogues=2))
    test = launch(view="Runs")
    finished = listed.table(test)
    assert list(finished["Finished"]) == ["r1"] and list(finished["Dialogues"]) == ["8"]


def test_speed_is_taken_from_what_was_seen() -> None:
    assert live.speed([(0.0, 3)], 10, 29) is None
    assert live.speed([(0.0, 3), (5.0, 3)], 10, 29) is None
    pace = live.speed([(0.0, 3), (30.0, 9), (60.0, 15)], 12, 30)
    assert pace is not None
    assert pace.dialogues_per_minute == pytest.approx(12)
    assert pace.replies_per_second == pytest.approx(6)
    assert pace.seconds_left == pytest.approx(60)
