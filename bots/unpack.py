"""Decompresses a server's response once, and never beyond a size limit."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator

LONGEST = 2 << 20  # bytes of an unpacked response; no chat message is larger
PIECE = 1 << 18  # bytes unpacked per step


class TooLong(Exception):
    """The response exceeds the size limit."""


class BadPacking(Exception):
    """The response is damaged, or its compression is not supported."""


async def body(parts: AsyncIterator[bytes], encoding: str) -> bytes:
    """Reads the whole response.

    `encoding` is the header with the compression. The arena requests no compression, but a server may compress a
    response once.
    """
    packing = encoding.strip().lower()
    if packing in ("", "identity"):
        return await _plain(parts)
    if packing not in ("gzip", "x-gzip", "deflate"):
        raise BadPacking(packing)
    unpacker = zlib.decompressobj(wbits=47 if packing != "deflate" else 15)
    whole, packed = bytearray(), 0
    async for part in parts:
        packed += len(part)
        if packed > LONGEST:
            raise TooLong
        if unpacker.eof:
            raise BadPacking("something follows its end")  # zlib would collect it without a limit
        try:
            while part and not unpacker.eof:
                whole += unpacker.decompress(part, PIECE)
                part = unpacker.unconsumed_tail
                if len(whole) > LONGEST:
                    raise TooLong
        except zlib.error as error:
            raise BadPacking(str(error)) from None
    if not unpacker.eof:
        raise BadPacking("it ends too early")
    return bytes(whole)


async def _plain(parts: AsyncIterator[bytes]) -> bytes:
    whole = bytearray()
    async for part in parts:
        whole += part
        if len(whole) > LONGEST:
            raise TooLong
    return bytes(whole)
