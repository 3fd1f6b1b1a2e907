"""SECURITY.md promises what tests hold: every promise names tests, and they are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
NAMED = re.compile(r"\[(tests/[\w/]+\.py)::(\w+)\]")
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


def test_every_named_test_exists() -> None:
    named = NAMED.findall(TEXT)
    assert len(named) > 30
    for file, test in named:
        path = ROOT / file
        assert path.is_file(), file
        assert re.search(rf"^(?:async )?def {test}\(", path.read_text(encoding="utf-8"), re.M), (
            f"{file}::{test}"
        )


def test_every_promise_names_a_test() -> None:
    promises = TEXT.partition("## What is a boundary")[2].partition("## What is not a boundary")[0]
    for promise in re.split(r"\n- ", promises)[1:]:
        assert NAMED.search(promise), promise[:80]


def test_there_is_an_address_to_report_to() -> None:
    assert re.search(r"security@\S+", TEXT.partition("## What is a boundary")[0])
