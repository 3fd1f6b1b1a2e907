"""Reads and writes label files: CSV for spreadsheets, JSONL for programs. Errors name the line."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TextIO

from arena.core.errors import InputError
from arena.core.plugins import unknown
from arena.core.safe_text import cell, uncell
from arena.core.types import Label
from arena.labelling.schemas import SCHEMAS, Schema, checked, schema

COLUMNS = ("subject", "subject_type", "schema", "person", "note", "seconds", "drawn_by_lot")


def read(
    lines: Iterable[str], name: str, default_schema: str | None = None, known: Mapping[str, Schema] = SCHEMAS
) -> list[Label]:
    """Read labels from CSV (with a header line) or JSONL. Errors name the line."""
    rows = _jsonl(lines, name) if name.lower().endswith((".jsonl", ".ndjson")) else _csv(lines, name)
    labels: list[Label] = []
    seen: dict[tuple[str, str, str], int] = {}
    for line, row in rows:
        try:
            label = _label(row, default_schema, known)
        except InputError as error:
            raise InputError(f"{name}, line {line}: {error}") from None
        key = (label.subject, label.schema, label.person)
        if key in seen:
            raise InputError(
                f"{name}, line {line}: '{label.person}' labels {label.subject} a second time (first in line "
                f"{seen[key]}); keep one of the two lines."
            )
        seen[key] = line
        labels.append(label)
    return labels


def _label(row: Mapping[str, Any], default_schema: str | None, known: Mapping[str, Schema]) -> Label:
    form = schema(str(row.get("schema") or default_schema or "aih"), known)
    values = row.get("values")
    if values is None:
        values = {key: value for key, value in row.items() if key not in COLUMNS and value != ""}
    if not isinstance(values, Mapping):
        raise InputError("'values' must be an object such as {\"contradicts\": true}.")
    for needed in ("subject", "person"):
        if not str(row.get(needed) or "").strip():
            raise InputError(f"there is no '{needed}' in it; every label needs one.")
    seconds = row.get("seconds")
    try:
        spent = None if seconds in (None, "") else float(str(seconds))
    except ValueError:
        raise InputError(f"'seconds' is {seconds!r}: give a number or leave it empty.") from None
    return checked(
        Label(
            str(row["subject"]),
            str(row.get("subject_type") or form.subject_type),
            form.name,
            str(row["person"]),
            values,
            str(row.get("note") or ""),
            spent,
            _drawn(row.get("drawn_by_lot")),
        ),
        known,
    )


def _drawn(value: Any) -> bool | None:
    """Whether the subject was drawn at random. Only files written by this program contain this value."""
    words = {"yes": True, "true": True, "no": False, "false": False}
    if value is None or value == "":
        return None
    if isinstance(value, bool):
        return value
    if str(value).strip().lower() not in words:
        raise InputError(f"'drawn_by_lot' is {value!r}: give yes, no, or leave it empty.")
    return words[str(value).strip().lower()]


def _jsonl(lines: Iterable[str], name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    for place, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"{name}, line {place}: this is not a JSON object ({error}); fix the line."
            ) from None
        if not isinstance(row, dict):
            raise InputError(f"{name}, line {place}: this is not a JSON object; write one label per line.")
        yield place, row


def _csv(lines: Iterable[str], name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    reader = csv.DictReader(lines, strict=True)
    try:
        if reader.fieldnames is None:
            return
        header = [str(field).strip().lstrip("\ufeff") for field in reader.fieldnames]
        for needed in ("subject", "person"):
            if needed not in header:
                raise InputError(f"{name}, line 1: {unknown('column', needed, header)}")
        reader.fieldnames = header
        for row in reader:
            if None in row or None in row.values():
                raise InputError(
                    f"{name}, line {reader.line_num}: it has more or fewer cells than the header."
                )
            yield reader.line_num, {key: uncell(value) for key, value in row.items()}
    except csv.Error as error:
        raise InputError(
            f"{name}, line {reader.line_num}: this is not CSV ({error}); fix the line."
        ) from None


def rows(labels: Iterable[Label]) -> Iterator[dict[str, Any]]:
    """Return labels as JSON objects. Their order does not depend on when the labels were given."""
    for label in sorted(labels, key=lambda one: (one.schema, one.subject, one.person)):
        yield {
            "subject": label.subject,
            "subject_type": label.subject_type,
            "schema": label.schema,
            "person": label.person,
            "values": dict(label.values),
            "note": label.note,
            "seconds": label.seconds,
            **({} if label.drawn is None else {"drawn_by_lot": label.drawn}),
        }


def write_jsonl(labels: Iterable[Label], out: TextIO) -> int:
    count = 0
    for row in rows(labels):
        out.write(json.dumps(row, ensure_ascii=False, sort_keys=True) + "\n")
        count += 1
    return count


def write_csv(labels: Iterable[Label], out: TextIO, raw: bool = False) -> int:
    """Write labels as CSV, one column per value. Text that a spreadsheet would run as a formula is escaped unless
    `raw`.
    """
    table = list(rows(labels))
    values = list(dict.fromkeys(name for form in SCHEMAS.values() for name in form.names))
    given = {name for row in table for name in row["values"]}
    places = {name: place for place, name in enumerate(values)}
    used = sorted(given, key=lambda name: (places.get(name, len(places)), len(name), name))
    plain = csv.writer(out, lineterminator="\n")
    quoted = csv.writer(out, lineterminator="\n", quoting=csv.QUOTE_ALL)
    known = any("drawn_by_lot" in row for row in table)  # without it, the file format stays as it was
    plain.writerow([*COLUMNS[:4], *used, *(COLUMNS[4:] if known else COLUMNS[4:6])])
    for row in table:
        cells = [*(row[name] for name in COLUMNS[:4]), *(_word(row["values"].get(name)) for name in used)]
        cells += [row["note"], "" if row["seconds"] is None else row["seconds"]]
        cells += [_word(row.get("drawn_by_lot"))] if known else []
        safe = [cell(one, raw=raw) for one in cells]
        # csv does not quote a lone carriage return, but reads it as the end of the row
        (quoted if any("\r" in str(one) for one in safe) else plain).writerow(safe)
    return len(table)


def _word(value: Any) -> Any:
    return "" if value is None else {True: "yes", False: "no"}[value] if isinstance(value, bool) else value
