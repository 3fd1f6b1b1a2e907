"""Consistency Arena: finds out which chatbots contradict themselves.

    import arena

    result = arena.run("tournament.yaml")
    result.leaderboard()

Names are imported when they are first used, so that `import arena` itself costs nothing. docs/python.md shows them all.
"""

from __future__ import annotations

import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arena.api.boards import Agreement, Comparison, Leaderboard, Stability
    from arena.api.comparing import compare
    from arena.api.judging import Verdict, judge
    from arena.api.questions import Inquiries, inquire
    from arena.api.result import Result, open
    from arena.api.running import run, run_async
    from arena.core.errors import (
        ArenaError,
        BotError,
        BotRefused,
        BudgetSpent,
        InputError,
        MissingPart,
        StoreError,
        StoreLost,
    )
    from bots.function import bot

__version__ = "0.1.0"

os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")  # its library reads it once, when it is imported

_HOME = {
    "run": "arena.api.running",
    "run_async": "arena.api.running",
    "open": "arena.api.result",
    "compare": "arena.api.comparing",
    "inquire": "arena.api.questions",
    "judge": "arena.api.judging",
    "bot": "bots.function",
    "Result": "arena.api.result",
    "Leaderboard": "arena.api.boards",
    "Stability": "arena.api.boards",
    "Agreement": "arena.api.boards",
    "Comparison": "arena.api.boards",
    "Inquiries": "arena.api.questions",
    "Verdict": "arena.api.judging",
    "ArenaError": "arena.core.errors",
    "BotError": "arena.core.errors",
    "BotRefused": "arena.core.errors",
    "BudgetSpent": "arena.core.errors",
    "InputError": "arena.core.errors",
    "MissingPart": "arena.core.errors",
    "StoreError": "arena.core.errors",
    "StoreLost": "arena.core.errors",
}

__all__ = [
    "Agreement",
    "ArenaError",
    "BotError",
    "BotRefused",
    "BudgetSpent",
    "Comparison",
    "InputError",
    "Inquiries",
    "Leaderboard",
    "MissingPart",
    "Result",
    "Stability",
    "StoreError",
    "StoreLost",
    "Verdict",
    "bot",
    "compare",
    "inquire",
    "judge",
    "open",
    "run",
    "run_async",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'arena' has no attribute '{name}'")
    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
