"""What every failure that a user meets must be: one sentence that can be shown anywhere."""

from __future__ import annotations

import re

from arena.core.safe_text import terminal

# A traceback, or a value as only its programmer knows it
INTERNAL = re.compile(r"Traceback|<class|object at 0x|pydantic|errors\.pydantic\.dev|NoneType")


def is_sentence(text: str) -> bool:
    """Ends as a sentence does, and is not what a library said to its programmer."""
    shown = terminal(text)
    return shown.rstrip().endswith((".", "?", "!")) and not INTERNAL.search(shown)
