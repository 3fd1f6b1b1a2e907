"""What `arena bench` says of replies: 32 and 64 dialogues at once, growth with the turns, eight bits."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable
from typing import Any


def say(sentence: str) -> None:
    print(f"   {sentence}", flush=True)


def show(name: str, work: Awaitable[dict[str, Any]]) -> None:
    async def whole() -> dict[str, Any]:
        return await work

    print(f"{name}: {json.dumps(asyncio.run(whole()))}", flush=True)


def main() -> None:
    from arena.bench import generation

    show("32 dialogues", generation.replies(False, say, 32))
    show("64 dialogues", generation.replies(False, say, 64))
    show("growth", generation.growth(False, say))
    show("int8", generation.int8(False, say))
