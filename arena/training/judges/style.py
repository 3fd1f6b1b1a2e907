"""Makes clean text look as chatbots and people type it.

Case is not changed, because the encoder reads lower case.
"""

from __future__ import annotations

import random
import re

from arena.training.judges.kinds import listed

OPENINGS, CLOSINGS, GREETINGS, CHAT = (listed(name) for name in ("openings", "closings", "greetings", "chat"))

_SLIPS = {
    "you": "u",
    "are": "r",
    "because": "cuz",
    "really": "rly",
    "favorite": "fav",
    "going to": "gonna",
    "and": "&",
}
_LONG = {
    "I'm ": "I am ", "I've ": "I have ", "don't": "do not", "can't": "cannot", "isn't": "is not", "It's": "It is",
    "it's": "it is", "didn't": "did not", "doesn't": "does not", "aren't": "are not", "What's": "What is",
}  # fmt: skip


def sloppy(text: str, source: random.Random) -> str:
    """Apply one kind of careless spelling to a part of the texts."""
    draw = source.random()
    if draw < 0.55:
        return text
    if draw < 0.68:
        return text.replace("'", "")
    if draw < 0.78:
        return text.rstrip(".!")
    if draw < 0.88:
        for short, long in _LONG.items():
            text = text.replace(short, long)
        return text
    if draw < 0.92:
        return re.sub(r"(\w)'(\w)", r"\1 '\2", text).replace(".", " .")
    if draw < 0.96:
        return " ".join(_SLIPS.get(word, word) if source.random() < 0.5 else word for word in text.split(" "))
    words = text.split(" ")
    at = source.randrange(len(words))
    if len(words[at]) > 5 and words[at].isalpha():
        cut = source.randrange(1, len(words[at]) - 2)
        words[at] = words[at][:cut] + words[at][cut + 1] + words[at][cut] + words[at][cut + 2 :]
    return " ".join(words)
