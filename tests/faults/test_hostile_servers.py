"""Servers that attack whoever asks them: compression bombs, echoes of the key, JSON without a bottom, bad TLS."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import ssl
import subprocess
import time
import tracemalloc
import urllib.parse
import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from arena.core.errors import BotError, BotRefused
from arena.core.safe_text import clean
from bots import registry, unpack
from bots.base import Line, Reply, ReplyRequest
from bots.unpack import BadPacking, TooLong
from tests.bots.local_server import Answer, Call, completion, ok, serve

KEY = "sk-canary/5f2e9b71+c0ffee"
MB = 1 << 20


async def ask(url: str, **settings: Any) -> Reply:
    given = {"model": "m", "base_url": f"{url}/v1", "backoff": 0.0, "retries": 0, **settings}
    bot = registry.create(registry.spec("served", "openai", given))
    try:
        (reply,) = await bot.reply([ReplyRequest("d", (Line("hello", mine=False),), 7)])
    finally:
        await bot.close()
    return reply


def reason(reply: Reply) -> str | None:
    return reply.error.reason if isinstance(reply.error, BotError) else None


# ── compression ───────────────────────────────────────────────────────────────────────────────────


def bomb(layers: int, megabytes: int = 200) -> bytes:
    packer = zlib.compressobj(9, wbits=31)
    body = b"".join([*(packer.compress(bytes(MB)) for _ in range(megabytes)), packer.flush()])
    for _ in range(layers - 1):
        body = gzip.compress(body)
    return body


ENCODINGS = ["gzip", "gzip, gzip", "deflate", "br", "zstd", "gzip;q=1"]


def memory(what: str) -> int:
    """Bytes of this process as the kernel counts them: VmRSS is now, VmHWM the most since it was forgotten."""
    line = next(one for one in Path("/proc/self/status").read_text().splitlines() if one.startswith(what))
    return int(line.split()[1]) << 10


def own_time() -> float:
    """Seconds, but for those in which this thread waited for a processor that others had."""
    try:
        waited = int(Path("/proc/thread-self/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        waited = 0.0
    return time.monotonic() - waited


@contextmanager
def watched() -> Iterator[dict[str, float]]:
    """For how long the loop stood still, and how much memory was taken beyond what was there."""
    seen = {"seconds": 0.0}

    async def watch() -> None:
        while True:
            before = own_time()
            await asyncio.sleep(0)
            seen["seconds"] = max(seen["seconds"], own_time() - before)

    Path("/proc/self/clear_refs").write_text("5")
    idle = memory("VmRSS")
    watcher = asyncio.create_task(watch())
    try:
        yield seen
    finally:
        watcher.cancel()
        seen["bytes"] = max(0, memory("VmHWM") - idle)


@pytest.mark.parametrize("encoding", ENCODINGS)
async def test_a_compression_bomb_costs_neither_memory_nor_time(encoding: str) -> None:
    packed = bomb(encoding.count("gzip") or 1)
    headers = {"Content-Encoding": encoding}

    async def handle(_: Call) -> Answer:
        return 200, headers, packed

    async with serve(handle) as server:
        tracemalloc.start()
        try:
            with watched() as seen:
                reply = await ask(server.url)
        finally:
            peak = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
        assert server.calls[0].headers["accept-encoding"] == "identity"
    assert reason(reply) == "bad_answer"
    assert peak < 32 * MB
    assert seen["bytes"] < 200 * MB
    assert seen["seconds"] < 0.5


@pytest.mark.parametrize("kind", ["tail", "empty blocks", "another stream"])
async def test_what_comes_after_a_packed_answer_is_not_collected(kind: str) -> None:
    """zlib keeps all that follows a stream's end, and a stream may go on without saying anything."""
    packer = zlib.compressobj(wbits=31)
    begun = packer.compress(b"{}")
    begun += packer.flush(zlib.Z_SYNC_FLUSH if kind == "empty blocks" else zlib.Z_FINISH)
    piece = {"tail": b"x", "empty blocks": b"\0\0\0\xff\xff", "another stream": begun}[kind] * 1000
    sent = 0

    async def parts() -> AsyncIterator[bytes]:
        nonlocal sent
        yield begun
        while sent < 64 * MB:
            sent += len(piece)
            yield piece

    with pytest.raises((TooLong, BadPacking)):
        await unpack.body(parts(), "gzip")
    assert sent <= 2 * MB + len(piece)


@pytest.mark.parametrize(
    ("encoding", "pack"),
    [("gzip", gzip.compress), ("deflate", zlib.compress), ("identity", bytes), ("GZIP", gzip.compress)],
)
async def test_an_answer_packed_once_is_read(encoding: str, pack: Callable[[bytes], bytes]) -> None:
    async def handle(_: Call) -> Answer:
        status, _headers, body = completion("hi there")
        return status, {"Content-Encoding": encoding}, pack(body)

    async with serve(handle) as server:
        reply = await ask(server.url)
    assert reply.text == "hi there"


async def test_a_packed_answer_that_is_cut_is_named() -> None:
    async def handle(_: Call) -> Answer:
        return 200, {"Content-Encoding": "gzip"}, gzip.compress(completion("hi")[2])[:-9]

    async with serve(handle) as server:
        reply = await ask(server.url)
    assert reason(reply) == "bad_answer" and "unpacked" in str(reply.error)


# ── the key ───────────────────────────────────────────────────────────────────────────────────────

