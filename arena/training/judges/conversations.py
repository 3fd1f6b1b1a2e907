"""The conversations of Synthetic-Persona-Chat that language models are asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from arena.core.hashing import digest
from arena.training.judges.texts import table


def conversations(data: Path) -> Iterator[tuple[str, tuple[str, str], list[tuple[int, str]]]]:
    """Yield (key, both personas, messages with their speakers) of the training part, if it is there."""
    path = data / "dialogues" / "synthetic_persona_chat_train.csv"
    if not path.exists():
        return
    for row in table(path, quoting=True):
        first, second, text = row.values()
        lines = [
            (int(match.group(1)) - 1, match.group(2).strip())
            for line in text.splitlines()
            if (match := re.match(r"User ([12]):\s*(.+)", line))
        ]
        if len(lines) > 3:
            yield digest(text)[:16], (first, second), lines
