"""The key of a service is sent, and appears nowhere else."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
import traceback
from pathlib import Path

import pytest
from pyarrow import parquet

from arena.core.errors import InputError
from bots import registry
from bots.openai import adapter
from tests.bots.local_server import Answer, Call, completion, ok, serve
from tests.bots.served import CANARY, request


def test_an_unset_key_is_named() -> None:
    given = {"model": "m", "base_url": "http://host/v1", "api_key_env": "NOBODY_SETS_THIS"}
    with pytest.raises(InputError, match="NOBODY_SETS_THIS"):
        registry.create(registry.spec("served", "openai", given))


async def test_the_key_is_sent_and_shown_nowhere(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Servers that echo the key in every way they can; all that leaves the adapter is searched for it."""
    monkeypatch.setenv("CANARY_KEY", CANARY + "\n")
    caplog.set_level(logging.DEBUG)

    async def handle(call: Call) -> Answer | bytes:
        assert call.headers["authorization"] == f"Bearer {CANARY}"
        text = call.json["messages"][-1]["content"]
        if text == "reply":
            return completion(f"your key is {CANARY}!")
        if text == "garbage":
            return 200, {}, f"<html>{CANARY}".encode()
        if text == "half":
            return f"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{CANARY}".encode()
        return ok({"error": {"message": f"Incorrect API key provided: {CANARY}"}}, int(text))

    texts = ["reply", "garbage", "half", "400", "401", "404", "422", "429", "500"]
    spec_settings = {"model": "m", "api_key_env": "CANARY_KEY", "retries": 1, "backoff": 0.0}
    async with serve(handle) as server:
        spec = registry.spec("served", "openai", spec_settings | {"base_url": f"{server.url}/v1"})
        bot = registry.create(spec)
        replies = await bot.reply([request(text) for text in texts])
        seen = [repr(bot), repr(vars(bot)), repr(spec), json.dumps(dict(adapter.describe(spec.settings)))]
        await bot.close()
    assert len([reply for reply in replies if reply.error]) == len(texts) - 1
    for reply in replies:
        seen += [repr(reply), str(reply.error)]
        if reply.error is not None:
            seen.append(
                "".join(
                    traceback.TracebackException.from_exception(reply.error, capture_locals=True).format()
                )
            )
    seen.append(caplog.text)
    assert "your key is ***!" in replies[0].text
    assert len(caplog.text) > 100  # the logs were looked into
    assert not [text for text in seen if CANARY in text]


TOURNAMENT = """
turns: 3
dialogues_per_pair: 2
bots:
  - {{name: served, adapter: openai, model: m, base_url: "{url}/v1", api_key_env: CANARY_KEY, backoff: 0}}
  - {{name: barred, adapter: openai, model: barred, base_url: "{url}/v1", api_key_env: CANARY_KEY, backoff: 0}}
inquirer: {{entities: rules, questions: rules}}
judges: [lexical]
"""

COMMANDS = """
import json, logging, sys, traceback
from arena.cli import main
logging.basicConfig(level=logging.DEBUG)
codes = []
for words in json.loads(sys.argv[1]):
    try:
        main(words)
    except SystemExit as stop:
        codes.append(stop.code or 0)
    except Exception:
        traceback.print_exc()
        codes.append(-1)
sys.stderr.flush()
print()
print(json.dumps(codes))
"""


async def test_a_whole_tournament_keeps_the_key_to_itself(tmp_path: Path) -> None:
    """Database, exports, output and logs of runs that succeed, fail and show their traces."""

    async def handle(call: Call) -> Answer:
        if call.json["model"] == "barred":
            return ok({"error": {"message": f"Incorrect API key provided: {CANARY}"}}, 401)
        if len(server.calls) % 5 == 0:
            return ok({"error": f"{CANARY} was seen too often"}, 500)
        return completion(f"My name is Anna and I live in Rome, number {len(server.calls)}. Key: {CANARY}.")

    environment = os.environ | {"CANARY_KEY": CANARY, "ARENA_DB": "sqlite:///arena.db"}
    received = b""

    async def arena(*commands: list[str]) -> list[int]:
        nonlocal received
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", COMMANDS, json.dumps(commands)),
            cwd=tmp_path,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        out = (await process.communicate())[0]
        received += out
        codes: list[int] = json.loads(out.splitlines()[-1])
        return codes

    async with serve(handle) as server:
        (tmp_path / "t.yaml").write_text(TOURNAMENT.format(url=server.url))
        assert await arena(["--debug", "run", "t.yaml", "--release", "r1"]) == [
            1
        ]  # barred's dialogues failed
        forms = ("jsonl", "csv", "html", "parquet")
        codes = await arena(
            *(["export", "r1", "--format", form, "--out", f"out.{form}"] for form in forms),
            ["leaderboard", "r1", "--json"],
            ["bots", "describe", "served", "--file", "t.yaml", "--json"],
            ["--debug", "bots", "try", "barred", "--file", "t.yaml"],
            ["doctor", "--json"],
        )
    assert codes[:6] == [0] * 6
    assert b"Key: ***" in (tmp_path / "out.jsonl").read_bytes()
    columns = parquet.read_table(tmp_path / "out.parquet").to_pydict()
    assert "Key: ***" in str(columns) and CANARY not in str(columns)
    assert all(call.headers["authorization"].endswith(CANARY) for call in server.calls)
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) >= 3
    assert not [path for path in files if CANARY.encode() in path.read_bytes()]
    assert CANARY.encode() not in received
