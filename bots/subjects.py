"""Lines that change the subject when a conversation repeats itself."""

from __future__ import annotations

from collections.abc import Container
from functools import lru_cache
from importlib.resources import files
from random import Random


@lru_cache(maxsize=1)
def subjects() -> tuple[str, ...]:
    """Returns the shipped lines, each of which contains a question."""
    text = files("bots").joinpath("subjects.txt").read_text(encoding="utf-8")
    return tuple(line.strip() for line in text.splitlines() if line.strip())


def change_of_subject(draw: Random, used: Container[str]) -> str:
    """Returns a line that was not used yet, or any line if all were used."""
    left = [line for line in subjects() if line not in used]
    return draw.choice(left or list(subjects()))
