"""Keeps key/value caches between turns, in pages under a memory budget.

Losing a cache only affects speed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

PAGE = 64  # tokens
STALE = 4  # conversations are over after this many uses of all others


@dataclass(slots=True)
class Kept:
    """The cache of one conversation. Its tokens tell which texts the cache is valid for."""

    ids: list[int] = field(default_factory=list)
    pages: list[Any] = field(default_factory=list)
    touched: int = 0


@dataclass(frozen=True, slots=True)
class Shape:
    """The shape of the numbers stored per token: [layers, 2, heads, dim]."""

    layers: int
    heads: int
    dim: int
    dtype: Any
    device: Any

    @property
    def token_bytes(self) -> int:
        return self.layers * 2 * self.heads * self.dim * int(self.dtype.itemsize)


class Pages:
    """Keeps the caches of rows, by conversation.

    When the budget is used up, caches of conversations that seem to be over are dropped first. After that, each
    conversation keeps its beginning and reads the rest again. Dropping the least recently used cache would be
    wrong: if dialogues take turns, that cache is always the next to be needed.
    """

    def __init__(self, shape: Shape, limit: int) -> None:
        self._shape = shape
        self._page_bytes = shape.token_bytes * PAGE
        self._kept: dict[str, Kept] = {}
        self._spare: list[Any] = []
        self._allocated = 0
        self._clock = 0
        self._limit = limit
        self.peak = 0
        self.refused = 0

    @property
    def bytes(self) -> int:
        return self._allocated * self._page_bytes

    def restrict(self, limit: int) -> None:
        """Sets a new limit in bytes and drops what exceeds it."""
        self._limit = limit
        while self.bytes > limit and (self._spare or self._kept):
            if not self._spare:
                self._drop(min(self._kept, key=lambda key: self._kept[key].touched))
            self._spare.pop()
            self._allocated -= 1

    def clear(self) -> None:
        self._kept.clear()
        self._spare.clear()
        self._allocated = 0

    def known(self, key: str, ids: Sequence[int]) -> int:
        """Returns how many of these tokens are cached.

        The last token never counts, because the model must read it.
        """
        pages = self._kept.get(key)
        if pages is None:
            return 0
        self._clock += 1
        pages.touched = self._clock
        return min(common(pages.ids, ids), len(ids) - 1)

    def fetch(self, key: str, count: int, row: Any) -> None:
        """Copies the first `count` tokens into a row of the shape [layers, 2, heads, tokens, dim]."""
        for number, page in enumerate(self._kept[key].pages):
            start = number * PAGE
            if start >= count:
                return
            size = min(PAGE, count - start)
            row[:, :, :, start : start + size].copy_(page[:, :, :, :size])

    def keep(self, key: str, ids: list[int], row: Any) -> None:
        """Caches the row's tokens, as far as there is room."""
        pages = self._kept.setdefault(key, Kept())
        self._clock += 1
        pages.touched = self._clock
        same = common(pages.ids, ids)
        wanted = -(-len(ids) // PAGE)
        while len(pages.pages) > wanted:
            self._spare.append(pages.pages.pop())
        while len(pages.pages) < wanted:
            page = self._new_page(key)
            if page is None:
                self.refused += 1
                break
            pages.pages.append(page)
        room = min(len(ids), len(pages.pages) * PAGE)
        for number in range(same // PAGE, len(pages.pages)):
            start = number * PAGE
            size = min(PAGE, room - start)
            pages.pages[number][:, :, :, :size].copy_(row[:, :, :, start : start + size])
        pages.ids = ids[:room]
        if not pages.pages:
            del self._kept[key]

    def _new_page(self, owner: str) -> Any:
        import torch

        if not self._spare and self.bytes + self._page_bytes > self._limit:
            oldest = min(self._kept, key=lambda key: self._kept[key].touched)
            if oldest == owner or self._clock - self._kept[oldest].touched <= STALE * len(self._kept):
                return None
            self._drop(oldest)
        if self._spare:
            return self._spare.pop()
        self._allocated += 1
        self.peak = max(self.peak, self.bytes)
        s = self._shape
        return torch.empty(s.layers, 2, s.heads, PAGE, s.dim, dtype=s.dtype, device=s.device)

    def _drop(self, key: str) -> None:
        self._spare += self._kept.pop(key).pages


def common(a: Sequence[int], b: Sequence[int]) -> int:
    """Returns the length of the common prefix."""
    size = min(len(a), len(b))
    if a[:size] == b[:size]:
        return size
    return next(n for n in range(size) if a[n] != b[n])
