"""arena import: reads exported tournaments and other chat logs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from arena.cli.common import db_option, emit, json_option, repository, say

if TYPE_CHECKING:
    from db.repository import Repository


@click.command()
@click.argument("file", type=click.Path())
@click.option("--release", metavar="TAG", help="The release tag of chat logs (default: the file's name).")
@db_option
@json_option
def command(file: str, release: str | None, db: str, as_json: bool) -> None:
    """Imports FILE: JSONL that 'arena export' wrote, or chat logs with one dialogue per line.

    A chat log is {"messages": [{"role" or "bot", "text" or "content"}]}. A question about something that the bot said
    before becomes an inquiry, ready for 'arena judge' and for labelling.
    """
    from arena.exchange.imports import read

    store: Repository = repository(db, create=True)
    done = read(store, Path(file), release)
    if as_json:
        emit({"tournaments": [{"tournament": t, "dialogues": n, "new": new} for t, n, new in done]})
    for tournament, number, new in done:
        say(f"Tournament {tournament}: {number} dialogues read, {new} of them new.")
