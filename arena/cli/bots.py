"""arena bots: list, describe, try and talk to bots."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from arena.cli import named
from arena.cli.common import console, emit, json_option, say

if TYPE_CHECKING:
    from arena.core.types import BotSpec
    from bots.base import Bot

F = TypeVar("F", bound=Callable[..., Any])
LINES = ("hello", "What do you like to do on weekends?", "Where did you grow up?")


def which(function: F) -> F:
    """Add the options that name a bot: of a tournament file, of an adapter with settings, or of the demo."""
    function = click.option(
        "--set", "settings", multiple=True, metavar="KEY=VALUE", help="A setting, when NAME is an adapter."
    )(function)
    function = click.option("--file", type=click.Path(), help="The tournament file that has the bot.")(
        function
    )
    return click.argument("name")(function)


@click.group()
def command() -> None:
    """Lists, describes and tries bots.

    NAME is a bot of a tournament file (--file), an adapter (with --set key=value), or a bot of the demo.
    """


@command.command("list")
@click.option("--file", type=click.Path(), help="List the bots of this tournament file.")
@json_option
def listing(file: str | None, as_json: bool) -> None:
    """Lists the adapters and the demo's bots, or a file's bots, and whether they work here."""
    rows = _of_file(file) if file is not None else _everywhere()
    if as_json:
        emit({"bots": rows})
        return
    from rich.table import Table

    from arena.core.safe_text import rich_text

    table = Table(box=None, pad_edge=False)
    for column in ("", "name", "adapter", "what"):
        table.add_column(column, overflow="fold")
    for row in rows:
        sign = "[green]✓[/]" if row["available"] else "[yellow]–[/]"
        table.add_row(sign, *(rich_text(str(row[key])) for key in ("name", "adapter", "detail")))
    console().print(table)


@command.command()
@which
@json_option
def describe(name: str, file: str | None, settings: tuple[str, ...], as_json: bool) -> None:
    """Shows a bot's settings, weights, prompt format, device and number type.

    For an adapter without settings, it shows the possible keys, their defaults and an example entry.
    """
    from bots import registry

    if file is None and not settings and name in registry.names():
        _describe_adapter(name, as_json)
        return
    spec = named.bot(name, file=file, settings=settings)
    facts: dict[str, Any] = {
        "bot": spec.name,
        "adapter": spec.adapter,
        "identity": spec.identity,
        "settings": dict(spec.settings),
        **registry.adapter(spec.adapter).describe(spec.settings),
    }
    if as_json:
        emit(facts)
        return
    from arena.core.safe_text import terminal

    for key, value in facts.items():
        click.echo(terminal(f"{key}: {_plain(value)}"))


def _describe_adapter(name: str, as_json: bool) -> None:
    from arena.cli import keys
    from arena.core.safe_text import terminal
    from bots import registry
    from bots.base import COMMON

    model = registry.adapter(name).Settings
    rows = keys.keys_with_sections(model)
    facts = {
        **_row(name, name),
        "keys": [asdict(row) for row in rows],
        "common_keys": list(COMMON),
        "example": keys.example(name, model),
    }
    if as_json:
        emit(facts)
        return
    click.echo(terminal(f"{name}: {facts['detail']}"))
    for row in rows:
        default = "required" if row.required else f"default {_plain(row.default)}"
        meaning = f"; {row.description}" if row.description else ""
        click.echo(terminal(f"  {row.name}: {row.type}, {default}{meaning}"))
    click.echo(f"Every bot may also have {', '.join(COMMON)}.")
    click.echo(terminal(f"Example: {facts['example']}"))


@command.command("try")
@which
@json_option
def attempt(name: str, file: str | None, settings: tuple[str, ...], as_json: bool) -> None:
    """Runs three exchanges and shows how long they took."""
    spec = named.bot(name, file=file, settings=settings)
    facts = _run(spec, lambda bot: _three(bot, spec))
    if as_json:
        emit({"bot": spec.name, **facts})
        return
    from arena.core.safe_text import terminal

    for exchange in facts["exchanges"]:
        click.echo(terminal(f"you: {exchange['said']}"))
        click.echo(terminal(f"{spec.name}: {exchange['reply']}   ({exchange['seconds']} s)"))
    click.echo(
        f"loading {facts['load_seconds']} s, {facts['replies_per_second']} replies per second one by one"
    )


@command.command()
@which
@click.option("--seed", type=int, default=0, show_default=True, help="Equal seeds give equal samples.")
def chat(name: str, file: str | None, settings: tuple[str, ...], seed: int) -> None:
    """Chats with the bot; an empty line or the end of the input ends the chat."""
    spec = named.bot(name, file=file, settings=settings)
    say(f"You talk with {spec.name}. An empty line ends it.")
    _run(spec, lambda bot: _chat(bot, spec, seed))


def _of_file(file: str) -> list[dict[str, Any]]:
    from arena.config.resolve import load

    return [_row(bot.name, bot.adapter) for bot in load(file).bots]


def _everywhere() -> list[dict[str, Any]]:
    """List the adapters and the demo's bots; a demo bot's model may be missing on this machine."""
    import yaml

    from arena.cli.demo import DEMO
    from bots import registry

    demo = yaml.safe_load(DEMO)["bots"]
    return [_row(name, name) for name in registry.names()] + [
        _row(bot["name"], bot["adapter"], {k: v for k, v in bot.items() if k not in ("name", "adapter")})
        for bot in demo
    ]


def _row(label: str, name: str, settings: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Make a row of the list: whether the adapter works here and, with settings, whether its model is present."""
    from arena.core import plugins
    from arena.core.errors import ArenaError
    from bots import registry

    try:
        available, detail = plugins.works(registry.adapter(name))
        if settings is not None:
            registry.spec(label, name, settings)
    except ArenaError as error:
        available, detail = False, str(error)
    return {"name": label, "adapter": name, "available": available, "detail": detail}


