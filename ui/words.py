"""Phrases notices, facts and numbers for pages. Every text is escaped."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from ui.markup import Element, element, short, show

NOTHING = "–"


def percent(value: float | None, digits: int = 1) -> str:
    if value is None or not math.isfinite(value):
        return NOTHING
    return f"{100 * value:.{digits}f}%"


def points(value: float) -> str:
    """Return a difference of rates in percentage points, with its sign."""
    return f"{100 * value:+.1f}".replace("-", "−") if math.isfinite(value) else NOTHING


def between(low: float, high: float) -> str:
    """Return the interval of a difference in percentage points."""
    return f"{points(low)} … {points(high)}" if math.isfinite(low) and math.isfinite(high) else NOTHING


def number(value: float | None, digits: int = 2) -> str:
    if value is None or not math.isfinite(value):
        return NOTHING
    return f"{value:.{digits}f}"


def count(value: int) -> str:
    return f"{value:,}"


def plural(value: int, noun: str, nouns: str | None = None) -> str:
    return f"{value:,} {noun if value == 1 else nouns or noun + 's'}"


def ranks(low: int, high: int) -> str:
    if low <= 0:
        return NOTHING
    return str(low) if low == high else f"{low}–{high}"


def span(seconds: float) -> str:
    if seconds < 1:
        return "under 1 s"
    if seconds < 90:
        return f"{seconds:.0f} s"
    if seconds < 5400:
        return f"{seconds / 60:.0f} min"
    if seconds < 172800:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 86400:.1f} days"


def distinct(different: int, all_of_them: int) -> str:
    """Return the number of dialogues and, if it differs, the number of distinct dialogues."""
    if different == all_of_them:
        return f"{all_of_them:,}"
    return f"{different:,} distinct of {all_of_them:,}"


REASONS = {
    "no_question": "no question could be asked about the reply",
    "duplicate": "the same was asked already",
    "low_score": "no question was good enough",
    "no_entity": "nothing to ask about was found in the reply",
    "past_end": "the dialogue ended before the question was due",
    "timeout": "no answer in time",
    "empty": "an empty answer",
    "unjudged": "no judge has looked at it yet",
}


def reason(code: str) -> str:
    """Return a stored reason in words; an unknown reason is returned unchanged."""
    return REASONS.get(code, short(code.replace("_", " "), 60))


def headline(sentence: str) -> None:
    show(element("p", sentence, class_="headline"))


def lead(sentence: str) -> None:
    show(element("p", sentence, class_="lead"))


def notice(sentence: str, kind: str = "info") -> None:
    """Show a notice; `kind` is info, warn or bad."""
    show(element("div", sentence, class_=f"notice {kind}"))


def facts(**given: str) -> None:
    show(
        element(
            "div",
            [
                element("div", element("b", value), element("span", name.replace("_", " ")), class_="fact")
                for name, value in given.items()
            ],
            class_="facts",
        )
    )


def table(rows: Sequence[Mapping[str, str | int]]) -> None:
    """Show a small read-only table; numbers are right-aligned."""
    if not rows:
        notice("Nothing to show.")
        return
    head = [element("th", name) for name in rows[0]]
    body = [
        element(
            "tr",
            [element("td", value, class_="num" if isinstance(value, int) else "") for value in row.values()],
        )
        for row in rows
    ]
    show(element("table", element("thead", element("tr", head)), element("tbody", body), class_="board"))


def spoken(value: object) -> str:
    """Return a stored answer as a word."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def tag(text: str, kind: str = "") -> Element:
    return element("span", text, class_=f"tag {kind}".strip())


@contextmanager
def show_arena_errors() -> Iterator[None]:
    """Show an error as one sentence; the rest of the page is shown as usual."""
    from arena.core.errors import ArenaError

    try:
        yield
    except ArenaError as error:
        notice(str(error), "bad")
