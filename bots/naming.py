"""Reads the name of a bot, in the same way for commands, for `bot:` of a judge or question writer, and for
training.

A name is an adapter (`scripted`), a model (`embedded:NAME`, or a folder that contains one), or an entry as
under `bots:` of a tournament file. The command line adds bots of a file and of the demo (`arena.cli.named`).
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
    """The bot as an entry under `bots:`; errors name `whose` bot it is."""
    if isinstance(given, str):
        return {"adapter": "hf", "model": given} if is_model(given) else {"adapter": given}
    if not isinstance(given.get("adapter"), str):
        raise InputError(f"The bot of {whose} needs an `adapter`: one of {', '.join(registry.names())}.")
    return dict(given)


def is_model(name: str) -> bool:
    """Whether the name is a model's; a folder that is called like an adapter is not one."""
    return name.startswith(MODEL) or (name not in registry.names() and Path(name).is_dir())


def spec(
    given: str | Mapping[str, Any],
    whose: str = "the command",
    label: str | None = None,
    defaults: Mapping[str, Any] = NOTHING,
) -> BotSpec:
    """The bot's entry; its name is `label`, else its own name, model or adapter. `defaults` are settings for
    models without any.
    """
    settings = entry(given, whose)
    if isinstance(given, str) and is_model(given):
        settings |= defaults
    adapter, name = settings.pop("adapter"), settings.pop("name", None)
    short = given.removeprefix(MODEL) if isinstance(given, str) else settings.get("model") or adapter
    called = label or name or short
    return registry.spec(str(called), adapter, settings)
