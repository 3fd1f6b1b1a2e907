"""Makes widgets for an adapter's settings from its pydantic model; settings without a widget are written as YAML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import streamlit as st
import yaml

from arena.core import plugins
from arena.core.source_map import safe_load
from ui.markup import short

SIMPLE = {"string": str, "integer": int, "number": float, "boolean": bool}


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    kind: str  # a JSON type, or "choice"
    required: bool
    default: Any
    choices: tuple[str, ...] = ()
    low: float | None = None
    high: float | None = None
    help: str | None = None


@lru_cache
def fields(adapter: str) -> tuple[list[Field], list[str]]:
    """Return the settings that can have a widget, and the names of all other settings."""
    schema = plugins.load("arena.bots", adapter).Settings.model_json_schema()
    required = set(schema.get("required", ()))
    simple, rest = [], []
    for name, schema_of_field in schema.get("properties", {}).items():
        field = _field(name, schema_of_field, name in required)
        if field is None:
            rest.append(name)
        else:
            simple.append(field)
    return sorted(simple, key=lambda f: not f.required), rest


def _field(name: str, schema: Mapping[str, Any], required: bool) -> Field | None:
    options = [one for one in schema.get("anyOf", [schema]) if one.get("type") != "null"]
    if len(options) != 1:
        return None
    one = options[0]
    default, help = schema.get("default"), schema.get("description")
    if "enum" in one and all(isinstance(choice, str) for choice in one["enum"]):
        return Field(name, "choice", required, default, tuple(one["enum"]), help=help)
    if one.get("type") not in SIMPLE:
        return None
    low = one.get("minimum", one.get("exclusiveMinimum"))
    high = one.get("maximum", one.get("exclusiveMaximum"))
    return Field(name, one["type"], required, default, (), low, high, help)


def ask(field: Field, key: str, first: Any = None) -> Any:
    """Show a field. Returns the entered value, or None if it is the default; `first` is the initial value."""
    shown = field.default if first is None else first
    label = (
        field.name if field.required else f"{field.name} (optional)" if field.default is None else field.name
    )
    if field.kind == "choice":
        index = field.choices.index(shown) if shown in field.choices else 0
        value: Any = st.selectbox(label, field.choices, index=index, key=key, help=field.help)
    elif field.kind == "boolean":
        value = st.checkbox(label, bool(shown), key=key, help=field.help)
    elif field.kind == "string":
        value = st.text_input(label, shown or "", key=key, help=field.help) or None
    else:
        value = _number(field, label, key, shown)
    return None if value == field.default else value


def _number(field: Field, label: str, key: str, shown: Any) -> Any:
    whole = field.kind == "integer"
    cast = int if whole else float
    step: Any = 1 if whole else 0.05 if field.high == 1 else 0.5
    return st.number_input(
        label,
        min_value=None if field.low is None else cast(field.low),
        max_value=None if field.high is None else cast(field.high),
        value=None if shown is None else cast(shown),
        step=step,
        key=key,
        help=field.help,
        placeholder="default",
    )


def more(names: Sequence[str], key: str, start: str = "") -> tuple[dict[str, Any], str | None]:
    """Ask for further settings as YAML. Returns the values, and a sentence about a mistake or None."""
    text = st.text_area(
        "Further settings (YAML)",
        start,
        key=key,
        height=80,
        placeholder="decoding: {top_p: 0.9}" if "decoding" in names else None,
        help=f"Any of: {', '.join(names)}",
    )
    try:
        given = safe_load(text) if text.strip() else {}
    except yaml.YAMLError as error:
        return {}, f"The further settings are not valid YAML: {short(str(error), 160)}"
    if not isinstance(given, dict):
        return {}, "The further settings must be a mapping such as 'decoding: {top_p: 0.9}'."
    return given, None
