"""The keys of a section of the tournament file, with type, default and meaning, for help texts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel


@dataclass(frozen=True, slots=True)
class Key:
    """A key. The name of a key in a nested section has dots."""

    name: str
    type: str
    default: Any
    required: bool
    description: str
    example: Any


def keys_with_sections(model: type[BaseModel]) -> list[Key]:
    """Every key of the model; each section is followed by its keys."""
    return list(_keys(model.model_json_schema(), model.model_json_schema(), ""))


def _keys(part: dict[str, Any], whole: dict[str, Any], before: str) -> Iterator[Key]:
    for name, field in part.get("properties", {}).items():
        required = name in part.get("required", ())
        examples = field.get("examples") or [None]
        default, meaning = field.get("default"), field.get("description", "")
        yield Key(f"{before}{name}", type_of(field), default, required, meaning, examples[0])
        if "$ref" in field:
            inner = whole["$defs"][field["$ref"].rsplit("/", 1)[-1]]
            yield from _keys(inner, whole, f"{before}{name}.")


def example(adapter: str, model: type[BaseModel]) -> str:
    """Return an entry of a tournament file with the required keys."""
    import json

    needed = [key for key in keys_with_sections(model) if key.required]
    parts = ["name: mine", f"adapter: {adapter}"]
    parts += [f"{key.name}: {json.dumps(key.example if key.example is not None else '…')}" for key in needed]
    return "- {" + ", ".join(parts) + "}"


def type_of(field: dict[str, Any]) -> str:
    """Describe the type of a JSON schema in words."""
    if "$ref" in field:
        return f"see {field['$ref'].rsplit('/', 1)[-1]}"
    if "anyOf" in field:
        return " or ".join(dict.fromkeys(type_of(option) for option in field["anyOf"]))
    if "enum" in field or "const" in field:
        return " or ".join(f"`{value}`" for value in field.get("enum", [field.get("const")]))
    if field.get("type") == "array":
        return f"list of {type_of(field['items'])}" if "items" in field else "list"
    names = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}
    return names.get(
        str(field.get("type")), {"object": "mapping", "null": "nothing"}.get(str(field.get("type")), "any")
    )
