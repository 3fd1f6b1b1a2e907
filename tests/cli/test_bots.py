from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from arena.cli import app
from arena.config.resolve import parse
from arena.core.errors import InputError
from bots.base import Reply, ReplyRequest
from bots.echo import Echo


def call(*arguments: str, input: str | None = None) -> Result:
    return CliRunner().invoke(app, arguments, input=input)


def facts(*arguments: str) -> Any:
    result = call(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


FILE = """
bots:
  - {name: parrot, adapter: echo}
  - {name: liar, adapter: scripted, fickleness: 0.5}
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "t.yaml"
    path.write_text(FILE)
    return str(path)


def test_list_names_adapters_and_the_demos_bots(file: str) -> None:
    names = {row["name"]: row for row in facts("bots", "list")["bots"]}
    assert {"hf", "echo", "scripted", "smollm2", "qwen"} <= set(names)
    assert set(names["hf"]) == {"name", "adapter", "available", "detail"}
    assert [row["name"] for row in facts("bots", "list", "--file", file)["bots"]] == ["parrot", "liar"]
    assert "parrot" in call("bots", "list", "--file", file).stdout


def test_describe_shows_a_bot_of_a_file_and_an_adapter_with_settings(file: str) -> None:
    assert facts("bots", "describe", "liar", "--file", file)["settings"]["fickleness"] == 0.5
    assert facts("bots", "describe", "scripted", "--set", "fickleness=0.2")["settings"]["fickleness"] == 0.2


def test_describe_shows_the_keys_of_an_adapter() -> None:
    document = facts("bots", "describe", "openai")
    keys = {key["name"]: key for key in document["keys"]}
    assert keys["model"]["required"] and keys["decoding.max_tokens"]["default"] == 128
    assert document["example"].startswith("- {name: mine, adapter: openai, model:")
    entry = document["example"] + "\n"
    assert parse(f"bots:\n{entry}inquirer: false\njudges: [truth]\n").bots[0].name == "mine"
    for name in ("hf", "http", "parlai", "human", "echo", "scripted", "faulty"):
        text = call("bots", "describe", name).stdout
        assert "Example: - {name: mine" in text and "persona, knowledge, resources, isolate" in text


def test_a_key_that_a_section_does_not_have_names_those_that_it_has() -> None:
    given = ("--set", "model=m", "--set", "base_url=http://127.0.0.1:1/v1")
    result = call("bots", "describe", "openai", *given, "--set", "decoding.max_new_tokens=60")
    assert "'decoding.max_new_tokens'" in str(result.exception) and "max_tokens" in str(result.exception)
    entry = "{name: a, adapter: openai, model: m, base_url: 'http://h/v1', decoding: {max_new_tokens: 6}}"
    with pytest.raises(InputError, match="max_tokens"):
        parse(f"bots: [{entry}]")


def test_one_grammar_names_a_bot_everywhere(file: str, tmp_path: Path) -> None:
    assert facts("bots", "describe", f"{file}:liar")["settings"]["fickleness"] == 0.5
    assert facts("bots", "describe", "{adapter: scripted, fickleness: 0.2}")["settings"]["fickleness"] == 0.2
    assert facts("bots", "describe", "smollm2")["settings"]["model"].startswith("embedded:")


def test_try_and_chat_tell_the_bot_who_it_is_and_what_it_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    reply = Echo.reply

    async def listening(self: Echo, requests: Sequence[ReplyRequest]) -> list[Reply]:
        seen.extend(requests)
        return await reply(self, requests)

    monkeypatch.setattr(Echo, "reply", listening)
    for persona, expected in (("[I am Bo., I am Cy.]", "I am Bo."), ("library", None)):
        bot = f"{{adapter: echo, persona: {persona}, knowledge: It rains.}}"
        call("bots", "try", bot)
        call("bots", "chat", bot, input="hello\n\n")
        assert len(seen) == 4 and {r.knowledge for r in seen} == {"It rains."}
        assert {r.persona for r in seen} == {expected} if expected else all(r.persona for r in seen)
        seen.clear()


def test_describe_shows_format_device_and_number_type(folder: str) -> None:
    document = facts("bots", "describe", "hf", "--set", f"model={folder}", "--set", "decoding.top_p=0.5")
    assert (document["format"], document["device"], document["settings"]["decoding"]["top_p"]) == (
        "chat",
        "cpu",
        0.5,
    )
    assert document["dtype"] in ("bfloat16", "float32")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> str:
    from tests.bots import tiny

    return str(tiny.llama(tmp_path_factory.mktemp("model") / "chat", 3))


def test_try_is_three_exchanges_and_a_timing(folder: str) -> None:
    document = facts("bots", "try", "hf", "--set", f"model={folder}", "--set", "decoding.max_new_tokens=5")
    assert len(document["exchanges"]) == 3
    assert document["replies_per_second"] > 0 and document["load_seconds"] > 0
    echoed = call("bots", "try", "echo").stdout
    assert echoed.count("echo: ") == 3


def test_chat_answers_until_an_empty_line() -> None:
    result = call("bots", "chat", "echo", input="good day\n\x1b[31mred\n\n")
    assert "echo: good day" in result.stdout
    assert "\x1b[31m" not in result.stdout.replace("you: \x1b[31mred", "")


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (("try", "ecko"), "echo"),
        (("try", "smollm2", "--set", "memory=2"), "adapter"),
        (("describe", "scripted", "--set", "fickleness"), "KEY=VALUE"),
        (("describe", "scripted", "--set", "ficklenes=1"), "ficklenes"),
    ],
)
def test_mistakes_are_said_in_one_sentence(arguments: tuple[str, ...], part: str) -> None:
    result = call("bots", *arguments)
    assert isinstance(result.exception, InputError)
    assert part in str(result.exception)


def test_models_are_listed_with_their_terms() -> None:
    rows = {row["name"]: row for row in facts("models", "list")["models"]}
    assert rows["smollm2-135m"]["licence"] == "Apache-2.0"
    assert rows["gemma3-270m"]["terms"].startswith("https://ai.google.dev")
    assert "smollm2-135m" in call("models", "list").stdout
    assert isinstance(call("models", "fetch", "gemma").exception, InputError)


def test_fetching_what_is_here_says_so() -> None:
    result = call("models", "fetch", "smollm2-135m")
    assert result.exit_code == 0
    assert "embedded:smollm2-135m" in result.stdout and "Apache-2.0" in result.stderr


def test_bench_measures_a_part() -> None:
    assert facts("bench", "--only", "stability", "--quick")["stability_seconds"] > 0
    assert "stability_seconds" in call("bench", "--only", "stability", "--quick").stdout
