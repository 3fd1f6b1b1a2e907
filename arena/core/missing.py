"""Combines several missing parts into one error with the commands that install them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from arena.core.errors import MissingPart

_PACKAGE = r"(?:'[^']+'|[\w\[\]=<>.-]*\w)"
_COMMAND = re.compile(rf"`(arena [^`]+)`|'(arena [^']+)'|(pip install (?:--no-deps )?{_PACKAGE})")


def combined(sentences: Sequence[str]) -> MissingPart:
    """Return one error for all missing parts; a single sentence is left unchanged."""
    if len(sentences) == 1:
        return MissingPart(sentences[0])
    commands = list(dict.fromkeys(command for sentence in sentences for command in remedies(sentence)))
    run = f" All of it: {' && '.join(commands)}" if commands else ""
    return MissingPart(f"{len(sentences)} parts are missing. {' '.join(sentences)}{run}")


def remedies(sentence: str) -> list[str]:
    """Return the commands that a sentence quotes."""
    return [next(filter(None, match.groups())) for match in _COMMAND.finditer(sentence)]
