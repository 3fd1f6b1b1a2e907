"""Reads files line by line, without filling the memory with a line that never ends."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from arena.core.errors import InputError

LONGEST = 1 << 26  # characters of a line; a dialogue of 100,000 messages has a quarter of that


def bounded(file: TextIO, name: str) -> Iterator[str]:
    """Return the lines of an untrusted file. A longer line raises an error with its number."""
    number = 0
    while line := file.readline(LONGEST):
        number += 1
        if len(line) == LONGEST and not line.endswith("\n"):
            raise InputError(
                f"{name}, line {number}: it has {LONGEST:,} characters or more and is not read; split it."
            )
        yield line
