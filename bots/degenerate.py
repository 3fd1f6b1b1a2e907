"""Signs that a bot no longer converses: it says the same thing over and over, loops, or says one word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

SHARE = 0.5  # of a bot's messages
FEWEST = 3  # messages before anything is said of a bot
LOOP = 4  # times that a run of words comes in a row


def flags(texts: Sequence[str]) -> tuple[str, ...]:
    """The names of the signs that one bot's messages of a dialogue show."""
    if len(texts) < FEWEST:
        return ()
    words = [text.lower().split() for text in texts]
    found = []
    if max(Counter(" ".join(w) for w in words).values()) >= max(FEWEST, SHARE * len(texts)):
        found.append("repeats")
    if sum(len(w) <= 1 for w in words) >= SHARE * len(texts):
        found.append("one_word")
    if sum(_loops(w) for w in words) >= SHARE * len(texts):
        found.append("loops")
    return tuple(found)


def _loops(words: Sequence[str]) -> bool:
    """Whether a run of up to six words comes LOOP times in a row."""
    for size in range(1, 7):
        for start in range(len(words) - size * LOOP + 1):
            run = words[start : start + size]
            if all(words[start + k * size : start + (k + 1) * size] == run for k in range(1, LOOP)):
                return True
    return False
