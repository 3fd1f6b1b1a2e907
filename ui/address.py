"""Keeps a page's state in its address, so that reload, back and shared links show the same page.

The address is the only state. Each widget shows a value of the address, and writes a changed value back. A value that
equals the default is left out of the address, unless it must be kept.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, TypeVar

import streamlit as st

T = TypeVar("T")
PLACES = ("after", "from", "row")  # in a list: its page, and the row that was read last
READING = ("dialogue", "inquiry", "finding", "to")  # a choice among these leaves the list as it is
CARRIED = ("tournament", "judge", "tau", "check", "kind", "distance")  # from page to page


def get(name: str) -> str | None:
    """Return the value of a parameter in the address, or None."""
    return st.query_params.get(name) or None


def put(**values: str | None) -> None:
    """Write values into the address; a value of None removes the parameter."""
    for name, value in values.items():
        if value is None:
            if name in st.query_params:
                del st.query_params[name]
        elif st.query_params.get(name) != value:
            st.query_params[name] = value


def each(name: str) -> list[str]:
    """Return all values of a parameter that occurs several times."""
    return list(st.query_params.get_all(name))


def put_each(name: str, values: Sequence[str]) -> None:
    """Write a parameter that occurs several times; without values it is removed."""
    if values:
        st.query_params[name] = list(values)
    else:
        put(**{name: None})


def replace(**values: str | None) -> None:
    """Replace all parameters of the page's address."""
    st.query_params.from_dict({name: value for name, value in values.items() if value is not None})


def carried() -> dict[str, str]:
    """The parameters that links to other pages of the arena keep."""
    return {name: value for name in CARRIED if (value := get(name)) is not None}


def choice(
    widget: Callable[..., Any],
    label: str,
    name: str,
    options: Sequence[T],
    *,
    default: T,
    always: bool = False,
    code: Callable[[T], str] = str,
    show: Callable[[T], str] = str,
    **more: Any,
) -> T:
    """A selectbox, segmented control or radio group whose choice is the parameter `name`.

    With `always`, the default is written too, so that a link keeps its meaning if the default changes.
    """
    by_code = {code(option): option for option in options}
    usual = code(default)
    given = get(name)
    shown = given if given in by_code else usual
    key = _key(name, shown)
    chosen = widget(
        label,
        list(by_code),
        key=key,
        format_func=lambda one: show(by_code[one]),
        on_change=_changed,
        args=(name, key, "" if always else usual),
        **more,
    )
    if always:
        put(**{name: chosen})
    return by_code.get(chosen, by_code[shown])


def number(
    widget: Callable[..., Any], label: str, name: str, low: float, high: float, *, default: float, **more: Any
) -> float:
    """A slider or number field whose value is the parameter `name`."""
    shown = value(name, low, high, default)
    key = _key(name, shown)
    return float(
        widget(label, low, high, key=key, on_change=_changed, args=(name, key, f"{default:g}"), **more)
    )


def value(name: str, low: float, high: float, default: float) -> float:
    """The number in the address if it is valid for the field, else the default."""
    given = _number(get(name))
    return given if given is not None and low <= given <= high else default


def flag(widget: Callable[..., Any], label: str, name: str, **more: Any) -> bool:
    """A toggle or checkbox that is the parameter `name` when it is on."""
    key = _key(name, get(name) == "1")
    return bool(widget(label, key=key, on_change=_changed, args=(name, key, "0"), **more))


def box(label: str, name: str, value: str = "1") -> Any:
    """An expander that is open when the parameter `name` has this value."""
    key = f"address_{name}_{value}"
    st.session_state[key] = get(name) == value
    return st.expander(label, key=key, on_change=_folded, args=(name, key, value))


def text(widget: Callable[..., Any], label: str, name: str, **more: Any) -> str:
    """A text field whose content is the parameter `name`."""
    key = _key(name, get(name) or "")
    return str(widget(label, key=key, on_change=_changed, args=(name, key, ""), **more) or "").strip()


def among(name: str, options: Collection[str]) -> str | None:
    """Return the value in the address if it is one of the options, else None."""
    given = get(name)
    return given if given in options else None


def unknown(name: str, options: Collection[str]) -> str | None:
    """Return the value in the address if it is set and not one of the options, else None."""
    given = get(name)
    return given if given is not None and given not in options else None


def _key(name: str, value: Any) -> str:
    """Return the widget's key and set its value, which a widget loses when the page changes."""
    key = f"address_{name}"
    st.session_state[key] = value
    return key


def _changed(name: str, key: str, usual: str) -> None:
    value = st.session_state.get(key)
    written = f"{value:g}" if isinstance(value, float) else "1" if value is True else str(value or "")
    put(**{name: None if written in (usual, "") or value is False else written})
    if name not in READING:
        put(**dict.fromkeys(PLACES))  # another filter makes another list


def _folded(name: str, key: str, value: str) -> None:
    put(**{name: value if st.session_state.get(key) else None})


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text and len(text) < 20 else None
    except ValueError:
        return None
    return value if value is not None and value == value else None
