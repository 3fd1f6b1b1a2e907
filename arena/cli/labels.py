"""arena labels: imports and exports labels from people."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from arena.cli.common import console, db_option, emit, json_option, repository, say

if TYPE_CHECKING:
    from arena.labelling.schemas import Schema

FORMATS = ("jsonl", "csv", "begin")


@click.group()
def command() -> None:
    """Imports and exports labels from people."""


@command.command(name="import")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--schema", metavar="NAME", help="The schema of lines that name no schema (default: aih).")
@click.option("--skip-unknown", is_flag=True, help="Skip labels whose subject is not in this database.")
@db_option
@json_option
def imported(file: Path, schema: str | None, skip_unknown: bool, db: str, as_json: bool) -> None:
    """Imports labels from FILE: CSV with a header line, or JSONL.

    A label that differs from the stored label replaces it.
    """
    import time

    from arena.core.errors import InputError, unreadable
    from arena.core.lines import bounded
    from arena.labelling import own
    from arena.labelling.files import read
    from db.labels import Labels

    try:
        with file.open(encoding="utf-8", newline="") as lines:
            store = repository(db)
            labels = read(bounded(lines, str(file)), str(file), schema, own.schemas(store))
    except (OSError, UnicodeDecodeError) as error:
        raise unreadable(file, error) from error
    desk = Labels(store)
    unknown = desk.unknown(labels)
    if unknown and not skip_unknown:
        raise InputError(
            f"{len(unknown)} of {len(labels)} labels have subjects that are not in this database (the first: "
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
    help="Default: by the file's extension. begin exports the class of each response, for `arena validate begin`.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="The output file (default: standard output).",
)
@click.option("--schema", metavar="NAME", help="Export labels of this schema only.")
@click.option(
    "--raw", is_flag=True, help="Do not protect CSV cells that a spreadsheet would run as formulas."
)
@db_option
def export(
    tournament: str | None, kind: str | None, out: Path | None, schema: str | None, raw: bool, db: str
) -> None:
    """Exports the labels of TOURNAMENT, or all labels in the database, as CSV or JSONL.

    Unfinished labels are left out and counted.
    """
    import io

    from arena.core.errors import InputError
    from arena.core.safe_text import json_on_a_terminal
    from arena.labelling import own
    from arena.labelling import work as labelling
    from arena.labelling.begin_file import write_tsv
    from arena.labelling.files import write_csv, write_jsonl
    from arena.labelling.schemas import schema as known
    from db.labels import Labels

    store = repository(db, read_only=True)
    forms = own.schemas(store)
    if schema is not None:
        known(schema, forms)
    chosen = store.find(tournament).id if tournament else None
    stored = Labels(store).of(chosen, schema)
    labels = [label for label in stored if labelling.finished(label, forms)]
    form = kind or ("csv" if out is not None and out.suffix == ".csv" else "jsonl")
    text = io.StringIO()
    what = f" in {out}" if out and str(out) != "-" else ""
    if form == "begin":
        count, left = write_tsv(store, labels, text)
        sentence = f"{count} responses{what}; {left} without a class, or with a tie, left out."
    else:
        count = write_csv(labels, text, raw) if form == "csv" else write_jsonl(labels, text)
        sentence = f"{count} labels{what}."
    if half := len(stored) - len(labels):
        sentence += f" {half} half-answered left out."
    if out is None or str(out) == "-":
        plain = sys.stdout.isatty() and form == "jsonl"
        sys.stdout.write(json_on_a_terminal(text.getvalue()) if plain else text.getvalue())
    else:
        try:
            out.write_text(text.getvalue(), encoding="utf-8", newline="")
        except OSError as error:
            raise InputError(f"{out} cannot be written: {error.strerror}; name another --out.") from error
    say(sentence)


@command.command()
@click.argument("file", required=False, type=click.Path(path_type=Path))
@db_option
@json_option
def schema(file: Path | None, db: str, as_json: bool) -> None:
    """Adds the label schema in FILE (YAML: questions, answers, keys); without FILE, lists all schemas.

    The page Label, exports and `arena agreement` then offer the schema.
    """
    import time

    from arena.core.errors import unreadable
    from arena.core.safe_text import rich_text
    from arena.labelling import own

    if file is not None:
        try:
            text = file.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise unreadable(file, error) from error
        form = own.parse(text, str(file))
        store = repository(db, create=True)
        own.add(store, form, time.time())
        say(f"The label schema '{form.name}' is on the page Label.")
    else:
        store = repository(db, read_only=True)
    known = own.schemas(store)
    if as_json:
        emit({"schemas": [_facts(one) for one in known.values()]})
    elif file is None:
        from rich.table import Table

        table = Table("schema", "about", "questions", "what")
        for one in known.values():
            questions = ", ".join(question.name for question in one.questions if not question.free)
            table.add_row(one.name, one.subject_type, rich_text(questions), rich_text(one.what))
        console().print(table)


def _facts(one: Schema) -> dict[str, Any]:
    return {
        "schema": one.name,
        "about": one.subject_type,
        "what": one.what,
        "main": one.main,
        "questions": [
            {
                "name": question.name,
                "ask": question.text,
                "answers": [word for _, word in question.answers],
                "keys": list(question.keys),
            }
            for question in one.questions
            if not question.free
        ],
    }
