"""Bots of the openai adapter on a server of this machine."""

from __future__ import annotations

from typing import Any

from bots import registry
from bots.base import Line, Reply, ReplyRequest, RunOptions
from tests.bots.local_server import Answer, Call, Server, completion

CANARY = "sk-canary-5f2e9b71c0ffee"


def request(
    text: str = "hello", seed: int = 7, dialogue: str = "d", history: tuple[Line, ...] = ()
) -> ReplyRequest:
    return ReplyRequest(dialogue, (*history, Line(text, mine=False)), seed)


def bot_for(server: Server, run: RunOptions | None = None, **settings: Any) -> Any:
    given = {"model": "m", "base_url": f"{server.url}/v1", "backoff": 0.0, **settings}
    return registry.create(registry.spec("served", "openai", given), run or RunOptions())


async def ask(
    server: Server, *requests: ReplyRequest, run: RunOptions | None = None, **settings: Any
) -> list[Reply]:
    bot = bot_for(server, run, **settings)
    try:
        return await bot.reply(requests or (request(),))
    finally:
        await bot.close()


async def kind(_: Call) -> Answer:
    return completion(" hi there ")
