"""The text format in which a language model reads a message and writes questions about it.

Each line of the model's answer is one question: its kind, the words of the message that answer it, and the question.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from arena.core.types import Kind

LONGEST = 1000  # characters of a message
NONE = "none"  # what the model writes if there is nothing to ask
WH, KINDS = ("one", "many"), {"yes": Kind.YES_NO_TRUE, "no": Kind.YES_NO_FALSE}


@dataclass(frozen=True, slots=True)
class Line:
    """One question. `kind` is `one` or `many` (right answers to a wh-question), or the answer `yes` or `no`."""

    kind: str
    answer: str
    question: str


def prompt(message: str) -> str:
    """Returns what the model reads: the message's beginning in one line, without broken characters."""
    line = " ".join(message.split())[:LONGEST]
    return f"Message: {line.encode('utf-8', 'replace').decode()}\nQuestions:\n"


def target(lines: Sequence[Line]) -> str:
    """Returns what the model should write."""
    return "\n".join(f"{line.kind} | {line.answer} | {line.question}" for line in lines) or NONE


def parsed(text: str) -> Iterator[Line]:
    """Yields the complete lines in the model's text. Lines in another form are skipped."""
    for written in text.splitlines():
        parts = [part.strip() for part in written.split(" | ")]
        if len(parts) == 3 and parts[0] in (*WH, *KINDS) and parts[1] and parts[2].endswith("?"):
            yield Line(*parts)
