"""One grammar names a bot in commands, in judges and in question writers."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.cli import named
from arena.core.errors import InputError
from bots import naming
from inquirer import build
from judges import registry as judges


def test_an_adapter_and_a_mapping_are_entries() -> None:
    assert naming.entry("echo") == {"adapter": "echo"}
    assert naming.spec("echo").name == "echo"
    spec = naming.spec({"adapter": "scripted", "name": "ann", "fickleness": 0.3})
    assert (spec.name, spec.settings["fickleness"]) == ("ann", 0.3)
    assert naming.spec({"adapter": "scripted"}, label="asked").name == "asked"


def test_a_model_is_a_folder_or_embedded_and_takes_the_defaults(tmp_path: Path) -> None:
    assert naming.entry("embedded:some-model") == {"adapter": "hf", "model": "embedded:some-model"}
    assert naming.is_model(str(tmp_path)) and not naming.is_model("echo")
    assert naming.entry(str(tmp_path))["model"] == str(tmp_path)


def test_a_folder_called_like_an_adapter_is_not_a_model(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "echo").mkdir()
    assert naming.entry("echo") == {"adapter": "echo"}


def test_an_entry_without_an_adapter_says_whose_it_is() -> None:
    with pytest.raises(InputError, match=r"The bot of the judge 'x' needs an `adapter`"):
        naming.spec({"model": "m"}, "the judge 'x'")


@pytest.mark.parametrize("given", ["echo", {"adapter": "echo"}])
def test_commands_judges_and_writers_mean_the_same_bot(given: object) -> None:
    text = given if isinstance(given, str) else "{adapter: echo}"
    identity = named.bot(text).identity
    judge = judges.create("asked", "llm", {"bot": given})
    assert judge.bot.identity == identity  # type: ignore[attr-defined]
    writer = build({"entities": "rules", "questions": {"use": "llm", "bot": given}}).writers[0]
    assert writer.revision.endswith(identity)
