"""The openai adapter keeps to its rate, also with a crowd of dialogues."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.base import Reply
from tests.bots.local_server import Server
from tests.bots.served import ask, kind, request
from tests.bots.test_limits import busiest


@pytest.fixture
def timing_server() -> Iterator[subprocess.Popen[str]]:
    """A process of its own, so that the arrival times are not the client's."""
    process = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("local_server.py"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    yield process
    process.kill()
    process.wait()


async def crowd(
    process: subprocess.Popen[str], many: int, rate: float
) -> tuple[list[Reply], list[float], float]:
    assert process.stdout is not None and process.stdin is not None
    server = Server(kind, port=int(process.stdout.readline()))
    begin = time.monotonic()
    replies = await ask(
        server,
        *(request(str(n), seed=n, dialogue=str(n)) for n in range(many)),
        rate_limit=rate,
        max_concurrency=1000,
    )
    seconds = time.monotonic() - begin
    process.stdin.close()
    return replies, json.loads(process.stdout.readline()), seconds


async def test_a_crowd_keeps_to_the_rate(timing_server: subprocess.Popen[str]) -> None:
    replies, arrivals, _ = await crowd(timing_server, 130, 50)
    assert [reply.text for reply in replies] == [f"you said {n}" for n in range(130)]
    assert len(arrivals) == 130 and busiest(arrivals) <= 50


@pytest.mark.slow
async def test_a_thousand_dialogues_keep_to_the_rate(timing_server: subprocess.Popen[str]) -> None:
    replies, arrivals, seconds = await crowd(timing_server, 1000, 50)
    assert [reply.text for reply in replies] == [f"you said {n}" for n in range(1000)]
    assert len(arrivals) == 1000 and busiest(arrivals) <= 50
    print(f"busiest second {busiest(arrivals)}, {1000 / seconds:.1f} replies/s")
