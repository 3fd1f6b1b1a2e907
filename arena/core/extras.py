"""Optional libraries: which extra of this package brings each, and the sentence for a missing one."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from arena.core.errors import MissingPart

EXTRAS = {"matplotlib": "plots", "psycopg": "postgres", "ray": "ray", "spacy": "spacy", "peft": "train"}


def command(library: str) -> str:
    """What to type to install a library that is missing."""
    extra = EXTRAS.get(library)
    return f"pip install 'consistency-arena[{extra}]'" if extra else f"pip install {library}"


def require(library: str, reason: str) -> None:
    """Raises if the library is not installed, without importing it: for checks before long work."""
    if find_spec(library) is None:
        raise _missing(library, reason)


def need(library: str, reason: str) -> Any:
    """The imported library. `reason` begins the sentence for a missing one: "Plots need"."""
    try:
        return import_module(library)
    except ModuleNotFoundError as error:
        raise _missing(library, reason) from error


def _missing(library: str, reason: str) -> MissingPart:
    return MissingPart(f"{reason} {library}, which is not installed: {command(library)}.")
