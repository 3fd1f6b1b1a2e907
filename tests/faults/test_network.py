"""Served bots that misbehave in every way, in a real tournament over a real wire: each failure has its name."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from db.health import examine
from tests.support.tournaments import play, store, text

REPLY = "I have two dogs and I live in Rome."
BODY = json.dumps({"choices": [{"message": {"role": "assistant", "content": REPLY}}], "text": REPLY}).encode()
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: "


def whole(body: bytes) -> bytes:
    return HEAD + str(len(body)).encode() + b"\r\n\r\n" + body


ANSWERS: dict[str, bytes] = {
    "sound": whole(BODY),
    "huge": whole(BODY.replace(b"Rome", b"Rome " * 2_000_000)),
    "long": whole(BODY.replace(b"Rome", b"Rome " * 20_000)),
    "invalid": whole(BODY.replace(b"Rome", b"R\xff\xfeome")),
    "surrogate": whole(BODY.replace(b"Rome", b"\\ud83d")),
    "controls": whole(BODY.replace(b"Rome", b"\\u001b[2J")),
    "cut": HEAD + b"900\r\n\r\n" + BODY[:20],
    "babble": b"SSH-2.0-OpenSSH_9.2\r\n",
    "nothing": b"",
}
REASONS = {
    "huge": "bad_answer",
    "long": "too_long",
    "surrogate": "invalid_text",
    "controls": "control_characters",
    "cut": "broken_answer",
    "babble": "broken_answer",
    "nothing": "broken_answer",
    "silent": "timeout",
    "trickling": "timeout",
}


class Misbehaving:
    """Answers as the path says: /huge/v1/chat/completions with 10 MB, /silent with nothing, ever."""

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = int(head.partition("content-length: ")[2].split()[0])
            await reader.readexactly(length)
            name = head.split()[1].split("/")[1]
            if name == "silent":
                await self.over.wait()
            elif name == "trickling":
                writer.write(HEAD + b"1000000\r\n\r\n")
                while not self.over.is_set():
                    writer.write(b" ")
                    await writer.drain()
                    await asyncio.sleep(0.01)
            else:
                writer.write(ANSWERS[name])
                await writer.drain()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def serve(self) -> None:
        self.over = asyncio.Event()
        server = await asyncio.start_server(self.talk, "127.0.0.1", 0, backlog=256)
        self.port = server.sockets[0].getsockname()[1]
        self.loop = asyncio.get_running_loop()
        self.ready.set()
        async with server:
            await self.over.wait()

    def __enter__(self) -> str:
        self.ready = threading.Event()
        self.thread = threading.Thread(target=lambda: asyncio.run(self.serve()))
        self.thread.start()
        self.ready.wait()
        return f"http://127.0.0.1:{self.port}"

    def __exit__(self, *_: object) -> None:
        self.loop.call_soon_threadsafe(self.over.set)
        self.thread.join()


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with Misbehaving() as collected:
        yield collected


ADAPTERS = {
    "openai": 'adapter: openai, model: m, base_url: "{url}/{name}/v1"',
    "http": 'adapter: http, url: "{url}/{name}"',
}


def bot(adapter: str, url: str, name: str) -> str:
    seconds = 0.3 if REASONS.get(name) == "timeout" else 60
    where = ADAPTERS[adapter].format(url=url, name=name)
    return f"  - {{name: {name}, {where}, timeout: {seconds}, retries: 0}}"


@pytest.mark.parametrize("adapter", ADAPTERS)
def test_every_misbehaviour_has_its_name_and_hurts_nobody_else(
    adapter: str, url: str, tmp_path: Path
) -> None:
    names = ["sound", "invalid", *REASONS]
    bots = [bot(adapter, url, name) for name in names]
    pairs = json.dumps([["sound", name] for name in names])
    source = text(*bots, turns=2, dialogues=2, more=f"limits: {{retries: 0}}\npairs: {pairs}")
    repository = store(tmp_path)
    tournament, tally = play(repository, source)
    result = {record.tested: record for record in repository.records(tournament.info.id)}
    assert {name: record.reason for name, record in result.items()} == {
        name: REASONS.get(name) for name in names
    }
    assert (tally.played, tally.failed) == (2 * len(names), 2 * len(REASONS))
    assert result["sound"].messages[1].text == REPLY
    assert result["invalid"].messages[1].text == REPLY.replace("Rome", "R\ufffd\ufffdome")
    assert all(check.ok for check in examine(repository))
