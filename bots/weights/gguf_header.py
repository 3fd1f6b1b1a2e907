"""Checks the header of a GGUF file before a library reads it, because libraries trust every count in it.

A header that announces more than the file contains would keep a library busy for hours, or fill the memory.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import IO

MAGIC = b"GGUF"
VERSIONS = (2, 3)
SIZES = {
    0: 1,
    1: 1,
    2: 2,
    3: 2,
    4: 4,
    5: 4,
    6: 4,
    7: 1,
    10: 8,
    11: 8,
    12: 8,
}  # bytes of a number, by its type
TEXT, ARRAY = 8, 9
MOST_VALUES = 10_000
MOST_TENSORS = 100_000
MOST_DIMENSIONS = 4
LONGEST_NAME = 65_535
LARGEST_HEADER = 256 << 20  # the vocabulary is the largest part of the header
MOST_NUMBERS = 1 << 40  # of a tensor


class BadHeader(ValueError):
    """The header is not a valid GGUF header."""


def check(path: Path) -> None:
    """Raises BadHeader unless everything that the header announces fits into the file."""
    with path.open("rb") as file:
        read(file, path.stat().st_size)


def read(file: IO[bytes], size: int) -> None:
    """Like `check`, for an open file of this size."""
    _Reader(file, size).header()


class _Reader:
    """Reads numbers and skips everything else. It never reads or keeps more than the file contains."""

    def __init__(self, file: IO[bytes], size: int) -> None:
        self._file = file
        self._size = size
        self._left = min(size, LARGEST_HEADER)

    def header(self) -> None:
        if self._take(4) != MAGIC:
            raise BadHeader("it does not begin like a GGUF file")
        if self._number("<I") not in VERSIONS:
            raise BadHeader(f"its version is none of {', '.join(map(str, VERSIONS))}")
        tensors, values = self._count(MOST_TENSORS, "tensors"), self._count(MOST_VALUES, "values")
        for _ in range(values):
            self._text(LONGEST_NAME)
            self._value(self._number("<I"))
        for _ in range(tensors):
            self._tensor()

    def _tensor(self) -> None:
        self._text(LONGEST_NAME)
        numbers = 1
        for _ in range(self._number("<I", MOST_DIMENSIONS, "dimensions")):
            numbers *= self._number("<Q")
        if numbers > MOST_NUMBERS:
            raise BadHeader("a tensor is larger than any model's")
        self._number("<I")  # the packing of the tensor's numbers
        if self._number("<Q") > self._size:
            raise BadHeader("a tensor lies after the end of the file")

    def _value(self, kind: int) -> None:
        if kind == TEXT:
            self._text(self._left)
        elif kind == ARRAY:
            self._array()
        elif kind in SIZES:
            self._skip(SIZES[kind])
        else:
            raise BadHeader(f"a value has the unknown type {kind}")

    def _array(self) -> None:
        kind, length = self._number("<I"), self._number("<Q")
        if kind in SIZES:
            self._skip(SIZES[kind] * length)
        elif kind == TEXT:
            if 8 * length > self._left:  # each text has a length of eight bytes
                raise BadHeader("a list is longer than the file")
            self._texts(length)
        else:
            raise BadHeader("a list holds lists, or values of an unknown type")

    def _texts(self, number: int) -> None:
        for _ in range(number):
            self._text(self._left)

    def _text(self, longest: int) -> None:
        length = self._number("<Q")
        if length > longest:
            raise BadHeader("a text is longer than the file")
        self._skip(length)

    def _count(self, most: int, what: str) -> int:
        return self._number("<Q", most, what)

    def _number(self, form: str, most: int | None = None, what: str = "") -> int:
        number: int = struct.unpack(form, self._take(struct.calcsize(form)))[0]
        if most is not None and number > most:
            raise BadHeader(f"it announces {number:,} {what}, and at most {most:,} are read")
        return number

    def _take(self, number: int) -> bytes:
        self._spend(number)
        content = self._file.read(number)
        if len(content) != number:
            raise BadHeader("it ends in the middle of its header")
        return content

    def _skip(self, number: int) -> None:
        self._spend(number)
        self._file.seek(number, 1)

    def _spend(self, number: int) -> None:
        if number > self._left:
            raise BadHeader("it ends in the middle of its header")
        self._left -= number
