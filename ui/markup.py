"""The only place that produces HTML: elements whose texts and attributes are all escaped."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from arena.core import safe_text as safe

SHOWN = 1200  # characters of one utterance before it is folded
LONGEST = 100_000

_HARMLESS = frozenset(
    (
        *(
            "div",
            "span",
            "p",
            "b",
            "em",
            "small",
            "strong",
            "h3",
            "h4",
            "ol",
            "ul",
            "li",
            "details",
            "summary",
        ),
        *("table", "thead", "tbody", "tr", "th", "td", "kbd", "mark", "q"),
    )
)


@dataclass(frozen=True, slots=True)
class Element:
    """Escaped HTML; only `element` creates it."""

    html: str


def element(
    name: str, *children: Element | str | int | Iterable[Element | str] | None, **attributes: str
) -> Element:
    """Make one of a few harmless elements.

    The argument `class_` becomes `class`; an underscore in another attribute's name becomes a dash.
    """
    if name not in _HARMLESS:
        raise ValueError(f"no element <{name}>")
    given = []
    for key, value in attributes.items():
        attribute = key.rstrip("_").replace("_", "-")
        if attribute not in (
            "class",
            "title",
            "id",
            "dir",
            "lang",
            "colspan",
            "open",
            "role",
            "tabindex",
        ) and not attribute.startswith(("data-", "aria-")):
            raise ValueError(f"no attribute {attribute}")
        given.append(f' {attribute}="{safe.html(value, lines=False)}"')
    return Element(f"<{name}{''.join(given)}>{''.join(_inner(children))}</{name}>")


def _inner(children: Iterable[Element | str | int | Iterable[Element | str] | None]) -> Iterable[str]:
    for child in children:
        if child is None:
            continue
        if isinstance(child, Element):
            yield child.html
        elif isinstance(child, str | int):
            yield safe.html(str(child))
        else:
            yield from _inner(child)


def utterance(text: str, shown: int = SHOWN, class_: str = "text") -> Element:
    """Show an utterance with isolated text direction and line breaks; a long utterance is folded."""
    cleaned = safe.clean(text, lines=True)
    if len(cleaned) <= shown:
        return element("div", cleaned, class_=class_, dir="auto")
    rest = cleaned[:LONGEST]
    cut = f" (the first {LONGEST:,} of {len(cleaned):,} characters)" if len(cleaned) > LONGEST else ""
    return element(
        "div",
        element("span", cleaned[:shown] + " …"),
        element(
            "details",
            element("summary", f"All {len(cleaned):,} characters{cut}"),
            element("div", rest, class_="long"),
        ),
        class_=class_,
        dir="auto",
    )


def short(text: str | None, limit: int = 160) -> str:
    """Return the text as one clean, shortened line for a table cell."""
    if text is None:
        return ""
    line = safe.clean(text[: 4 * limit]).strip()
    return line if len(line) <= limit and len(text) <= 4 * limit else line[: limit - 1].rstrip() + "…"


def keys(*names: str) -> Element:
    return element("span", [element("kbd", name) for name in names], class_="keys")


def show(*elements: Element) -> None:
    """Show elements on the page."""
    import streamlit as st

    st.html("".join(one.html for one in elements))
