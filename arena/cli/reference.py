"""The reference of commands and configuration, made from the code: python -m arena.cli.reference > docs/reference.md"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import click
from pydantic import BaseModel

from arena.cli import COMMANDS, app
from arena.cli.keys import type_of

HEAD = """# Reference

Made from the code by `python -m arena.cli.reference`; a test holds the two together. Every command takes `--debug`,
which shows the stack trace of a failure. Exit codes: 0 done, 1 a run ended with failed dialogues or a comparison found
a regression, 2 the input is wrong, 130 stopped by a signal.
"""


def text() -> str:
    return "\n".join([HEAD, "## Commands\n", *_commands(), "## Tournament file\n", *_configuration()]) + "\n"


def _commands() -> Iterator[str]:
    parent = app.make_context("arena", ["demo"], terminal_width=100, max_content_width=100)
    for name in COMMANDS:
        command = app.get_command(parent, name)
        assert command is not None
        yield from _one(command, click.Context(command, parent, info_name=name))


def _one(command: click.Command, context: click.Context) -> Iterator[str]:
    context.terminal_width = context.max_content_width = 100
    yield f"### {context.command_path}\n\n```text\n{command.get_help(context).strip()}\n```\n"
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from _one(inner, click.Context(inner, context, info_name=name))


def _configuration() -> Iterator[str]:
    from arena.config.forms import Budget, Form, InquirerForm, Limits
    from arena.core import plugins
    from bots.base import COMMON

    yield from _table("Top level", Form)
    yield from _table("`inquirer`", InquirerForm)
    yield from _table("`budget`", Budget)
    yield from _table("`limits`", Limits)
    common = ", ".join(f"`{key}`" for key in COMMON)
    yield f"### Bots\n\nEvery bot: `name`, `adapter`, and optionally {common}.\n"
    for name, adapter in plugins.loadable("arena.bots").items():
        yield from _table(f"Adapter `{name}`", adapter.Settings)
    yield "### Judges\n\nEvery judge: `name`, `judge`, `tau`, `resources`.\n"
    for name, judge in plugins.loadable("arena.judges").items():
        if judge.Settings.model_fields:
            yield from _table(f"Judge `{name}`", judge.Settings)


def _table(title: str, model: type[BaseModel]) -> Iterator[str]:
    rows = ["| key | type | default |", "|---|---|---|"]
    schema = model.model_json_schema()
    for name, field in schema.get("properties", {}).items():
        rows.append(f"| `{name}` | {type_of(field)} | {_default(name, field, schema)} |")
    if len(rows) > 2:
        yield f"### {title}\n\n" + "\n".join(rows) + "\n"


def _default(name: str, field: dict[str, Any], schema: dict[str, Any]) -> str:
    if name in schema.get("required", ()):
        return "required"
    value = field.get("default")
    if isinstance(value, dict) and value:
        return "its own defaults"
    return "–" if value is None else f"`{str(value).lower() if isinstance(value, bool) else value}`"


if __name__ == "__main__":
    sys.stdout.write(text())
