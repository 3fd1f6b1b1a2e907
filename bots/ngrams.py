"""Keeps a reply from repeating what was said: no run of tokens of a given length occurs twice in a conversation."""

from __future__ import annotations

from collections.abc import Collection, Sequence


class Blocked:
    """The tokens that would complete a run of `size` tokens which has occurred before.

    A run has occurred if it is in one of the earlier messages or in the reply itself; runs do not span messages. The
    table of runs is built once per reply and extended by each new token, so a token costs one lookup.
    """

    def __init__(self, size: int, messages: Sequence[Sequence[int]]) -> None:
        self._size = size
        self._next: dict[tuple[int, ...], set[int]] = {}
        self._read = 0  # tokens of the reply that are in the table
        for message in messages:
            self._add(message, 0)

    def after(self, written: Sequence[int]) -> Collection[int]:
        """Returns the tokens that must not follow `written`, which has grown since the last call."""
        self._add(written, self._read)
        self._read = len(written)
        first = len(written) - self._size + 1
        return self._next.get(tuple(written[first:]), ()) if first >= 0 else ()

    def _add(self, ids: Sequence[int], read: int) -> None:
        """Adds the runs that end after the first `read` tokens."""
        for end in range(max(read, self._size - 1), len(ids)):
            run = tuple(ids[end - self._size + 1 : end])
            self._next.setdefault(run, set()).add(ids[end])
