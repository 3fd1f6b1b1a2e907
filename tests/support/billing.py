"""A chat server that bills every call when it arrives, in a thread of its own."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

from tests.bots.local_server import Answer, Call, completion, serve


@dataclass
class Billing:
    """What it charged, and when it should do what."""

    tokens: int = 1000  # written in each call
    answer: Callable[[int, Any], Answer | bytes | None] = lambda _n, _json: None
    seconds: float = 0.0  # that each call takes
    port: int = 0
    calls: int = 0
    billed_tokens: int = 0
    seen: list[str] = field(default_factory=list)  # the whole text of each call that was billed

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def cost(self, price_out: float = 2.0) -> float:
        return self.billed_tokens * price_out / 1e6

    async def handle(self, call: Call) -> Answer | bytes:
        self.calls += 1
        number = self.calls
        special = self.answer(number, call.json)
        if special is not None and not isinstance(special, bytes) and special[0] != 200:
            return special  # a refusal costs nothing
        self.billed_tokens += self.tokens
        asked = json.dumps([call.json["messages"], call.json.get("seed")])
        self.seen.append(asked)
        if self.seconds:
            await asyncio.sleep(self.seconds)
        dogs = crc32(asked.encode()) % 997 + 2  # the same answer to the same question
        text = f"I have {dogs} dogs and I live in Rome."
        return special or completion(text, usage={"prompt_tokens": 0, "completion_tokens": self.tokens})


@contextmanager
def billing(**settings: Any) -> Iterator[Billing]:
    server = Billing(**settings)
    ready, over = threading.Event(), threading.Event()

    def run() -> None:
        async def main() -> None:
            async with serve(server.handle) as listening:
                server.port = listening.port
                ready.set()
                await asyncio.get_running_loop().run_in_executor(None, over.wait)

        asyncio.run(main())

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield server
    finally:
        over.set()
        thread.join(10)
