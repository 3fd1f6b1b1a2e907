"""The batch's rows in memory: their keys and values, and the attention over them.

transformers' own attention repeats grouped keys for every head and pads every row to the longest row. On a CPU,
that takes most of the time of a decoding step. Here the heads of a group are folded into the query's length, and
prompts are read packed, without padding. Rows live in one preallocated array, which they join and leave without
moving other rows.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from bots.hf_pages import Shape

NAME = "arena_rows"
GRAIN = 128  # memory is reserved in steps of this many tokens
FINE = 16  # finer steps for an empty array, because attention reads the whole array
WHOLE = 1.25  # up to this ratio of room to content, a row is read whole, as slices are copied
SLICED = 1.8  # slowdown of attention over a slice of a bf16 array on a CPU, per token
READ_AT_ONCE = 4096  # prompt tokens in one forward pass
_active = threading.local()


@dataclass(slots=True)
class Segment:
    """New tokens of one row in a packed read.

    They are at [offset, offset + count) of the read and follow `past` cached tokens.
    """

    row: int
    offset: int
    count: int
    past: int


def bundles(segments: list[Segment]) -> list[list[Segment]]:
    """Groups segments into packs of at most READ_AT_ONCE tokens. Longer segments are cut."""
    pieces: list[Segment] = []
    for part in segments:
        for start in range(0, part.count, READ_AT_ONCE):
            size = min(READ_AT_ONCE, part.count - start)
            pieces.append(Segment(part.row, 0, size, part.past + start))
    bundles: list[list[Segment]] = [[]]
    room = READ_AT_ONCE
    for piece in pieces:
        if piece.count > room and bundles[-1]:
            bundles.append([])
            room = READ_AT_ONCE
        bundles[-1].append(piece)
        room -= piece.count
    return bundles


class Rows:
    """Keys and values of up to `capacity` rows, as [layers, 2, rows, heads, tokens, dim]."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self.data: Any = None
        self._memory: Any = None
        self._made_for = 0  # tokens a row
        self.lengths: list[int] = []
        self.segments: list[Segment] | None = None
        self._groups: list[tuple[int, int, int]] = []
        self._at: Any = None
        self._masks: dict[Any, Any] = {}
        self.peak = 0

    @property
    def bytes(self) -> int:
        return 0 if self._memory is None else int(self._memory.numel() * self._memory.element_size())

    def need(self, rows: int, tokens: int, grain: int = GRAIN) -> int:
        """Returns the size in bytes of an array for this many rows and tokens."""
        return self._shape.token_bytes * rows * _round(tokens, grain)

    def cost(self, rows: int, tokens: int) -> int:
        """Returns the most bytes that `reserve` needs, including the old array while its rows are moved."""
        if self._fits(rows, tokens):
            return self.bytes
        if not self.lengths:
            return self.need(rows, tokens)
        return self.bytes + self.need(rows, max(tokens, self.data.shape[4]))

    def _fits(self, rows: int, tokens: int) -> bool:
        if self.lengths:
            return bool(self.data.shape[2] >= rows and self.data.shape[4] >= tokens)
        idle = self._made_for > 2 * (tokens + GRAIN)  # much of it
        return self.need(rows, tokens, FINE) <= self.bytes and not idle

    def reserve(self, rows: int, tokens: int) -> None:
        """Makes room for this many rows and tokens, and moves the current rows."""
        import torch

        if self._fits(rows, tokens):
            if not self.lengths:
                self._cut(rows, _round(tokens, FINE))
            return
        self.peak = max(self.peak, self.cost(rows, tokens))
        s, old = self._shape, self.data if self.lengths else None
        tokens = _round(tokens if old is None else max(tokens, old.shape[4]), GRAIN)
        self.data = self._memory = None  # an old array without rows is freed before the new array is made
        # zeros, because a masked number still enters a product and must be finite
        size = s.layers * 2 * rows * s.heads * tokens * s.dim
        self._memory = torch.zeros(size, dtype=s.dtype, device=s.device)
        self._made_for = tokens
        self._cut(rows, tokens)
        if old is not None:
            for row, length in enumerate(self.lengths):
                self.data[:, :, row, :, :length] = old[:, :, row, :, :length]

    def _cut(self, rows: int, tokens: int) -> None:
        """Makes `data` a view of the reserved memory.

        The memory's old contents are finite numbers, and the mask hides them.
        """
        s = self._shape
        shape = (s.layers, 2, rows, s.heads, tokens, s.dim)
        self.data = self._memory[: math.prod(shape)].view(shape)

    def release(self) -> None:
        self.data, self._memory, self.lengths = None, None, []

    def row(self, number: int) -> Any:
        return self.data[:, :, number]

    def move(self, origin: int, target: int) -> None:
        length = self.lengths[origin]
        self.data[:, :, target, :, :length] = self.data[:, :, origin, :, :length]
        self.lengths[target] = length

    def begin_packed(self, segments: list[Segment]) -> None:
        self.segments = segments
        self._masks.clear()

    def begin_step(self, rows: int) -> None:
        """Prepares every row to read one more token."""
        import torch

        self.segments = None
        self._masks.clear()
        room = self.data.shape[4]
        slow = SLICED if self._shape.dtype == torch.bfloat16 and self._shape.device.type == "cpu" else 1.0
        self._groups = groups([length + 1 for length in self.lengths[:rows]], room, slow)
        device = self._shape.device
        self._at = (torch.arange(rows, device=device), torch.tensor(self.lengths[:rows], device=device))

    def end_step(self, rows: int) -> None:
        for row in range(rows):
            self.lengths[row] += 1

    def store(self, layer: int, keys: Any, values: Any) -> None:
        """Stores the new tokens' keys and values, [batch, heads, tokens, dim]. The model calls this method."""
        if self.segments is None:
            rows, places = self._at
            self.data[layer, 0][rows, :, places] = keys[:, :, 0]
            self.data[layer, 1][rows, :, places] = values[:, :, 0]
            return
        for part in self.segments:
            end = part.past + part.count
            new = slice(part.offset, part.offset + part.count)
            self.data[layer, 0, part.row, :, part.past : end] = keys[0, :, new]
            self.data[layer, 1, part.row, :, part.past : end] = values[0, :, new]

    def attend(self, layer: int, query: Any, scaling: float, window: int | None, cap: float | None) -> Any:
        """Returns the attention of [batch, heads, tokens, dim] queries over their rows.

        The result has the shape [batch, tokens, heads, dim].
        """
        import torch

        heads, dim = query.shape[1], query.shape[3]
        own = self._shape.heads
        room = self.data.shape[4]
        if self.segments is None:
            count = query.shape[0]
            folded = query.reshape(count, own, heads // own, dim)
            result = torch.empty_like(folded)
            for start, end, longest in self._groups:
                keys = self.data[layer, 0, start:end, :, :longest]
                values = self.data[layer, 1, start:end, :, :longest]
                mask = self._mask(self._at[1][start:end], start, longest, window, query.dtype)
                mix = _mix if longest == room or cap is not None else _mix_sliced
                mixed = mix(folded[start:end], keys, values, mask[:, None, None], scaling, cap)
                result[start:end] = mixed
            return result.reshape(count, 1, heads, dim)
        result = query.new_empty(1, query.shape[2], heads, dim)
        for part in self.segments:
            new = slice(part.offset, part.offset + part.count)
            end = part.past + part.count
            width = room if room < WHOLE * end else end
            keys = self.data[layer, 0, part.row : part.row + 1, :, :width]
            values = self.data[layer, 1, part.row : part.row + 1, :, :width]
            folded = query[:, :, new].reshape(1, own, heads // own * part.count, dim)
            mask = self._packed_mask(part, heads // own, width, window, query.dtype)
            mixed = _mix(folded, keys, values, mask, scaling, cap)
            result[0, new] = mixed.reshape(heads, part.count, dim).transpose(0, 1)
        return result

    def _packed_mask(self, part: Segment, copies: int, width: int, window: int | None, dtype: Any) -> Any:
        import torch

        mask = self._masks.get((part.offset, window))
        if mask is None:
            places = torch.arange(part.past, part.past + part.count, device=self._shape.device)
            mask = self._mask(places.repeat(copies), part.offset, width, window, dtype)
        return mask[None, None]

    def _mask(self, places: Any, name: int, width: int, window: int | None, dtype: Any) -> Any:
        """Returns the attention mask, [places, width]: minus infinity hides a key from a token.

        All layers share the mask.
        """
        import torch

        if (name, window) not in self._masks:
            every = torch.arange(width, device=places.device)
            hidden = every > places[:, None]
            if window is not None:
                hidden |= every <= places[:, None] - window
            mask = torch.zeros(hidden.shape, dtype=dtype, device=places.device)
            self._masks[name, window] = mask.masked_fill_(hidden, -torch.inf)
        return self._masks[name, window]


def _round(number: int, step: int) -> int:
    return -(-number // step) * step


def _mix(query: Any, keys: Any, values: Any, mask: Any, scaling: float, cap: float | None) -> Any:
    """Returns the attention of [rows, heads, tokens, dim] queries.

    Folding dimensions makes it a single matrix product.
    """
    import torch

    rows, heads, count, dim = query.shape
    flat, keys, values = query.reshape(-1, count, dim), keys.flatten(0, 1), values.flatten(0, 1)
    mask = mask.expand(rows, heads, -1, -1).flatten(0, 1) if rows > 1 else mask[0]
    if cap is None:
        scores = torch.baddbmm(mask, flat, keys.transpose(1, 2), alpha=scaling)
    else:
        scores = torch.tanh(torch.bmm(flat, keys.transpose(1, 2)) * (scaling / cap)) * cap + mask
    return torch.bmm(scores.softmax(dim=-1), values).reshape(rows, heads, count, dim)


def _mix_sliced(query: Any, keys: Any, values: Any, mask: Any, scaling: float, _: float | None) -> Any:
    """Like `_mix`, for keys that are a slice of a larger array. Matrix products would copy such a slice first."""
    import torch

    attend = torch.nn.functional.scaled_dot_product_attention
    return attend(query, keys, values, attn_mask=mask, scale=scaling)


def groups(lengths: Sequence[int], room: int, slow: float, most: int = 4) -> list[tuple[int, int, int]]:
    """Splits rows into groups (start, end, longest), or returns a single group of all rows if that needs less work."""
    size = -(-len(lengths) // most)
    parts = []
    for start in range(0, len(lengths), size):
        end = min(start + size, len(lengths))
        parts.append((start, end, max(lengths[start:end])))
    cost = sum((end - start) * longest for start, end, longest in parts)
    return parts if slow * cost < 0.9 * len(lengths) * room else [(0, len(lengths), room)]


def attention(module: Any, query: Any, *_: Any, **options: Any) -> tuple[Any, None]:
    """Computes attention. transformers calls this function in place of its own attention."""
    rows: Rows = _active.rows
    mixed = rows.attend(
        module.layer_idx,
        query,
        options.get("scaling") or query.shape[-1] ** -0.5,
        options.get("sliding_window"),
        options.get("softcap"),
    )
    return mixed, None


def register() -> None:
    """Makes this module's attention known to transformers."""
    from transformers import AttentionInterface

    AttentionInterface.register(NAME, attention)


def make_cache(rows: Rows) -> Any:
    """Returns the object that serves as the model's cache."""
    from transformers import Cache

    class RowCache(Cache):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(layers=[])

        def update(self, keys: Any, values: Any, layer: int, *_: Any, **__: Any) -> tuple[Any, Any]:
            rows.store(layer, keys, values)
            return keys, values

        def get_seq_length(self, *_: Any, **__: Any) -> int:
            return 0

    return RowCache()


class activated:
    """Sets the rows that the attention in this thread works on."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def __enter__(self) -> None:
        _active.rows = self._rows

    def __exit__(self, *_: object) -> None:
        _active.rows = None
