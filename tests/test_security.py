"""SECURITY.md and the pages promise what tests hold: every promise names tests, and they are there."""

from __future__ import annotations

import re
import socket
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NAMED = re.compile(r"\[(tests/[\w/]+\.py)::(\w+)\]")
TEXT = (ROOT / "SECURITY.md").read_text(encoding="utf-8")


PROMISE = re.compile(r"^\| (\w+) \| (.+) \| (`tests/.+`) \|$", re.M)
PROMISES = PROMISE.findall((ROOT / "docs" / "promises.md").read_text(encoding="utf-8"))


def test_every_named_test_exists() -> None:
    named = NAMED.findall(TEXT)
    for _, _, tests in PROMISES:
        named += [tuple(test.strip("` ").split("::")) for test in tests.split(", ")]
    assert len(named) > 120
    for file, test in named:
        path = ROOT / file
        assert path.is_file(), file
        assert re.search(rf"^(?:async )?def {test}\(", path.read_text(encoding="utf-8"), re.M), (
            f"{file}::{test}"
        )


@pytest.mark.parametrize(("page", "sentence"), [one[:2] for one in PROMISES])
def test_the_page_still_promises_it(page: str, sentence: str) -> None:
    text = " ".join((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8").split())
    assert sentence in text


def test_every_promise_names_a_test() -> None:
    promises = TEXT.partition("## What is a boundary")[2].partition("## What is not a boundary")[0]
    promises += TEXT.partition("## Network")[2]
    for promise in re.split(r"\n- ", promises)[1:]:
        assert NAMED.search(promise), promise[:80]


def test_tests_have_no_network() -> None:
    with socket.socket() as outside, pytest.raises(OSError, match="tests have no network"):
        outside.connect(("192.0.2.1", 80))


def test_there_is_a_private_way_to_report() -> None:
    """A way that works wherever the repository is, and no address that nobody reads."""
    reporting = TEXT.partition("## What is a boundary")[0]
    assert "private vulnerability reporting" in reporting and "Report a vulnerability" in reporting
    assert "@" not in reporting and "[SECURITY](SECURITY.md)" in (ROOT / "CONTRIBUTING.md").read_text()


def test_every_sentence_about_a_boundary_names_a_test() -> None:
    """Outside the bullets stand headings and what a section is about, no promises of their own."""
    promises = TEXT.partition("## What is a boundary")[2].partition("## What is not a boundary")[0]
    for paragraph in promises.strip().split("\n\n"):
        if paragraph.startswith("**"):
            assert len(paragraph) < 120 and not NAMED.search(paragraph), paragraph
        else:
            assert paragraph.startswith("- "), paragraph[:80]
