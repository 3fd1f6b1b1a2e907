"""arena labels: people's labels in and out."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from arena.cli.common import db_option, emit, json_option, repository, say

FORMATS = ("jsonl", "csv", "begin")


@click.group()
def command() -> None:
    """Imports and exports what people said."""


@command.command(name="import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--schema", metavar="NAME", help="For lines that name none; aih unless given.")
@click.option("--skip-unknown", is_flag=True, help="Leave out labels of what is not in this database.")
@db_option
@json_option
def imported(file: Path, schema: str | None, skip_unknown: bool, db: str, as_json: bool) -> None:
    """Reads labels from FILE: CSV with a header line, or JSONL.

    A label that is there already is changed where the file says something else; equal ones stay.
    """
    import time

    from arena.core.errors import InputError, unreadable
    from arena.labelling.files import read
    from db.labels import Labels

    try:
        with file.open(encoding="utf-8", newline="") as lines:
            labels = read(lines, str(file), schema)
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(file, error) from error
    store = repository(db)
    desk = Labels(store.engine)
    unknown = desk.unknown(labels)
    if unknown and not skip_unknown:
        raise InputError(
            f"{len(unknown)} of {len(labels)} labels are about nothing in this database (the first: "
            f"{unknown[0].subject_type} {unknown[0].subject}); import its tournament first, "
            "or leave them out with --skip-unknown."
        )
    left = {id(label) for label in unknown}
    done = desk.put([label for label in labels if id(label) not in left], time.time())
    say(
        f"{done.new} new labels, {done.changed} changed, {done.equal} there already, {len(unknown)} left out."
    )
    if as_json:
        emit({"new": done.new, "changed": done.changed, "equal": done.equal, "skipped": len(unknown)})


@command.command()
@click.argument("tournament", required=False)
@click.option(
    "--format",
    "kind",
    type=click.Choice(FORMATS),
    help="By the file's ending unless given; begin: the class of each response, for `arena validate begin`.",
)
@click.option("--out", type=click.Path(path_type=Path), metavar="PATH", help="Standard output unless given.")
@click.option("--schema", metavar="NAME", help="Labels of one schema only.")
@click.option("--raw", is_flag=True, help="Do not keep CSV cells from being run as formulas.")
@db_option
def export(
    tournament: str | None, kind: str | None, out: Path | None, schema: str | None, raw: bool, db: str
) -> None:
    """Writes the labels of TOURNAMENT, or all of the database's, as CSV or JSONL.

    Half-answered ones are left out, and counted.
    """
    import io

    from arena.core.errors import InputError
    from arena.core.safe_text import json_on_a_terminal
    from arena.labelling import work as labelling
    from arena.labelling.begin_file import write_tsv
    from arena.labelling.files import write_csv, write_jsonl
    from arena.labelling.schemas import schema as known
    from db.labels import Labels

    if schema is not None:
        known(schema)
    store = repository(db, read_only=True)
    chosen = store.find(tournament).id if tournament else None
    stored = Labels(store.engine).of(chosen, schema)
    labels = [label for label in stored if labelling.finished(label)]
    form = kind or ("csv" if out is not None and out.suffix == ".csv" else "jsonl")
    text = io.StringIO()
    what = f" in {out}" if out and str(out) != "-" else ""
    if form == "begin":
        count, left = write_tsv(store.engine, labels, text)
        told = f"{count} responses{what}; {left} without a class, or with a tie, left out."
    else:
        count = write_csv(labels, text, raw) if form == "csv" else write_jsonl(labels, text)
        told = f"{count} labels{what}."
    if half := len(stored) - len(labels):
        told += f" {half} half-answered left out."
    if out is None or str(out) == "-":
        plain = sys.stdout.isatty() and form == "jsonl"
        sys.stdout.write(json_on_a_terminal(text.getvalue()) if plain else text.getvalue())
    else:
        try:
            out.write_text(text.getvalue(), encoding="utf-8", newline="")
        except OSError as error:
            raise InputError(f"{out} cannot be written: {error.strerror}; name another --out.") from error
    say(told)
