"""Bots of the parlai adapter, and what tests ask them."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("parlai", reason="ParlAI is not installed: pip install --no-deps parlai==1.7.2")

from bots import registry
from bots.base import Line, Reply, ReplyRequest, RunOptions


def bot_for(model: str, run: RunOptions | None = None, **settings: Any) -> Any:
    """In this process, where tests can look inside; what nobody trusts is in test_parlai_untrusted.py."""
    given = {"model": model, "trusted": True, **settings}
    return registry.create(registry.spec("p", "parlai", given), run or RunOptions())


def history(*texts: str) -> tuple[Line, ...]:
    """Partner first, then by turns."""
    return tuple(Line(text, mine=bool(n % 2)) for n, text in enumerate(texts))


async def ask(bot: Any, *requests: ReplyRequest) -> list[str]:
    replies: list[Reply] = await bot.reply(requests)
    for reply in replies:
        if reply.error:
            raise reply.error
    return [reply.text for reply in replies]


ZOO = "zoo:blender/blender_90M/model"
