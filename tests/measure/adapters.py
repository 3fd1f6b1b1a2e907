"""Bots from elsewhere: the wire, the rate, ParlAI's batches, llama.cpp against the hf engine."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from bots import registry, weights
from bots.base import Line, Reply, ReplyRequest, RunOptions
from tests.bots.local_server import completion, serve
from tests.bots.test_limits import busiest
from tests.measure.engine import SERVER

WORDS = "a in like my you we dog cat house rome oslo very big small old car music food play red friend"


def text(words: int, *seed: object) -> str:
    return " ".join(random.Random(str(seed)).choices(WORDS.split(), k=words))


def history(number: int, messages: int = 9) -> tuple[Line, ...]:
    """About 230 tokens at the default length."""
    return tuple(Line(text(18, number, n), mine=bool(n % 2)) for n in range(messages))


async def ask(bot: Any, requests: list[ReplyRequest]) -> list[Reply]:
    replies = [reply for (reply,) in await asyncio.gather(*(bot.reply([request]) for request in requests))]
    for reply in replies:
        if reply.error:
            raise reply.error
    return replies


def tell(name: str, **figures: Any) -> None:
    print(json.dumps({"measured": name, **figures}), flush=True)


async def wire() -> None:
    async def kind(_: Any) -> Any:
        return completion("hi there")

    async with serve(kind) as server:
        settings = {"model": "m", "base_url": f"{server.url}/v1", "max_concurrency": 64}
        bot = registry.create(registry.spec("served", "openai", settings))
        begin = time.perf_counter()
        await ask(bot, [ReplyRequest(str(n), history(n), n) for n in range(2000)])
        seconds = time.perf_counter() - begin
        await bot.close()
    tell("openai without limits, client and server in one process", replies_per_second=round(2000 / seconds))


async def rate() -> None:
    script = Path(__file__).parents[1] / "bots" / "local_server.py"
    process = subprocess.Popen(
        [sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdin is not None and process.stdout is not None
    url = f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    settings = {"model": "m", "base_url": url, "max_concurrency": 1000, "rate_limit": 50}
    bot = registry.create(registry.spec("served", "openai", settings))
    begin = time.perf_counter()
    await ask(bot, [ReplyRequest(str(n), history(n, 1), n) for n in range(1000)])
    seconds = time.perf_counter() - begin
    await bot.close()
    process.stdin.close()
    arrivals = json.loads(process.stdout.readline())
    process.wait()
    tell("1,000 at rate_limit 50", busiest_second=busiest(arrivals), per_second=round(1000 / seconds, 1))


async def parlai() -> None:
    from tests.bots.parlai_training import train

    with tempfile.TemporaryDirectory() as folder:
        begin = time.perf_counter()
        with contextlib.redirect_stderr(io.StringIO()):
            model = str(train(Path(folder)))
        seconds = time.perf_counter() - begin
        decoding = {"inference": "nucleus", "topp": 0.9}
        spec = registry.spec("p", "parlai", {"model": model, "decoding": decoding})
        figures = {}
        for size in (1, 8, 32):
            bot = registry.create(spec, RunOptions(batch=size))
            requests = [ReplyRequest(str(n), history(n, 5), n) for n in range(320)]
            figures[f"replies_per_second_{size}"] = round(320 / await timed(bot, requests))
            await bot.close()
        tell(
            "parlai, a transformer/generator trained here, nucleus",
            training_seconds=round(seconds, 1),
            **figures,
        )


async def timed(bot: Any, requests: list[ReplyRequest]) -> float:
    begin = time.perf_counter()
    await ask(bot, requests)
    return time.perf_counter() - begin


def processor(process: int | None) -> float:
    """Processor seconds of this process and one other: free of what else the machine does."""
    own = sum(os.times()[:2])
    if process is None:
        return own
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return own + (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def llama(streams: int = 16, turns: int = 1) -> None:
    """The same work for both: new histories of about 230 tokens, then turns with an inquiry each; 32 tokens a reply."""
    import torch

    threads = torch.get_num_threads()
    file = weights.need("smollm2-135m")
    for name in ("llama.cpp", "hf"):
        process = None
        if name == "hf":
            settings = {
                "model": "embedded:smollm2-135m",
                "decoding": {"max_new_tokens": 32, "min_new_tokens": 32},
            }
            bot = registry.create(registry.spec("b", "hf", settings), RunOptions(batch=streams))
        else:
            process = subprocess.Popen(
                [sys.executable, "-c", SERVER, str(file), str(streams), str(threads), "1024"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            assert process.stdout is not None
            settings = {
                "model": "m",
                "base_url": f"{process.stdout.readline().strip()}/v1",
                "max_concurrency": streams,
                "timeout": 3600,
                "decoding": {"max_tokens": 32},
                "body": {"ignore_eos": True, "cache_prompt": True},
            }
            bot = registry.create(registry.spec("b", "openai", settings))
        await ask(bot, [ReplyRequest("warm", history(-1, 1), 0)])
        pid = process.pid if process else None
        begin, used = time.perf_counter(), processor(pid)
        held = [history(n) for n in range(streams)]
        replies = await ask(bot, [ReplyRequest(str(n), lines, n) for n, lines in enumerate(held)])
        report(f"{name}, new histories", streams, begin, used, pid, threads)
        begin, used = time.perf_counter(), processor(pid)
        for turn in range(turns):
            held = [
                (*lines, Line(reply.text, True), Line(text(18, n, turn), False))
                for n, (lines, reply) in enumerate(zip(held, replies, strict=True))
            ]
            replies = await ask(bot, [ReplyRequest(str(n), lines, n) for n, lines in enumerate(held)])
            asked = [
                (*lines, Line(reply.text, True), Line(f"{text(10, n, turn)}?", False))
                for n, (lines, reply) in enumerate(zip(held, replies, strict=True))
            ]
            await ask(bot, [ReplyRequest(str(n), lines, n, fork=True) for n, lines in enumerate(asked)])
        report(f"{name}, kept histories", 2 * turns * streams, begin, used, pid, threads)
        await bot.close()
        if process is not None:
            process.kill()
            process.wait()


def report(name: str, many: int, begin: float, used: float, pid: int | None, threads: int) -> None:
    tell(
        name,
        threads=threads,
        replies_per_second=round(many / (time.perf_counter() - begin), 2),
        replies_per_processor_second=round(many / (processor(pid) - used), 2),
    )


def main() -> None:
    asyncio.run(wire())
    asyncio.run(rate())
    asyncio.run(parlai())
    try:
        import xllamacpp  # noqa: F401
    except ImportError:
        print("llama.cpp's server is not installed: pip install xllamacpp")
    else:
        asyncio.run(llama())
