"""Texts of absurd size and shape."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from arena.core.errors import InputError
from arena.exchange.imports import read
from arena.play.dialogue import play as play_one
from arena.play.guard import Guard
from arena.play.schedule import plans
from bots import registry
from bots.base import Line, Reply, ReplyRequest
from db.health import examine
from tests.support.tournaments import exported, store, text


class Says:
    def __init__(self, value: str) -> None:
        self.said = value

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        return [Reply(self.said) for _ in requests]

    async def close(self) -> None: ...


async def test_ten_megabytes_are_a_fault_with_a_name() -> None:
    from arena.config.resolve import parse

    plan = next(plans(parse(text(turns=2, inquirer="false"))))
    huge = Guard("b", Says("word " * 2_000_000), 10, 8000, 0)
    dialogue = await play_one(plan, huge, huge, None)
    assert dialogue.reason == "too_long"


async def test_a_history_of_100_000_messages_is_answered() -> None:
    from arena.config.resolve import parse

    bot = registry.create(parse(text()).bots[0])
    history = tuple(Line("I have two dogs.", mine=bool(n % 2)) for n in range(100_000))
    begun = time.monotonic()
    (reply,) = await bot.reply([ReplyRequest("d", history, 1)])
    assert reply.text and time.monotonic() - begun < 20


def test_a_log_of_100_000_messages_comes_in_and_goes_out(tmp_path: Path) -> None:
    roles = ("user", "assistant")
    messages = [{"role": roles[n % 2], "content": f"message {n}."} for n in range(100_000)]
    file = tmp_path / "long.jsonl"
    file.write_text(json.dumps({"messages": messages}))
    repository = store(tmp_path)
    ((tournament, number, new),) = read(repository, file, None)
    assert (number, new) == (1, 1)
    assert exported(repository, tournament).count('"index"') == 100_000
    assert all(check.ok for check in examine(repository))


HOSTILE = [
    "a\x00b",
    "\ud83d",
    "\x1b[2J",
    "‮abc",
    "=cmd|' /C calc'!A0",
    "<script>alert(1)</script>",
    "[bold]x[/bold]",
]


@pytest.mark.parametrize("value", HOSTILE, ids=range(len(HOSTILE)))
def test_hostile_logs_are_stored_and_come_back(value: str, tmp_path: Path, database: str) -> None:
    from db import Repository, connect

    file = tmp_path / "l.jsonl"
    file.write_text(
        json.dumps({"messages": [{"role": "user", "content": value}, {"role": "bot", "text": value}]})
    )
    repository = Repository(connect(database))
    ((tournament, _, _),) = read(repository, file, "r")
    line = json.loads(exported(repository, tournament))
    assert len(line["messages"]) == 2
    assert all(check.ok for check in examine(repository))


BROKEN = {
    "not json": ("{", "line 1: not valid JSON"),
    "second line": (
        '{"messages": [{"role": "user", "text": "a"}]}\n[1]',
        "line 2: a line must be a JSON object",
    ),
    "nothing said": ('{"messages": []}', "line 1: nobody says anything"),
    "no messages": ("{}", "needs 'messages'"),
    "message": ('{"messages": [1]}', "message 0 must be an object"),
    "no text": ('{"messages": [{"role": "user"}]}', "message 0 needs"),
    "three": (
        '{"messages": [{"bot":"a","text":"x"},{"bot":"b","text":"x"},{"bot":"c","text":"x"}]}',
        "3 parties",
    ),
    "empty": ("\n\n", "is empty"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_logs_name_the_line_and_store_nothing(name: str, tmp_path: Path) -> None:
    source, sentence = BROKEN[name]
    file = tmp_path / "b.jsonl"
    file.write_text(source)
    repository = store(tmp_path)
    with pytest.raises(InputError, match=sentence):
        read(repository, file, None)
    assert not repository.tournaments()


def test_invalid_utf_8_is_named(tmp_path: Path) -> None:
    file = tmp_path / "b.jsonl"
    good = b'{"messages": [{"role": "user", "content": "hello"}]}\n'
    file.write_bytes(good * 1000 + good.replace(b"hello", b"\xff"))
    with pytest.raises(InputError, match="line 1001: this is not UTF-8 text"):
        read(store(tmp_path), file, None)
