"""Lists and tables whose rows lead somewhere: whole texts, reached by click or key, and readable on a phone."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from arena.core import safe_text
from ui import address
from ui.markup import Element, element, short, show
from ui.words import NOTHING

LONGEST = 700  # characters of a text in a list; the dialogue shows the rest


class Cell(NamedTuple):
    """A value to order by, and what is shown for it."""

    sort: float | None
    shown: str


Value = Cell | str | int | float | None
NOT_EXPLAINED: Mapping[str, str] = {}


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a list: texts side by side, and facts beside them.

    `opens` is what `assist.clicked` returns when the row is clicked, or chosen by Enter.
    """

    opens: Mapping[str, str]
    texts: tuple[str, ...]
    facts: tuple[Element | str, ...]
    current: bool = False


def rows(captions: Sequence[str], shown: Sequence[Row], search: str | None = None) -> None:
    """Show a list. Each text stands under its caption; on a phone it stands beside it. `search` is highlighted."""
    head = element(
        "div", [element("div", caption) for caption in (*captions, "")], class_="hit head", aria_hidden="true"
    )
    show(
        element(
            "div",
            head,
            [_row(captions, row, search) for row in shown],
            class_=f"hits columns{len(captions)}",
        )
    )


def _row(captions: Sequence[str], row: Row, search: str | None) -> Element:
    cells = [
        element(
            "div",
            element("span", f"{caption}: ", class_="cap"),
            element("div", *highlighted(text, search), dir="auto", class_="words"),
            class_="cell",
        )
        for caption, text in zip(captions, row.texts, strict=True)
    ]
    return element(
        "div",
        cells,
        element("div", [fact if isinstance(fact, Element) else element("div", fact) for fact in row.facts]),
        class_="hit current" if row.current else "hit",
        role="link",
        tabindex="0",
        **_data(row.opens),
    )


def highlighted(text: str, search: str | None) -> Iterator[Element | str]:
    """Yield the parts of a text; those that were searched for are highlighted."""
    line = short(text, LONGEST)
    wanted = safe_text.clean(search).strip() if search else ""
    if not wanted:
        yield line
        return
    at = 0
    for match in re.finditer(re.escape(wanted), line, re.IGNORECASE):
        yield line[at : match.start()]
        yield element("mark", match.group())
        at = match.end()
    yield line[at:]


def table(
    given: Sequence[Mapping[str, Value]],
    opens: Sequence[Mapping[str, str]],
    *,
    explained: Mapping[str, str] = NOT_EXPLAINED,
    order: str | None = None,
) -> None:
    """Show a table whose rows lead somewhere. The first text of a row is its link.

    With `order`, a click on a head orders the rows by its column. `order` is the parameter of the address that names
    the column, with a minus before the name for descending order.
    """
    columns = list(given[0]) if given else []
    by = address.get(order) or "" if order else ""
    heads = [_head(name, by, order, explained.get(name), _kind(given[0][name])) for name in columns]
    body = [_line(row, _data(target)) for row, target in _ordered(given, opens, by)]
    head = element("thead", element("tr", heads))
    board = element("table", head, element("tbody", body), class_="board links")
    show(element("div", board, class_="wide", tabindex="0"))


def _ordered(
    given: Sequence[Mapping[str, Value]], opens: Sequence[Mapping[str, str]], by: str
) -> list[tuple[Mapping[str, Value], Mapping[str, str]]]:
    """Return the rows in the order that `by` names; rows without a value come last."""
    rows = list(zip(given, opens, strict=True))
    column = by.removeprefix("-")
    if not rows or column not in rows[0][0]:
        return rows
    known = [row for row in rows if _sort(row[0][column]) is not None]
    known.sort(key=lambda row: _sort(row[0][column]) or (0.0, ""), reverse=by.startswith("-"))
    return known + [row for row in rows if _sort(row[0][column]) is None]


def _sort(value: Value) -> tuple[float, str] | None:
    if isinstance(value, Cell):
        value = value.sort
    if isinstance(value, str):
        return 0.0, value.casefold()
    return None if value is None or math.isnan(value) else (float(value), "")


def _kind(value: Value) -> str:
    """Return the CSS class of a column: texts begin at the left, everything else ends at the right."""
    return "" if isinstance(value, str) else "num"


def _head(name: str, by: str, order: str | None, explained: str | None, kind: str) -> Element:
    """A column's head: the first click orders by it, the largest first; the second in reverse; the third not."""
    if order is None:
        return element("th", name, class_=kind)
    after = {f"-{name}": name, name: ""}.get(by, f"-{name}")
    sign = {f"-{name}": " ↓", name: " ↑"}.get(by, "")
    button = element(
        "span",
        name + sign,
        role="button",
        tabindex="0",
        title=explained or f"Order by {name}",
        data_order=after,
        data_into=order,
    )
    return element(
        "th", button, class_=kind, aria_sort={" ↓": "descending", " ↑": "ascending"}.get(sign, "none")
    )


def _line(row: Mapping[str, Value], data: Mapping[str, str]) -> Element:
    cells: list[Element] = []
    linked = False
    for value in row.values():
        text: Element | str = (
            value.shown if isinstance(value, Cell) else NOTHING if value is None else str(value)
        )
        if isinstance(value, str) and not linked:
            text, linked = element("span", text, role="link", tabindex="0", **data), True
        cells.append(element("td", text, class_=_kind(value)))
    return element("tr", cells, **data)


def _data(opens: Mapping[str, str]) -> dict[str, str]:
    return {"data_open": "", **{f"data_{name}": value for name, value in opens.items()}}


def ordered(clicked: Mapping[str, str]) -> bool:
    """Write the order that was clicked into the address; return whether one was."""
    if "order" not in clicked:
        return False
    address.put(**{clicked.get("into", "order"): clicked["order"] or None})
    return True
