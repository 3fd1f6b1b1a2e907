"""Streamlit's decorators with their types: what they decorate keeps its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import streamlit as st

F = TypeVar("F", bound=Callable[..., Any])


def values(**options: Any) -> Callable[[F], F]:
    """Remembers results by value: each reader has a copy."""
    return cast(Callable[[F], F], st.cache_data(**{"show_spinner": False, **options}))


def things(**options: Any) -> Callable[[F], F]:
    """Remembers the thing itself, shared by all readers, who leave it as it is."""
    return cast(Callable[[F], F], st.cache_resource(**{"show_spinner": False, **options}))


def fragment(**options: Any) -> Callable[[F], F]:
    """A part of a page that is shown anew alone."""
    return cast(Callable[[F], F], st.fragment(**options))


def dialog(title: str, **options: Any) -> Callable[[F], F]:
    """A function that draws a window over the page."""
    return cast(Callable[[F], F], st.dialog(title, **options))
