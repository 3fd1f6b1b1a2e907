"""Compression bombs, as servers send them: memory beyond what was there, and for how long the event loop stood still.

MEGABYTES is what each unpacks to (default 2000).
"""

from __future__ import annotations

import asyncio
import os

from tests.bots.local_server import Answer, Call, completion, serve
from tests.faults.test_hostile_servers import ENCODINGS, MB, ask, bomb, memory, reason, watched


def main() -> None:
    asyncio.run(_measured(int(os.environ.get("MEGABYTES", "2000"))))


async def _measured(megabytes: int) -> None:
    answers: list[Answer] = [completion("hi")]

    async def handle(_: Call) -> Answer:
        return answers[-1]

    async with serve(handle) as server:
        await ask(server.url)
        print(f"idle: {memory('VmRSS') // MB} MB", flush=True)
        for encoding in ENCODINGS:
            body = bomb(encoding.count("gzip") or 1, megabytes)
            answers.append((200, {"Content-Encoding": encoding}, body))
            with watched() as seen:
                reply = await ask(server.url)
            facts = f"{seen['bytes'] / MB:.1f} MB, the loop stood still for {seen['seconds']:.3f} s at most"
            print(f"{encoding}, {len(body):,} bytes: {facts}; {reason(reply)}", flush=True)
