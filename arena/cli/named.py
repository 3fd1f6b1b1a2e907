"""Judges and bots as one names them on the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.core.errors import InputError

if TYPE_CHECKING:
    from arena.core.types import BotSpec
    from arena.engines.base import Engine
    from judges.base import Judge


def mapping(text: str) -> Mapping[str, Any] | None:
    """`{adapter: hf, model: FOLDER}` as a mapping; None for a plain name."""
    if not text.lstrip().startswith("{"):
        return None
    import yaml

    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        what = getattr(error, "problem", None) or "not readable"
        raise InputError(f"{text!r} is no YAML mapping ({what}): write {{key: value, …}}.") from None
    if not isinstance(found, dict):
        raise InputError(f"{text!r} is no YAML mapping: write {{key: value, …}}.")
    return found


def judges(entries: Sequence[str | Mapping[str, Any]], engine: Engine) -> list[Judge]:
    """Each ready to judge; names must differ, because tables and JSON go by them."""
    import asyncio

    from bots.base import RunOptions
    from judges import registry

    specs = []
    for entry in entries:
        given = mapping(entry) if isinstance(entry, str) else entry
        specs.append(registry.spec(given if given is not None else entry))
    names = [spec.name for spec in specs]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise InputError(
            f"Two judges are called '{twice}': give one a name, {{judge: {twice}, name: other, …}}."
        )

    async def made() -> list[Judge]:
        return list(await asyncio.gather(*(engine.judge(spec, RunOptions()) for spec in specs)))

    return asyncio.run(made())


def bot(text: str, greedy: bool = False) -> BotSpec:
    """FILE:NAME of a tournament file, a mapping, an embedded model, a model folder, or an adapter's name.

    `greedy` is for models named without any settings.
    """
    from bots import registry

    given = mapping(text)
    if given is not None:
        rest = dict(given)
        adapter, name = rest.pop("adapter", None), rest.pop("name", None)
        if not isinstance(adapter, str):
            raise InputError(f"The bot {text} needs an adapter: one of {', '.join(registry.names())}.")
        return registry.spec(str(name or rest.get("model") or adapter), adapter, rest)
    file, colon, wanted = text.rpartition(":")
    if colon and file.endswith((".yaml", ".yml")):
        return _from_file(file, wanted)
    if text.startswith("embedded:") or Path(text).is_dir():
        decoding = {"decoding": {"do_sample": False}} if greedy else {}
        return registry.spec(text.removeprefix("embedded:"), "hf", {"model": text, **decoding})
    return registry.spec(text, text, {})


def _from_file(file: str, wanted: str) -> BotSpec:
    from arena.config.resolve import load
    from arena.core.plugins import unknown

    known = {spec.name: spec for spec in load(file).bots}
    if wanted not in known:
        raise InputError(unknown("bot", wanted, list(known)))
    return known[wanted]
