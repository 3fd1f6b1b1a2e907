"""Exports a stored tournament in one of four formats."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TextIO

from arena.core.errors import InputError
from arena.exchange import flat, jsonl
from arena.report import html
from db.records import StoredTournament
from db.repository import Repository

FORMATS = ("jsonl", "csv", "parquet", "html")


def export(store: Repository, stored: StoredTournament, out: Path, form: str, *, raw: bool = False) -> None:
    """Write the file `out`. jsonl is lossless, csv and parquet have one row per inquiry, and html is a report."""
    if form not in FORMATS:
        raise InputError(f"There is no format '{form}': give one of {', '.join(FORMATS)}.")
    if raw and form != "csv":
        raise InputError("--raw is for --format csv only; leave it out.")
    if form == "jsonl":
        _whole(store, stored, out)
    elif form == "html":
        html.report(store, stored, out)
    elif form == "csv":
        flat.csv(store, stored, out, raw=raw)
    else:
        flat.parquet(store, stored, out)


def write_lines(store: Repository, stored: StoredTournament, file: TextIO) -> int:
    """Write the lossless format, one line per dialogue. Returns the number of lines."""
    return jsonl.write(stored, store.records(stored.id), file)


def _whole(store: Repository, stored: StoredTournament, out: Path) -> None:
    """Write to a temporary file and then move it into place, so that nobody reads an incomplete file."""
    try:
        handle, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", errors="surrogatepass", newline="\n") as file:
                write_lines(store, stored, file)
                file.flush()
                os.fsync(file.fileno())
            Path(name).chmod(0o644)
            Path(name).replace(out)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{out} cannot be written ({error.strerror}); name another --out.") from error
