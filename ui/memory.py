"""Streamlit's cache decorators with types, so that decorated functions keep their signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import streamlit as st

F = TypeVar("F", bound=Callable[..., Any])


def values(**options: Any) -> Callable[[F], F]:
    """Cache results by value: each caller gets a copy."""
    return cast(Callable[[F], F], st.cache_data(**{"show_spinner": False, **options}))


def things(**options: Any) -> Callable[[F], F]:
    """Cache the object itself; all callers share it and must not change it."""
    return cast(Callable[[F], F], st.cache_resource(**{"show_spinner": False, **options}))


def fragment(**options: Any) -> Callable[[F], F]:
    """Make a function a part of the page that is redrawn on its own."""
    return cast(Callable[[F], F], st.fragment(**options))


def dialog(title: str, **options: Any) -> Callable[[F], F]:
    """Make a function open a dialog on the page."""
    return cast(Callable[[F], F], st.dialog(title, **options))
