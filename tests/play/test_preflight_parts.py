"""What a tournament needs is looked for before anything is played."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.config.resolve import parse
from arena.core.errors import MissingPart
from arena.core.missing import combined, remedies
from arena.play.preflight import check, problems
from tests.support import plugin

EVERYTHING_ABSENT = """
turns: 2
bots:
  - {name: away, adapter: absent, model: a}
  - {name: steady, adapter: scripted}
inquirer: {entities: absent, questions: [rules, absent]}
judges: [truth, {name: strange, judge: absent, model: b}]
"""


def test_all_that_is_missing_is_told_at_once_with_one_line_to_type(tmp_path: Path) -> None:
    with plugin.installed(tmp_path):
        tournament = parse(EVERYTHING_ABSENT)
        sentences = list(problems(tournament))
        assert [sentence.split("'")[1] for sentence in sentences] == ["away", "absent", "absent", "strange"]
        with pytest.raises(MissingPart) as error:
            check(tournament)
    one_line = "arena models fetch absent && arena models fetch extractor && arena models fetch writer"
    assert str(error.value).startswith("4 parts are missing.") and str(error.value).endswith(one_line)


def test_models_that_are_missing_are_told_together(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Already when the file is read, because a bot's identity covers its weights."""
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    file = """
bots:
  - {name: a, adapter: hf, model: "embedded:qwen2.5-coder-0.5b"}
  - {name: b, adapter: hf, model: "embedded:qwen2.5-coder-1.5b"}
inquirer: {entities: rules}
"""
    commands = "arena models fetch qwen2.5-coder-0.5b && arena models fetch qwen2.5-coder-1.5b"
    with pytest.raises(MissingPart, match=commands):
        parse(file)


def test_a_tournament_whose_parts_are_here_passes() -> None:
    check(parse("bots: [{name: steady, adapter: scripted}]"))


@pytest.mark.parametrize(
    ("sentence", "commands"),
    [
        ("Run 'arena models fetch stanza-en', or use 'entities: rules'.", ["arena models fetch stanza-en"]),
        ("Fetch it with `arena models fetch x`.", ["arena models fetch x"]),
        ("Missing: pip install 'consistency-arena[spacy]'.", ["pip install 'consistency-arena[spacy]'"]),
        ("It needs streamlit: pip install streamlit.", ["pip install streamlit"]),
        ("Run 'pip install --no-deps name==3.8.0', or other.", ["pip install --no-deps name==3.8.0"]),
        ("Nothing to type.", []),
    ],
)
def test_commands_are_found_in_sentences(sentence: str, commands: list[str]) -> None:
    assert remedies(sentence) == commands
    assert str(combined([sentence])) == sentence
