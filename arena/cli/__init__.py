"""The program `arena`: one small module per command, imported when the command is called."""

from __future__ import annotations

import atexit
import errno
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TextIO

import click

from arena.core import shadowing

# name → (module, summary in the list of commands)
COMMANDS = {
    "demo": ("demo", "Interview small language models, rank them, and show next steps."),
    "run": ("run", "Play and judge a tournament file; run it again to resume."),
    "plan": ("plan", "How many dialogues a difference needs, and what a file detects."),
    "judge": ("judge", "Judge stored inquiries again with other judges."),
    "leaderboard": ("leaderboard", "Rank the bots: rates, intervals, the pair matrix."),
    "stability": ("stability", "How many dialogues a stable ranking needs."),
    "compare": ("compare", "Compare two releases or tournaments."),
    "agreement": ("agreement", "How far people and judges agree."),
    "validate": ("validate", "Measure judges on a published data set."),
    "inquire": ("inquire", "Show what the inquirer would ask, and why not."),
    "interrogate": ("interrogate", "Run the ConsisTest benchmark on a bot."),
    "train": ("train", "Train the shipped models, or your own."),
    "export": ("export", "Write a tournament to a file."),
    "import": ("imports", "Read an exported tournament, or other chat logs."),
    "labels": ("labels", "Import and export labels from people."),
    "ui": ("ui", "Start the web pages."),
    "bots": ("bots", "List, describe, try and talk to bots."),
    "judges": ("judges", "List, describe and try judges."),
    "models": ("models", "List and fetch models."),
    "bench": ("bench", "Measure this machine."),
    "doctor": ("doctor", "What works here, what is missing, and how to fix it."),
    "db": ("database", "Upgrade, check and back up the database."),
}

# commands of groups that people expect at the top level
INNER = {"chat": "bots", "try": "bots", "fetch": "models", "backup": "db", "check": "db", "upgrade": "db"}


class Lazy(click.Group):
    """A click group that knows the names of its commands, and imports only the command that is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"arena.cli.{COMMANDS[cmd_name][0]}").command
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, n=1)
            if args[0] in INNER:
                near = [f"{INNER[args[0]]} {args[0]}"]
            hint = f"did you mean '{near[0]}'?" if near else "'arena --help' lists them all."
            raise click.UsageError(f"There is no command '{args[0]}': {hint}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="consistency-arena", prog_name="arena")
def app() -> None:
    """Consistency Arena: finds out which chatbots contradict themselves.

    Every command takes --help. --verbose logs what it does to standard error (ARENA_LOG=debug says more),
    --debug shows the stack trace of a failure.
    """


def main(arguments: list[str] | None = None) -> None:
    """Run a command; failures are printed as one sentence, with a stack trace only under --debug."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug, verbose = "--debug" in given, "--verbose" in given
    given = [argument for argument in given if argument not in ("--debug", "--verbose")]
    try:
        _configure_logs(verbose)
        if given[:1] != ["doctor"]:  # `doctor` reports this problem itself
            shadowing.check()
        with _stoppable():
            code = app.main(given, prog_name="arena", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        error.show()
        code = 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("Stopped; what was stored stays. Run the same command again to go on.", err=True)
        code = 130
    except BrokenPipeError:
        _unheard(sys.stdout, sys.stderr)
        code = 1
    except Exception as error:
        if debug:
            raise
        code = _told(error)
    if code == 130 and arguments is None:
        _left(code)
    sys.exit(code if isinstance(code, int) else 0)


def _configure_logs(verbose: bool) -> None:
    if verbose or os.environ.get("ARENA_LOG"):
        from arena.core.logs import configure

        configure(verbose)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _left(code: int) -> None:
    """Exit at once, because a model that still runs in another thread would crash a normal interpreter exit."""
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError):
            stream.flush()
    os._exit(code)


def _unheard(*streams: TextIO) -> None:
    """Discard buffered output, so that the interpreter prints no error about it at exit."""
    void = os.open(os.devnull, os.O_WRONLY)
    for stream in streams:
        with suppress(OSError, ValueError):
            os.dup2(void, stream.fileno())


def _told(error: Exception) -> int:
    from arena.core.errors import ArenaError
    from arena.core.safe_text import terminal

    if isinstance(error, ArenaError):
        click.echo(f"Error: {terminal(str(error))}", err=True)
        return error.exit_code
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        _unheard(sys.stdout)
        click.echo("Error: The disk is full; free some space and run the command again.", err=True)
        return 2
    if isinstance(error, OSError) and error.filename is not None:
        name = terminal(str(error.filename))
        click.echo(f"Error: {name} cannot be used ({error.strerror}); check path and permissions.", err=True)
        return 2
    if isinstance(error, MemoryError):
        click.echo(
            "Error: There is not enough memory; run less at once (--concurrency) or smaller models.", err=True
        )
        return 2
    message = terminal(f"{type(error).__name__}: {error}")
    click.echo(f"Error: something unexpected happened ({message}); --debug shows where.", err=True)
    return 2
