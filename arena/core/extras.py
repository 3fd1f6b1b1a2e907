"""Optional libraries: the extra of this package that installs each library, and the error if it is missing."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import Any

from arena.core.errors import MissingPart

EXTRAS = {"matplotlib": "plots", "psycopg": "postgres", "ray": "ray", "spacy": "spacy", "peft": "train"}


def command(library: str) -> str:
    """Return the command that installs a missing library."""
    extra = EXTRAS.get(library)
    return f"pip install 'consistency-arena[{extra}]'" if extra else f"pip install {library}"


def require(library: str, reason: str) -> None:
    """Raise an error if the library is not installed. It is not imported, so the check is fast."""
    if find_spec(library) is None:
        raise _missing(library, reason)


def need(library: str, reason: str) -> Any:
    """Import and return the library.

    `reason` is the beginning of the error for a missing library, such as "Plots need".
    """
    try:
        return import_module(library)
    except ModuleNotFoundError as error:
        raise _missing(library, reason) from error


def _missing(library: str, reason: str) -> MissingPart:
    return MissingPart(f"{reason} {library}, which is not installed: {command(library)}.")
