"""Streamlit's cache decorators, typed so that decorated functions keep their types."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import streamlit as st

F = TypeVar("F", bound=Callable[..., Any])


def values(**options: Any) -> Callable[[F], F]:
    """Caches results by value: each caller gets a copy."""
    return cast(Callable[[F], F], st.cache_data(**{"show_spinner": False, **options}))


def things(**options: Any) -> Callable[[F], F]:
    """Caches the object itself, which all callers share and must not change."""
    return cast(Callable[[F], F], st.cache_resource(**{"show_spinner": False, **options}))


def fragment(**options: Any) -> Callable[[F], F]:
    """A part of a page that is redrawn on its own."""
    return cast(Callable[[F], F], st.fragment(**options))


def dialog(title: str, **options: Any) -> Callable[[F], F]:
    """A function that opens a dialog on the page."""
    return cast(Callable[[F], F], st.dialog(title, **options))
