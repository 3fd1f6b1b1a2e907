"""Optional libraries: which extra of this package installs each one, and the error if it is missing."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from arena.core.errors import MissingPart

EXTRAS = {"matplotlib": "plots", "psycopg": "postgres", "ray": "ray", "spacy": "spacy", "peft": "train"}


def command(library: str) -> str:
    """The command that installs a missing library."""
    extra = EXTRAS.get(library)
    return f"pip install 'consistency-arena[{extra}]'" if extra else f"pip install {library}"


def require(library: str, reason: str) -> None:
    """Raises if the library is not installed; does not import it, so it suits checks before long work."""
    if find_spec(library) is None:
        raise _missing(library, reason)


def need(library: str, reason: str) -> Any:
    """Imports and returns the library. `reason` begins the error for a missing one: "Plots need"."""
    try:
        return import_module(library)
    except ModuleNotFoundError as error:
        raise _missing(library, reason) from error


def _missing(library: str, reason: str) -> MissingPart:
    return MissingPart(f"{reason} {library}, which is not installed: {command(library)}.")
