"""The page Releases: what it preselects, what it says of unchanged bots, and what changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import ui
from arena.stats.comparison import Change, Verdict
from tests.support import tournaments as play
from tests.ui import listed
from tests.ui.conftest import Played
from ui import config_diff

APP = Path(ui.__file__).with_name("app.py")


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("ARENA_UI_STATE", str(tmp_path / "state"))


def releases(monkeypatch: pytest.MonkeyPatch, db: str) -> AppTest:
    monkeypatch.setenv("ARENA_DB", db)
    test = AppTest.from_file(str(APP), default_timeout=60)
    test.run()
    test.switch_page("views/releases.py").run()
    assert not test.exception, test.exception[0].message
    return test


def test_the_two_newest_that_compare_are_chosen(
    own: Played, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # a newer tournament of other bots, asked otherwise, is passed over
    play.play(own.store, play.text("  - {name: other, adapter: scripted}", release="r3"))
    test = releases(monkeypatch, own.url)
    assert test.multiselect[0].value == [own.first, own.second]
    table = next(one.value for one in test.dataframe if "Verdict" in one.value).set_index("Bot")
    assert table.loc["steady", "Verdict"].startswith("unchanged")
    assert table.loc["moody", "Verdict"].split(":")[0] in ("better", "unclear", "same")
    changed = next(one for one in listed.plain(test) if "Key" in one)
    assert list(changed["Key"]) == ["bots.moody.settings.fickleness"]
    assert list(changed["Before"]) == ["0.3"] and list(changed["After"]) == ["0.05"]


def test_an_unchanged_bot_has_no_interval_on_the_slope_chart(
    own: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ui import charts

    drawn: list[dict[str, object]] = []
    slopes = charts.slopes
    monkeypatch.setattr(charts, "slopes", lambda rows, names: drawn.extend(rows) or slopes(rows, names))
    releases(monkeypatch, own.url)
    assert any("low" in row for row in drawn if row["bot"] == "moody")
    assert not any("low" in row for row in drawn if row["bot"] == "steady")


def test_differences_are_named_by_key() -> None:
    a = {"turns": 5, "bots": [{"name": "x", "identity": "1", "settings": {"top_p": 0.9}}], "release": "a"}
    b = {"turns": 6, "bots": [{"name": "x", "identity": "2", "settings": {}}], "release": "b"}
    assert [(c.key, c.before, c.after) for c in config_diff.changes(a, b)] == [
        ("bots.x.settings.top_p", "0.9", ""),
        ("turns", "5", "6"),
    ]
    assert config_diff.changes(a, {**a, "release": "c"}) == []


def change(delta: float, detectable: float, verdict: Verdict = Verdict.UNCLEAR) -> Change:
    return Change("x", 0.3, 0.3 + delta, delta, -1, 1, 0.5, detectable, verdict, (), 0, 200)


def test_more_dialogues_are_named_where_they_would_tell() -> None:
    assert change(0.05, 0.10).more_dialogues == 300  # half the error needs four times as many
    assert change(0.0, 0.10).more_dialogues is None
    assert change(0.2, 0.10).more_dialogues is None
    assert change(0.05, 0.10, Verdict.SAME).more_dialogues is None
    assert change(0.05, float("nan")).more_dialogues is None
