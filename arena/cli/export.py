"""arena export: a tournament as a file."""

from __future__ import annotations

import os
import sys
import tempfile
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
    """Writes TOURNAMENT to a file: jsonl is lossless, csv and parquet are a row an inquiry, html is a report."""
    from arena.core.errors import InputError
    from arena.exchange.jsonl import write

    if raw and form != "csv":
        raise InputError("--raw is for --format csv only; leave it out.")
    store = repository(db, read_only=True)
    stored = store.find(tournament)
    if form == "jsonl":
        if out == "-":
            write(stored, store.records(stored.id), sys.stdout)
            return
        number = _jsonl(out, lambda file: write(stored, store.records(stored.id), file))
        say(f"{number} dialogues are in {out}.")
        return
    if out == "-":
        raise InputError(f"--out - is for jsonl only; name a file for {form}.")
    from arena.exchange import flat as exports

    if form == "html":
        from arena.report.html import report

        report(store, stored, Path(out))
    elif form == "csv":
        exports.csv(store, stored, Path(out), raw=raw)
    else:
        exports.parquet(store, stored, Path(out))
    say(f"{stored.release} ({stored.id}) is in {out}.")


def _jsonl(out: str, write: object) -> int:
    """Written beside and moved into place, so that nobody reads half a file."""
    from arena.core.errors import InputError

    target = Path(out)
    assert callable(write)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
                number = write(file)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{out} cannot be written ({error.strerror}); name another --out.") from error
    return int(number)
