"""Judges and bots as one names them on the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.core.errors import InputError
from arena.core.source_map import safe_load

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
        found = safe_load(text)
    except yaml.YAMLError as error:
        what = getattr(error, "problem", None) or "not readable"
        raise InputError(f"{text!r} is not a YAML mapping ({what}): write {{key: value, …}}.") from None
    if not isinstance(found, dict):
        raise InputError(f"{text!r} is not a YAML mapping: write {{key: value, …}}.")
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


def bot(text: str, *, file: str | None = None, settings: Sequence[str] = (), greedy: bool = False) -> BotSpec:
    """The bot that a user names, in every command alike.

    FILE.yaml:NAME (or NAME with `file`), a mapping, an embedded model, a model folder, an adapter, or a bot of
    the demo. `settings` are KEY=VALUE and go with an adapter; `greedy` is for models named without any.
    """
    from bots import registry

    inner, colon, wanted = text.rpartition(":")
    if file is None and colon and inner.endswith((".yaml", ".yml")):
        file, text = inner, wanted
    if file is not None:
        if settings:
            raise InputError("--set goes with an adapter, not with a file's bot; change the file instead.")
        return _of_file(file, text)
    if text in registry.names():
        return registry.spec(text, text, parsed(settings))
    if settings:
        raise InputError(f"'{text}' is not an adapter: --set goes with an adapter such as 'hf'.")
    given = mapping(text)
    if given is not None:
        return _of_mapping(text, given)
    if text.startswith("embedded:") or Path(text).is_dir():
        decoding = {"decoding": {"do_sample": False}} if greedy else {}
        return registry.spec(text.removeprefix("embedded:"), "hf", {"model": text, **decoding})
    return _of_demo(text)


def _of_mapping(text: str, given: Mapping[str, Any]) -> BotSpec:
    from bots import registry

    rest = dict(given)
    adapter, name = rest.pop("adapter", None), rest.pop("name", None)
    if not isinstance(adapter, str):
        raise InputError(f"The bot {text} needs an adapter: one of {', '.join(registry.names())}.")
    return registry.spec(str(name or rest.get("model") or adapter), adapter, rest)


def _of_file(file: str, wanted: str) -> BotSpec:
    from arena.config.resolve import load
    from arena.core.plugins import unknown

    known = {spec.name: spec for spec in load(file).bots}
    if wanted not in known:
        raise InputError(unknown("bot in the file", wanted, list(known)))
    return known[wanted]


def _of_demo(wanted: str) -> BotSpec:
    """A bot of the demo; the others' models need not be here."""
    import yaml

    from arena.cli.demo import DEMO
    from arena.core.plugins import unknown
    from bots import registry

    known = {entry.pop("name"): entry for entry in yaml.safe_load(DEMO)["bots"]}
    if wanted not in known:
        raise InputError(unknown("adapter or demo bot", wanted, [*registry.names(), *known]))
    entry = known[wanted]
    return registry.spec(wanted, entry.pop("adapter"), entry)


def parsed(settings: Sequence[str]) -> dict[str, Any]:
    """`decoding.top_p=0.8` is a key within a key; values are read as YAML."""
    import yaml

    tree: dict[str, Any] = {}
    for item in settings:
        path, sign, text = item.partition("=")
        if not sign or not path:
            raise InputError(f"--set wants KEY=VALUE, not '{item}'.")
        *outer, last = path.split(".")
        section = tree
        for part in outer:
            section = section.setdefault(part, {})
        try:
            section[last] = safe_load(text)
        except yaml.YAMLError as error:
            raise InputError(f"The value of --set {path} is not YAML: put it in quotes.") from error
    return tree
