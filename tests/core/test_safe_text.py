"""Hostile text in every place where it is shown."""

from __future__ import annotations

import csv
import io
import json
import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core import safe_text as safe

HOSTILE = "=cmd|' /C calc'!A0<script>alert(1)</script>"


@pytest.mark.parametrize(
    "text",
    [
        "\x1b[31mred\x1b[0m",
        "\x1b]8;;http://evil\x07link\x1b]8;;\x07",
        "\x9b2Jgone",
        "\x1bc reset",
        "a\x1b]0;title",
        "bell\x07",
        "back\x08\x08\x08space",
        "\u202eright-to-left",
        "line\rover",
    ],
)
def test_a_terminal_sees_letters_only(text: str) -> None:
    shown = safe.terminal(text)
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", shown)


@given(st.text())
def test_no_text_reaches_a_terminal_with_control_characters(text: str) -> None:
    assert not re.search(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", safe.terminal(text))
    safe.terminal(text).encode()


def test_ordinary_text_stays_as_it_is() -> None:
    for text in ("I have two kids.", "naïve café 😀", "1 < 2 & 3", "[not markup]"):
        assert safe.terminal(text) == text


def test_rich_markup_is_only_text() -> None:
    assert (
        safe.rich_text("[red]no[/red] [link=http://x]y[/link]").plain
        == "[red]no[/red] [link=http://x]y[/link]"
    )


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n"])
def test_a_spreadsheet_sees_no_formula(start: str) -> None:
    assert safe.cell(start + "1+1") == "'" + start + "1+1"
    assert safe.cell(start + "1+1", raw=True) == start + "1+1"


def test_numbers_stay_numbers_in_csv() -> None:
    assert safe.cell(-0.25) == -0.25


@given(st.text(alphabet=st.characters(blacklist_categories=("Cs",), blacklist_characters="\x00")))
def test_csv_keeps_the_text_behind_the_guard(text: str) -> None:
    stream = io.StringIO(newline="")
    csv.writer(stream).writerow([safe.cell(text), "end"])
    first, end = next(csv.reader(io.StringIO(stream.getvalue(), newline="")))
    assert end == "end"
    assert safe.uncell(first) == re.sub("[\x01-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", "\ufffd", text)


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data


@given(st.text())
def test_html_never_opens_a_tag(text: str) -> None:
    parser = _Tags()
    parser.feed(f'<p title="{safe.html(text)}">{safe.html(text)}</p>')
    assert parser.tags == ["p"]


def test_html_shows_the_hostile_name_as_text() -> None:
    parser = _Tags()
    parser.feed(safe.html(HOSTILE))
    assert (parser.tags, parser.text) == ([], HOSTILE)


@given(st.text())
def test_json_cannot_leave_its_script(text: str) -> None:
    written = safe.script_json({"text": text})
    assert "<" not in written and ">" not in written
    assert json.loads(written)["text"] == re.sub("[\ud800-\udfff]", "\ufffd", text)


def test_markdown_has_no_columns_links_or_mentions() -> None:
    shown = safe.markdown("a|b [x](http://evil) @team <b>`code`")
    assert "\\|" in shown and "<b>" not in shown and "@team" not in shown and "http://" not in shown


@given(st.text())
def test_a_file_name_is_never_a_path(text: str) -> None:
    name = safe.filename(text)
    assert name and "/" not in name and "\\" not in name and not name.startswith(".")