FORMS: dict[str, Callable[[str], str]] = {
    "raw": str,
    "unicode escapes": lambda key: "".join(f"\\u{ord(c):04x}" for c in key),
    "capital escapes": lambda key: "".join(f"\\u{ord(c):04X}" for c in key),
    "escaped slash": lambda key: key.replace("/", "\\/"),
    "url": lambda key: urllib.parse.quote(key, safe=""),
    "every character as in a url": lambda key: "".join(f"%{ord(c):02X}" for c in key),
    "base64": lambda key: base64.b64encode(key.encode()).decode(),
    "base64 of the header": lambda key: base64.urlsafe_b64encode(f"Bearer {key}".encode()).decode(),
    "html": lambda key: "".join(f"&#{ord(c)};" for c in key),
    "html by names": lambda key: key.replace("/", "&sol;").replace("+", "&amp;plus;").replace("&", "&amp;"),
    "with letters that nobody sees": "\u200b".join,
}


def decoded(text: str) -> list[str]:
    """The text, and what somebody would find in it who tries every decoding."""
    import codecs
    import html
    import re

    result = [text, urllib.parse.unquote(text), html.unescape(text), text.replace("\\/", "/"), clean(text)]
    for _ in range(3):
        result.append(html.unescape(result[-1]))
    result.append(re.sub(r"\\+u00([0-9a-fA-F]{2})", lambda m: chr(int(m[1], 16)), text))
    for word in re.findall(r"[A-Za-z0-9+/_=-]{16,}", text):
        for start in range(4):
            part = word.rstrip("=")[start:].translate(str.maketrans("-_", "+/"))
            raw = base64.b64decode(part[: len(part) // 4 * 4])
            result.append(codecs.decode(raw, "latin-1"))
    return result


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("where", ["reply", "not json", "error", "error text", "escaped twice"])
async def test_the_key_comes_back_in_no_form(form: str, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CANARY_KEY", KEY)
    echoed = FORMS[form](KEY)

    async def handle(_: Call) -> Answer:
        if where == "reply":  # the form stands in the JSON's own text: what decodes to the key is the key
            body = b'{"choices":[{"message":{"content":"it is %s !"}}]}' % echoed.encode()
            return 200, {}, body
        if where == "escaped twice":
            return completion(f"it is {json.dumps(echoed, ensure_ascii=False)} !")
        if where == "error":
            return 418, {}, b'{"error": {"message": "wrong key: %s !"}}' % echoed.encode()
        return (418 if where == "error text" else 200), {}, f"<html>{echoed}</html>".encode()

    async with serve(handle) as server:
        reply = await ask(server.url, api_key_env="CANARY_KEY")
    sentence = reply.text if reply.error is None else str(reply.error)
    assert "***" in sentence
    for text in (sentence, repr(reply), json.dumps(sentence)):
        assert not [each for each in decoded(text) if KEY in each], text


# ── JSON and TLS ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "body", [b"[" * 100_000, b'{"choices":' * 100_000, b'{"usage": ' + b"9" * 5000 + b"}"]
)
@pytest.mark.parametrize("status", [200, 400])
async def test_json_without_a_bottom_is_the_servers_fault(body: bytes, status: int) -> None:
    async def handle(_: Call) -> Answer:
        return status, {}, body

    async with serve(handle) as server:
        reply = await ask(server.url)
    assert isinstance(reply.error, BotError) and "RecursionError" not in str(reply.error)
    assert reply.error.reason == ("bad_answer" if status == 200 else "refused")


@pytest.mark.parametrize("count", [10**400, -1, True, "7", 1.5, None])
async def test_a_number_no_counter_holds_is_not_a_count(count: object) -> None:
    async def handle(_: Call) -> Answer:
        usage = {"prompt_tokens": count, "completion_tokens": 1}
        return ok({"choices": [{"message": {"content": "hi"}}], "usage": usage})

    async with serve(handle) as server:
        reply = await ask(server.url, price_in=1.0)
    assert reply.text == "hi" and reply.facts["tokens_estimated"] and 0 < reply.cost < 1


async def test_a_certificate_nobody_trusts_is_named(tmp_path: Path) -> None:
    files = [str(tmp_path / name) for name in ("key.pem", "cert.pem")]
    try:
        subprocess.run(
            [
                "openssl",
                "req",
                "-x509",
                "-newkey",
                "rsa:2048",
                "-nodes",
                "-days",
                "1",
                "-subj",
                "/CN=example",
                "-keyout",
                files[0],
                "-out",
                files[1],
            ],
            check=True,
            capture_output=True,
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("openssl is not installed: it makes the certificate")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(files[1], files[0])

    async def talk(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(talk, "127.0.0.1", 0, ssl=context)
    port = server.sockets[0].getsockname()[1]
    try:
        reply = await ask(f"https://127.0.0.1:{port}", retries=3)
    finally:
        server.close()
    assert isinstance(reply.error, BotRefused) and reply.error.reason == "tls"
    assert "certificate" in str(reply.error) and "is the server running" not in str(reply.error)


async def test_a_server_without_tls_behind_https_is_named() -> None:
    async def handle(_: Call) -> Answer:
        return completion("hi")

    async with serve(handle) as server:
        reply = await ask(server.url.replace("http://", "https://"), retries=3)
    assert isinstance(reply.error, BotRefused) and reply.error.reason == "tls"
