"""arena export: writes a tournament to a file."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import TextIO, cast

import click

from arena.cli.common import db_option, repository, say
from arena.core.safe_text import json_on_a_terminal


class _Terminal(io.TextIOBase):
    """Standard output on a terminal.

    It escapes control characters, because text from bots must not move the cursor.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def write(self, text: str) -> int:
        return self._out.write(json_on_a_terminal(text))


@click.command()
@click.argument("tournament")
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "csv", "parquet", "html"]),
    default="jsonl",
    show_default=True,
)
@click.option("--out", type=click.Path(), help="The file; '-' is stdout (jsonl only).", required=True)
@click.option(
    "--raw", is_flag=True, help="CSV only: do not change cells that a spreadsheet may run as formulas."
)
@db_option
def command(tournament: str, form: str, out: str, raw: bool, db: str) -> None:
    """Writes TOURNAMENT to a file.

    jsonl is lossless, csv and parquet have one row per inquiry, html is a report.
    """
    from arena.core.errors import InputError
    from arena.report.export import export, write_lines

    store = repository(db, read_only=True)
    stored = store.find(tournament)
    if out != "-":
        export(store, stored, Path(out), form, raw=raw)
        say(f"{stored.release} ({stored.id}) is in {out}.")
    elif form == "jsonl":
        out_of_sight = not sys.stdout.isatty()
        write_lines(store, stored, sys.stdout if out_of_sight else cast(TextIO, _Terminal(sys.stdout)))
    else:
        raise InputError(f"--out - is for jsonl only; name a file for {form}.")
