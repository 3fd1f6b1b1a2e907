"""Reads the name of a bot.

Commands, training and the key `bot:` of judges and question writers all read names in this way. A name is an
adapter (`scripted`), a model (`embedded:NAME`, or a folder that contains a model), or an entry as under `bots:` of
a tournament file. On the command line, the bots of a file and of the demo are also known (`arena.cli.named`).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.core.errors import InputError
from arena.core.types import NOTHING, BotSpec
from bots import registry

MODEL = "embedded:"


def entry(given: str | Mapping[str, Any], whose: str = "the command") -> dict[str, Any]:
    """Returns the bot as an entry under `bots:`. `whose` says in error messages what uses the bot."""
    if isinstance(given, str):
        return {"adapter": "hf", "model": given} if is_model(given) else {"adapter": given}
    if not isinstance(given.get("adapter"), str):
        raise InputError(f"The bot of {whose} needs an `adapter`: one of {', '.join(registry.names())}.")
    return dict(given)


def is_model(name: str) -> bool:
    """Whether the name is that of a model. A folder with the same name as an adapter is not a model."""
    return name.startswith(MODEL) or (name not in registry.names() and Path(name).is_dir())


def spec(
    given: str | Mapping[str, Any],
    whose: str = "the command",
    label: str | None = None,
    defaults: Mapping[str, Any] = NOTHING,
) -> BotSpec:
    """Returns the bot under its label.

    The label is `label`, else the bot's own name, model or adapter. `defaults` are the settings of a bot that is
    given as a model's name only.
    """
    settings = entry(given, whose)
    if isinstance(given, str) and is_model(given):
        settings |= defaults
    adapter, name = settings.pop("adapter"), settings.pop("name", None)
    short = given.removeprefix(MODEL) if isinstance(given, str) else settings.get("model") or adapter
    called = label or name or short
    return registry.spec(str(called), adapter, settings)
