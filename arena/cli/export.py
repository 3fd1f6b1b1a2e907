"""arena export: a tournament as a file."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from arena.cli.common import db_option, repository, say


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
@click.option("--raw", is_flag=True, help="CSV only: leave cells that a spreadsheet may run as they are.")
@db_option
def command(tournament: str, form: str, out: str, raw: bool, db: str) -> None:
    """Writes TOURNAMENT to a file: jsonl is lossless, csv and parquet have a row per inquiry, html is a report."""
    from arena.core.errors import InputError
    from arena.report.export import export, write_lines

    store = repository(db, read_only=True)
    stored = store.find(tournament)
    if out != "-":
        export(store, stored, Path(out), form, raw=raw)
        say(f"{stored.release} ({stored.id}) is in {out}.")
    elif form == "jsonl":
        write_lines(store, stored, sys.stdout)
    else:
        raise InputError(f"--out - is for jsonl only; name a file for {form}.")
