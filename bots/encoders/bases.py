"""The encoders on which the shipped models are built: their shapes, and the source of their weights.

A base is frozen if possible. The package ships only the weights that the project trained: all layers, or small
adapters. The base itself comes from its publisher's files and is checked by hash.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from arena.core.errors import MissingPart
from bots.weights.store import need

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class WeightsMissing(MissingPart):
    """A file that the shipped models need is missing."""


@dataclass(frozen=True)
class Base:
    """A published encoder. `names` maps the names of a layer's tensors in this project to the publisher's names."""

    name: str
    folder: Callable[[], Path]
    """Returns the folder with the verified files of the encoder."""
    width: int
    layers: int
    heads: int
    inner: int
    epsilon: float
    cls: int
    sep: int
    pad: int
    separators: int
    """The number of separator tokens between the two texts."""
    first_position: int
    buckets: int
    """The number of buckets for relative positions in attention; 0 if the encoder uses absolute positions only."""
    attention: tuple[str, str, str]
    names: tuple[tuple[str, str], ...]


MINILM: Base = Base(
    name="all-minilm-l6-v2", folder=lambda: need(MINILM.name), width=384, layers=6, heads=12, inner=1536,
    epsilon=1e-12, cls=101, sep=102, pad=0, separators=1, first_position=0, buckets=0,
    attention=("attention.self.query", "attention.self.key", "attention.self.value"),
    names=(
        ("mix", "attention.output.dense"), ("norm1", "attention.output.LayerNorm"),
        ("up", "intermediate.dense"), ("down", "output.dense"), ("norm2", "output.LayerNorm"),
    ),
)  # fmt: skip
MPNET: Base = Base(
    name="all-mpnet-base-v2", folder=lambda: need(MPNET.name), width=768, layers=12, heads=12, inner=3072,
    epsilon=1e-5, cls=0, sep=2, pad=1, separators=2, first_position=2, buckets=32,
    attention=("attention.attn.q", "attention.attn.k", "attention.attn.v"),
    names=(
        ("mix", "attention.attn.o"), ("norm1", "attention.LayerNorm"),
        ("up", "intermediate.dense"), ("down", "output.dense"), ("norm2", "output.LayerNorm"),
    ),
)  # fmt: skip
BASES = {base.name: base for base in (MINILM, MPNET)}


@functools.cache
def tokenizer(folder: Path) -> Tokenizer:
    from tokenizers import Tokenizer

    read = Tokenizer.from_file(str(folder / "tokenizer.json"))
    read.no_padding()
    read.no_truncation()
    return read


@functools.cache
def tensor(folder: Path, name: str) -> Tensor:
    """Read a tensor of the base. It is read once and shared by all models of the process."""
    from safetensors import safe_open

    with safe_open(folder / "model.safetensors", framework="pt") as file:
        return file.get_tensor(name)


def layer_state(base: Base) -> Mapping[str, Tensor]:
    """The weights of one of the base's layers, under this project's tensor names."""
    from safetensors.torch import load_file

    read = load_file(base.folder() / "model.safetensors")
    state = {
        "segments": read.get("embeddings.token_type_embeddings.weight", torch.zeros(2, base.width)),
        "norm.weight": read["embeddings.LayerNorm.weight"],
        "norm.bias": read["embeddings.LayerNorm.bias"],
    }
    for layer in range(base.layers):
        theirs = f"encoder.layer.{layer}."
        for kind in ("weight", "bias"):
            joined = torch.cat([read[f"{theirs}{part}.{kind}"] for part in base.attention])
            state[f"layers.{layer}.attend.{kind}"] = joined
            for ours, name in base.names:
                state[f"layers.{layer}.{ours}.{kind}"] = read[f"{theirs}{name}.{kind}"]
    return {name: value.clone() for name, value in state.items()}
