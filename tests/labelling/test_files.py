"""Labels as CSV and JSONL: there and back, and every mistake with its line."""

from __future__ import annotations

import csv
import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.core.errors import InputError
from arena.core.types import Label
from arena.labelling.files import read, write_csv, write_jsonl

VALUES = {"appropriate": True, "relevant": True, "contradicts": False}
PRINTABLE = st.characters(codec="utf-8", exclude_categories=("Cs", "Cc"))


def label(subject: str = "s1", person: str = "ann", note: str = "", seconds: float | None = 1.5) -> Label:
    return Label(subject, "inquiry", "aih", person, VALUES, note, seconds)


OTHERS = [
    Label("d1", "dialogue", "session", "ann", {"score": 0.5}),
    Label("d1:3", "message", "reply", "ann", {"inconsistent": True}, "odd"),
    Label("d1:3", "message", "begin", "bob", {"topic": "2", "aside": "generic"}),
    Label(
        "d1:5", "message", "begin", "bob", {"topic": "5", "topic_2": "4", "topic_10": "3", "sentences": 10}
    ),
]


@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_there_and_back(ending: str) -> None:
    labels = [label(), label("s2", note='with "marks", commas\nand lines', seconds=None), *OTHERS]
    out = io.StringIO()
    (write_jsonl if ending == "jsonl" else write_csv)(labels, out)
    back = read(io.StringIO(out.getvalue(), newline=""), f"labels.{ending}")
    assert sorted(back, key=str) == sorted(labels, key=str)


@settings(max_examples=40)
@given(st.text(PRINTABLE, max_size=40))
def test_any_note_survives_jsonl(note: str) -> None:
    out = io.StringIO()
    write_jsonl([label(note=note)], out)
    assert read(io.StringIO(out.getvalue(), newline=""), "x.jsonl") == [label(note=note)]


@pytest.mark.parametrize("note", ["=1+1", "+1", "-1", "@x", "\t=1"])
def test_a_note_is_no_formula_and_comes_back(note: str) -> None:
    out = io.StringIO()
    write_csv([label(note=note)], out)
    [row] = csv.DictReader(io.StringIO(out.getvalue()))
    assert row["note"].startswith("'")
    assert read(io.StringIO(out.getvalue(), newline=""), "x.csv")[0].note == note
    raw = io.StringIO()
    write_csv([label(note=note)], raw, raw=True)
    [row] = csv.DictReader(io.StringIO(raw.getvalue()))
    assert row["note"] == note


def test_the_order_does_not_depend_on_when_labels_came() -> None:
    one, other = io.StringIO(), io.StringIO()
    write_jsonl([label("a"), label("b")], one)
    write_jsonl([label("b"), label("a")], other)
    assert one.getvalue() == other.getvalue()


HEAD = "subject,person,appropriate,relevant,contradicts\n"


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("x.csv", HEAD + "s,ann,yes,yes,no\ns2,ann,yes,perhaps,no\n", r"x\.csv, line 3: 'relevant'"),
        ("x.csv", HEAD + "s,ann,yes,yes\n", r"x\.csv, line 2: .*cells"),
        (
            "x.csv",
            HEAD + "s,ann,yes,yes,no\ns,ann,yes,yes,no\n",
            r"line 3: .*second time \(first in line 2\)",
        ),
        ("x.csv", "subjekt,person\n", r"line 1: .*did you mean"),
        ("x.csv", HEAD + ",ann,yes,yes,no\n", r"line 2: there is no 'subject'"),
        ("x.csv", HEAD + '"s,ann\n', r"not CSV|cells"),
        ("x.jsonl", "{}\n", r"x\.jsonl, line 1: there is no 'subject'"),
        ("x.jsonl", "\n[1]\n", r"x\.jsonl, line 2: this is not a JSON object"),
        ("x.jsonl", "{", r"line 1: this is not a JSON"),
        (
            "x.jsonl",
            json.dumps({"subject": "s", "person": "p", "values": [1]}),
            r"'values' must be an object",
        ),
        (
            "x.jsonl",
            json.dumps({"subject": "s", "person": "p", "values": VALUES, "seconds": "x"}),
            r"'seconds'",
        ),
    ],
)
def test_mistakes_are_named_with_their_line(name: str, text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read(io.StringIO(text, newline=""), name)


def test_plain_tables_are_enough() -> None:
    text = "\ufeff" + HEAD + "s,ann,Yes,1,no\n"
    assert read(io.StringIO(text, newline=""), "x.csv") == [Label("s", "inquiry", "aih", "ann", VALUES)]


def test_an_empty_file_holds_no_labels() -> None:
    assert read(io.StringIO("", newline=""), "x.csv") == read(io.StringIO("\n"), "x.jsonl") == []
