"""Detects loops in conversations: which side repeats itself or copies the other, and from which message on.

Everything that treats a message as a repetition uses this module: the end of a dialogue (arena/play/dialogue.py),
the interviewer's change of subject, and the counts of degenerate dialogues.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

SAME = 0.7  # share of a message's runs that must have occurred before
SHORT = 8  # with fewer words in two messages, two repetitions are no loop
LAST = 2  # number of last messages, of either side, whose long words count
PARTNER = 2  # number of the partner's last messages that count for copies
RUN = 3  # words in a run
STEM = 5  # letters of a long word that are compared
LONG = 4  # letters of a word that carries content
ENOUGH = 6  # different long words that a message needs to be compared by them
RECENT = 4  # number of last messages whose long words count as an echo

SHARE = 0.5  # of a bot's messages
FEWEST = 3  # fewest messages for a sign
STUTTER = 4  # immediate repetitions of the same words

Run = tuple[str, ...]


class How(StrEnum):
    """The way in which a message adds nothing new to the conversation."""

    REPEATS = "repeats"  # itself
    COPIES = "copies"  # the partner
    STUTTERS = "stutters"  # the same words many times within one message


@dataclass(frozen=True, slots=True)
class Loop:
    """The message that completed the loop, and the side that sent it."""

    message: int
    seat: int
    how: How


class LoopWatch:
    """Receives a conversation message by message. The time is linear in the length of the text.

    A message is stale if nearly all of its three-word sequences have occurred before, either in messages of the
    same side or in the partner's last two messages, or if nearly all of its long words have occurred in the last two
    messages: then it says the same in other words. Two stale messages of one side in a row are a loop. If they are
    short ("Yes.", "Bye!"), a third stale message or a stale message of the partner is also required.
    """

    def __init__(self) -> None:
        self.stale: list[How | None] = []
        self._seats: list[int] = []
        self._lengths: list[int] = []
        self._own: dict[int, set[Run]] = {}
        self._heard: dict[int, deque[set[Run]]] = {}
        self._stems: deque[tuple[int, set[str]]] = deque(maxlen=LAST)

    def hear(self, seat: int, text: str) -> Loop | None:
        """Adds a message. Returns a loop if this message completes one."""
        words = words_of(text)
        runs, stems = _runs(words), _stems(words)
        own = self._own.setdefault(seat, set())
        others = [heard for other, heard in self._heard.items() if other != seat]
        how = None
        if _covered(runs, own):
            how = How.REPEATS
        elif any(_covered(runs, *heard) for heard in others):
            how = How.COPIES
        elif stutters(words):
            how = How.STUTTERS
        else:
            how = self._in_other_words(seat, stems)
        self._stems.append((seat, stems))
        own.update(runs)
        self._heard.setdefault(seat, deque(maxlen=PARTNER)).append(set(runs))
        self.stale.append(how)
        self._seats.append(seat)
        self._lengths.append(len(words))
        return Loop(len(self.stale) - 1, seat, how) if how and self._closed(seat) else None

    def forget_staleness(self) -> None:
        """Restarts the count of stale messages after a change of subject. Earlier messages stay in memory."""
        self.stale = [None] * len(self.stale)

    def _in_other_words(self, seat: int, stems: set[str]) -> How | None:
        """Whether the long words of the message occurred in the last messages, and whose they mostly are."""
        if len(stems) < ENOUGH:
            return None
        known = stems & set().union(*(heard for _, heard in self._stems))
        if len(known) < SAME * len(stems):
            return None
        heard = set().union(*(words for other, words in self._stems if other != seat))
        return How.COPIES if 2 * len(known & heard) >= len(known) else How.REPEATS

    def _closed(self, seat: int) -> bool:
        last = len(self.stale) - 1
        mine = [i for i in range(max(0, last - 5), last + 1) if self._seats[i] == seat][-3:]
        if len(mine) < 2 or not all(self.stale[i] for i in mine[-2:]):
            return False
        if sum(self._lengths[i] for i in mine[-2:]) >= SHORT:
            return True
        partner = [i for i in range(max(0, last - 2), last) if self._seats[i] != seat]
        return (len(mine) == 3 and self.stale[mine[0]] is not None) or any(self.stale[i] for i in partner)


def flags(texts: Sequence[str]) -> tuple[str, ...]:
    """Returns the names of the signs of degeneration in a bot's messages of one dialogue."""
    if len(texts) < FEWEST:
        return ()
    words = [text.lower().split() for text in texts]
    signs = []
    if max(Counter(" ".join(w) for w in words).values()) >= max(FEWEST, SHARE * len(texts)):
        signs.append("repeats")
    if sum(len(w) <= 1 for w in words) >= SHARE * len(texts):
        signs.append("one_word")
    if sum(stutters(w) for w in words) >= SHARE * len(texts):
        signs.append("loops")
    return tuple(signs)


def echo(text: str, earlier: Sequence[str]) -> float:
    """Returns how much of a message the conversation has said before, from 0 to 1.

    It is the share of its three-word sequences that occurred in any message, or of its long words that occurred in
    the last messages, whichever is higher.
    """
    words = words_of(text)
    runs, stems = _runs(words), _stems(words)
    if not runs:
        return 1.0
    known = {run for message in earlier for run in _runs(words_of(message))}
    recent = {stem for message in earlier[-RECENT:] for stem in _stems(words_of(message))}
    return max(sum(run in known for run in runs) / len(runs), len(stems & recent) / max(1, len(stems)))


def stutters(words: Sequence[str]) -> bool:
    """Whether a run of up to six words occurs STUTTER times in succession."""
    for size in range(1, 7):
        for start in range(len(words) - size * STUTTER + 1):
            run = words[start : start + size]
            if all(words[start + k * size : start + (k + 1) * size] == run for k in range(1, STUTTER)):
                return True
    return False


def words_of(text: str) -> list[str]:
    """Returns the words for comparison, in lower case and without punctuation."""
    return re.findall(r"[^\W_]+(?:['’][^\W_]+)*", text.lower())


def _runs(words: Sequence[str]) -> list[Run]:
    """Returns all sequences of three words, with markers for the message's start and end.

    Empty for a message without words.
    """
    padded = ["", *words, ""] if words else []
    return [tuple(padded[i : i + RUN]) for i in range(len(padded) - RUN + 1)]


def _stems(words: Sequence[str]) -> set[str]:
    """Returns the beginnings of the long words, which inflection leaves as they are."""
    return {word[:STEM] for word in words if len(word) >= LONG}


def _covered(runs: Sequence[Run], *known: set[Run]) -> bool:
    return bool(runs) and sum(any(run in some for some in known) for run in runs) >= SAME * len(runs)
