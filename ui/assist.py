"""Browser functions that Streamlit lacks: scrolling, leaving a field on Enter, links within a text."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import streamlit as st

from ui import memory

FILE = Path(__file__).with_name("assist.js")


@memory.things()
def _component() -> Any:
    return st.components.v2.component("arena_assist", js=FILE.read_text(encoding="utf-8"))


def scroll_to(selector: str, token: str) -> None:
    """Scroll the first element of the selector to the middle. It scrolls again only for a new token."""
    _component()(key="assist_scroll", data={"scroll": selector, "token": token}, height=0)


def go(page: str, parameters: Mapping[str, str]) -> None:
    """Let the browser go to another page, as by a link.

    The browser first stops refreshing the parts of this page. After `st.switch_page`, a refresh that is under way
    would empty the new page.
    """
    address = f"{page}?{urlencode(parameters, quote_via=quote)}"
    _component()(key="assist_go", data={"go": address, "token": time.time()}, height=0)


def leave_on_enter(selector: str) -> None:
    """Move the focus out of a matching field on Enter, so that keyboard shortcuts work again."""
    _component()(key="assist_leave", data={"leave": selector}, height=0)


def clicked() -> dict[str, str]:
    """Return the data of the link that the user has just clicked or chosen by Enter; empty if there is none.

    A link is an element with `data-jump`, `data-open` or `data-order`; its data are all its `data-` attributes.
    """
    given = _component()(key="assist_links", data={"links": True}, height=0, on_jump_change=_nothing).jump
    return {str(name): str(value) for name, value in given.items()} if isinstance(given, dict) else {}


def _nothing() -> None:
    """A listener that does nothing. A component reports a value only if the value has a listener."""
