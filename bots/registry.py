"""Turns an entry of the tournament file into a bot: adapter, settings, identity."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from pydantic import BaseModel, ValidationError

from arena.core import plugins
from arena.core.errors import InputError, MissingPart
from arena.core.hashing import digest
from arena.core.source_map import keys_of, near, wrong
from arena.core.types import BotSpec
from bots import frames, library, paid, sandbox
from bots.accounts import Attends, metered
from bots.base import COMMON, INCIDENTAL, Adapter, Bot, RunOptions
from bots.batching import DialogueCounter
from bots.persona import LIBRARY

GROUP = "arena.bots"


def names() -> list[str]:
    return plugins.names(GROUP)


def adapter(name: str) -> Adapter:
    """Returns the adapter with this name. For an unknown name, the error names the nearest known name."""
    loaded = plugins.load(GROUP, name)
    lacking = [part for part in ("incidental", "bounded", "pays_by_call") if not hasattr(loaded, part)]
    if lacking:
        raise MissingPart(
            f"The adapter '{name}' has no `{lacking[0]}`: let its class inherit from bots.base.AdapterDefaults."
        )
    return cast(Adapter, loaded)


def settle(name: str, settings: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the settings with every default written out. Wrong settings raise InputError."""
    own = {key: value for key, value in settings.items() if key not in COMMON}
    model = adapter(name).Settings
    try:
        checked = model.model_validate(own)
    except ValidationError as error:
        raise InputError(f"A bot of the adapter '{name}': {_sentence(error.errors()[0], model)}") from error
    common = {key: settings[key] for key in COMMON if settings.get(key) is not None}
    _check_isolation(name, common)
    if "persona" in common:
        common["persona"] = library.chosen(common["persona"])
    settled = cast(dict[str, Any], checked.model_dump(mode="json")) | common
    if (
        settled.get("rate_limit_shared") is False
    ):  # unknown to revision 0db0902, whose tournaments keep their hash
        del settled["rate_limit_shared"]
    if settled.get("frame") in (None, frames.NONE):  # as before frames existed
        settled.pop("frame", None)
    return settled


def _check_isolation(name: str, common: dict[str, Any]) -> None:
    """Removes `isolate: false`, which has no effect, and refuses isolation for bots that run no model here."""
    isolate = common.get("isolate", False)
    if not isinstance(isolate, bool):
        raise InputError(f"isolate must be true or false (found {isolate!r}); correct it.")
    if not isolate:
        common.pop("isolate", None)
    elif name in ("openai", "http", "human"):
        raise InputError(f"A bot of the adapter '{name}' runs no model here: leave out `isolate`.")


def _sentence(problem: Any, model: type[BaseModel]) -> str:
    key = ".".join(str(part) for part in problem["loc"]) or "settings"
    if problem["type"] == "extra_forbidden":
        *outer, last = problem["loc"]
        section = tuple(outer)
        known = [*keys_of(model).get(section, []), *(() if section else COMMON)]
        return f"there is no key '{key}'{near(str(last), known)}"
    if problem["type"] == "missing":
        return f"the key '{key}' is missing; add it."
    return f"{key} {wrong(problem)}; correct it."


def identity(name: str, settings: Mapping[str, Any]) -> str:
    """Returns a hash of adapter, settings and weights. A default counts the same whether written out or not."""
    settled = settle(name, settings)
    chosen = adapter(name)
    incidental = {*INCIDENTAL, *chosen.incidental}
    deciding = {key: value for key, value in settled.items() if key not in incidental}
    if "frame" in deciding:
        deciding["frame"] = frames.text_of(deciding["frame"])
    if deciding.get("persona") == LIBRARY:
        deciding["persona"] = [LIBRARY, library.revision()]
    return digest(name, deciding, chosen.revision(settled))[:16]


def spec(label: str, name: str, settings: Mapping[str, Any]) -> BotSpec:
    """Returns a bot from the user's entry, with its defaults written out."""
    if "frame" in adapter(name).Settings.model_fields:
        settings = frames.with_default(settings)
    settled = settle(name, settings)
    return BotSpec(label, name, settled, identity(name, settled))


def create(bot: BotSpec, run: RunOptions | None = None, company: DialogueCounter | None = None) -> Bot:
    """Loads the bot.

    Concurrent `reply` calls share its queue. `company` tells which dialogues may still join a batch.
    """
    run = run or RunOptions()
    player = _elsewhere(bot, run)
    if player is None:
        player = _isolated(bot, run) or adapter(bot.adapter).create(bot.settings, run)
        player = metered(player, bot.identity, run, stateful=bot.adapter == "http")
    if company is not None and isinstance(player, Attends):
        player.attend(company)
    return player


def _elsewhere(bot: BotSpec, run: RunOptions) -> Bot | None:
    """Returns the bot in a process that outlives this one, if its replies are paid for and can be kept. Else None."""
    account = run.account
    if account is None or paid.inside or not (run.keep_replies and account.shared):
        return None
    return paid.PaidBot(bot, run) if adapter(bot.adapter).pays_by_call else None


def _isolated(bot: BotSpec, run: RunOptions) -> Bot | None:
    """Returns the bot in its own process, if its entry asks for isolation. Else None."""
    if not bot.settings.get("isolate") or sandbox.inside:
        return None
    from bots.isolation import IsolatedBot

    return IsolatedBot(bot, run, strict=bot.settings.get("trusted") is False)
