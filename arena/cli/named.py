"""Finds the judges and bots that are named on the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from arena.core.errors import InputError
from arena.core.source_map import safe_load

if TYPE_CHECKING:
    from arena.core.types import BotSpec
    from arena.engines.base import Engine
    from judges.base import Judge


def mapping(text: str) -> Mapping[str, Any] | None:
    """Parse a mapping such as `{adapter: hf, model: FOLDER}`; return None for a plain name."""
    if not text.lstrip().startswith("{"):
        return None
    import yaml

    try:
        content = safe_load(text)
    except yaml.YAMLError as error:
        what = getattr(error, "problem", None) or "not readable"
        raise InputError(f"{text!r} is not a YAML mapping ({what}): write {{key: value, …}}.") from None
    if not isinstance(content, dict):
        raise InputError(f"{text!r} is not a YAML mapping: write {{key: value, …}}.")
    return content


def judges(entries: Sequence[str | Mapping[str, Any]], engine: Engine) -> list[Judge]:
    """Create the named judges; names must be unique because tables and JSON use them as keys."""
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

    async def load() -> list[Judge]:
        return list(await asyncio.gather(*(engine.judge(spec, RunOptions()) for spec in specs)))

    return asyncio.run(load())


def bot(text: str, *, file: str | None = None, settings: Sequence[str] = (), greedy: bool = False) -> BotSpec:
    """Find the bot that a user names; every command uses this.

    NAME is FILE.yaml:NAME (or NAME with `file`), a bot of the demo, or a name that `bots.naming` reads: an adapter, a
    model or a mapping. `settings` are KEY=VALUE pairs for an adapter. `greedy` makes a model without settings answer
    greedily.
    """
    from bots import naming, registry

    inner, colon, wanted = text.rpartition(":")
    if file is None and colon and inner.endswith((".yaml", ".yml")):
        file, text = inner, wanted
    if file is not None:
        if settings:
            raise InputError("--set goes with an adapter, not with a file's bot; change the file instead.")
        return _of_file(file, text)
    if settings:
        if text not in registry.names():
            raise InputError(f"'{text}' is not an adapter: --set goes with an adapter such as 'hf'.")
        return registry.spec(text, text, parsed(settings))
    given = mapping(text)
    if given is None and text not in registry.names() and not naming.is_model(text):
        return _of_demo(text)
    greedily: dict[str, Any] = {"decoding": {"do_sample": False}} if greedy else {}
    return naming.spec(text if given is None else given, f"the command ({text})", defaults=greedily)


def _of_file(file: str, wanted: str) -> BotSpec:
    from arena.config.resolve import load
    from arena.core.plugins import unknown

    known = {spec.name: spec for spec in load(file).bots}
    if wanted not in known:
        raise InputError(unknown("bot in the file", wanted, list(known)))
    return known[wanted]


def _of_demo(wanted: str) -> BotSpec:
    """Return a bot of the demo. The models of the demo's other bots may be missing."""
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
    """Parse KEY=VALUE settings. Values are read as YAML; a name with dots is a nested key (`decoding.top_p=0.8`)."""
    import yaml

    tree: dict[str, Any] = {}
    for item in settings:
        path, sign, text = item.partition("=")
        if not sign or not path:
            raise InputError(f"--set takes KEY=VALUE, not '{item}'.")
        *outer, last = path.split(".")
        section = tree
        for part in outer:
            section = section.setdefault(part, {})
        try:
            section[last] = safe_load(text)
        except yaml.YAMLError as error:
            raise InputError(f"The value of --set {path} is not YAML: put it in quotes.") from error
    return tree
