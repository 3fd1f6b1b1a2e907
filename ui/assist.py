"""What a page needs of the browser that Streamlit does not offer: scrolling to a place, leaving a field on Enter."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import streamlit as st

from ui import memory

FILE = Path(__file__).with_name("assist.js")


@memory.things()
def _component() -> Any:
    return st.components.v2.component("arena_assist", js=FILE.read_text(encoding="utf-8"))


def scroll_to(selector: str, token: str) -> None:
    """Shows the first element of the selector in the middle; again only when the token is another one."""
    _component()(key="assist_scroll", data={"scroll": selector, "token": token}, height=0)


def leave_on_enter(selector: str) -> None:
    """Enter in such a field takes the focus out of it, so that keys answer again."""
    _component()(key="assist_leave", data={"leave": selector}, height=0)