def _run(spec: BotSpec, use: Callable[[Bot], Awaitable[dict[str, Any]]]) -> dict[str, Any]:
    """Load the bot, use it, and close it in any case."""
    from bots import registry

    async def whole() -> dict[str, Any]:
        began = time.perf_counter()
        bot = await asyncio.to_thread(registry.create, spec)
        loaded = time.perf_counter() - began
        try:
            return {**await use(bot), "load_seconds": round(loaded, 2)}
        finally:
            await bot.close()

    return asyncio.run(whole())


async def _three(bot: Bot, spec: BotSpec) -> dict[str, Any]:
    from bots.base import Line

    history: list[Line] = []
    exchanges = []
    for number, line in enumerate(LINES):
        history.append(Line(line, False))
        began = time.perf_counter()
        text = await _asked(bot, spec, tuple(history), number, 0)
        exchanges.append({"said": line, "reply": text, "seconds": round(time.perf_counter() - began, 3)})
        history.append(Line(text, True))
    spent = sum(float(str(exchange["seconds"])) for exchange in exchanges)
    return {"exchanges": exchanges, "replies_per_second": round(len(exchanges) / max(spent, 1e-3), 2)}


async def _chat(bot: Bot, spec: BotSpec, seed: int) -> dict[str, Any]:
    from arena.core.hashing import seed_for
    from arena.core.safe_text import terminal
    from bots.base import Line

    history: list[Line] = []
    while True:
        try:
            line = (await asyncio.to_thread(click.prompt, "you", default="", show_default=False)).strip()
        except click.Abort:
            line = ""
        if not line:
            return {}
        history.append(Line(line, False))
        text = await _asked(bot, spec, tuple(history), seed_for(seed, len(history)), seed)
        click.echo(terminal(f"{spec.name}: {text}"))
        history.append(Line(text, True))


async def _asked(bot: Bot, spec: BotSpec, history: tuple[Any, ...], seed: int, scene: int) -> str:
    """Get one reply. `scene` selects the persona if the bot has a different one in each dialogue."""
    from bots.base import ReplyRequest
    from bots.library import dealt
    from bots.persona import knowledge_of

    settings = spec.settings
    request = ReplyRequest(
        "chat", history, seed, knowledge=knowledge_of(settings, 0), persona=dealt(settings, scene)
    )
    reply = (await bot.reply([request]))[0]
    if reply.error is not None:
        raise reply.error
    return reply.text


def _plain(value: Any) -> str:
    import json

    if isinstance(value, Mapping | list | tuple):
        return json.dumps(value, ensure_ascii=False, default=str)
    return str(Path(value)) if isinstance(value, Path) else str(value)
