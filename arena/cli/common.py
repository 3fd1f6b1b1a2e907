"""Common parts of the commands: options, output, opening the database."""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from arena.core.defaults import DATABASE, DATABASE_VARIABLE

if TYPE_CHECKING:
    from rich.console import Console

    from db.repository import Repository

F = TypeVar("F", bound=Callable[..., Any])
Options = TypeVar("Options")
Result = TypeVar("Result")


def db_option(function: F) -> F:
    return click.option(
        "--db",
        "db",
        metavar="URL",
        envvar=DATABASE_VARIABLE,
        default=DATABASE,
        show_default=True,
        help="The database; can also be set by the environment variable ARENA_DB.",
    )(function)


def at(db: str) -> str:
    """The `--db` option with which a suggested command finds this database again; empty for the default."""
    if db == (os.environ.get(DATABASE_VARIABLE) or DATABASE):
        return ""
    from db import masked

    shown = masked(db)
    return "" if shown is None else f" --db {shlex.quote(shown)}"


def engine_options(function: F) -> F:
    """Add the options that select where models run."""
    function = click.option(
        "--address",
        metavar="A",
        callback=_of_ray,
        help="The Ray cluster, HOST:PORT; without it, this machine.",
    )(function)
    return click.option(
        "--engine",
        type=click.Choice(["local", "ray"]),
        default="local",
        show_default=True,
        is_eager=True,
        help="Where models run: in this process, or as actors on a Ray cluster.",
    )(function)


def _of_ray(context: click.Context, _: click.Parameter, address: str | None) -> str | None:
    if address is not None and context.params.get("engine") != "ray":
        raise click.UsageError("--address names a Ray cluster: add --engine ray, or leave it out.")
    return address


def json_option(function: F) -> F:
    return click.option("--json", "as_json", is_flag=True, help="Facts as JSON on stdout.")(function)


def repository(url: str, *, create: bool = False, read_only: bool = False) -> Repository:
    """Open the database. Only commands that write results may create it."""
    from db import Repository, connect

    return Repository(connect(url, create=create, read_only=read_only), note=say)


def gathered(kind: type[Options]) -> Callable[[Callable[[Options], Result]], Callable[..., Result]]:
    """Pass a command its arguments and options as one dataclass, whose fields have the same names."""

    def decorate(function: Callable[[Options], Result]) -> Callable[..., Result]:
        @wraps(function)
        def called(**given: Any) -> Result:
            return function(kind(**given))

        return called

    return decorate


def emit(document: Any) -> None:
    """Print one JSON document to stdout."""
    json.dump(document, sys.stdout, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.write("\n")


def console(*, stderr: bool = False) -> Console:
    """Make a rich console, without colours if the output is not a terminal.

    Text from bots must go through arena.core.safe_text first.
    """
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=not sys.stdout.isatty())


def say(sentence: str) -> None:
    """Print to stderr, because stdout is reserved for data."""
    from arena.core.safe_text import terminal

    click.echo(terminal(sentence), err=True)
