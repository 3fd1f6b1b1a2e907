"""Tokenises pairs of texts for an encoder, in batches of similar length."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from bots.encoders.bases import MINILM, Base, tokenizer


@dataclass(frozen=True)
class Tokens:
    """A tokenised pair: [CLS] first [SEP] second [SEP]. The base sets the number of [SEP] between the texts."""

    ids: list[int]
    first: int
    """The number of tokens of the first text, including special tokens."""
    offsets: list[tuple[int, int]]
    """The start and end of each token of the second text, as positions in that text."""


def encode(
    pairs: Sequence[tuple[str, str]], longest: int, offsets: bool = False, base: Base = MINILM
) -> list[Tokens]:
    """Tokenise pairs; if a pair is too long, the longer text is truncated first."""
    texts = [text for pair in pairs for text in pair]
    reader = tokenizer(base.folder())
    read = reader.encode_batch if offsets else reader.encode_batch_fast
    parts = read(texts, add_special_tokens=False)
    between = [base.sep] * base.separators
    room = longest - 2 - base.separators
    rows = []
    for first, second in zip(parts[::2], parts[1::2], strict=True):
        keep_second = min(len(second.ids), max(room // 2, room - len(first.ids)))
        keep_first = min(len(first.ids), room - keep_second)
        ids = [base.cls, *first.ids[:keep_first], *between, *second.ids[:keep_second], base.sep]
        where = second.offsets[:keep_second] if offsets else []
        rows.append(Tokens(ids, keep_first + 1 + base.separators, where))
    return rows


def tensors(batch: Sequence[Tokens], base: Base = MINILM) -> tuple[Tensor, Tensor, Tensor]:
    """Return token ids, segment ids and attention mask, padded to the longest pair of the batch."""
    length = max(len(tokens.ids) for tokens in batch)
    ids = torch.tensor([tokens.ids + [base.pad] * (length - len(tokens.ids)) for tokens in batch])
    places = torch.arange(length)[None, :]
    segments = (places >= torch.tensor([tokens.first for tokens in batch])[:, None]).long()
    mask = places < torch.tensor([len(tokens.ids) for tokens in batch])[:, None]
    return ids, segments, mask


def batches(lengths: Sequence[int], most_tokens: int, enough: int | None = None) -> Iterator[list[int]]:
    """Group the indices into batches of similar length, to avoid padding.

    A batch with `enough` tokens takes no shorter text: where a larger batch is no faster, padding only costs.
    """
    batch: list[int] = []
    longest = 0
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        full = longest * (len(batch) + 1) > most_tokens
        shorter = enough is not None and lengths[index] < longest and longest * len(batch) >= enough
        if batch and (full or shorter):
            yield batch
            batch, longest = [], 0
        longest = longest or lengths[index]
        batch.append(index)
    if batch:
        yield batch


@functools.cache
def fast_type() -> torch.dtype:
    """Return bf16 if the processor multiplies it natively, else fp32, because emulated bf16 is slower."""
    able = torch.cpu.get_capabilities()
    native = bool(able.get("avx512_bf16") or able.get("amx_bf16") or able.get("bf16"))
    return torch.bfloat16 if native else torch.float32
