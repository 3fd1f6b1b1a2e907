"""The small encoder under the shipped judge and reader.

Its word and position embeddings are read from the base model (`arena models fetch all-minilm-l6-v2`); everything else
(int8 layers, one scale an output row, and the heads) comes from a safetensors file in `judges/weights`.
The network is written out here because loading it through a larger library takes seconds and twice the memory.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn import functional as F

if TYPE_CHECKING:
    from tokenizers import Tokenizer

from arena.core.errors import MissingPart
from bots.weights.store import need

BASE = "all-minilm-l6-v2"
WIDTH, LAYERS, HEADS, INNER, POSITIONS, EPSILON = 384, 6, 12, 1536, 512, 1e-12
WEIGHTS = Path(__file__).parent / "weights"


class WeightsMissing(MissingPart):
    """A file that the shipped models need is not there."""


@functools.cache
def base_folder() -> Path:
    """The folder of the base model, its files verified."""
    return need(BASE)


@functools.cache
def tokenizer() -> Tokenizer:
    from tokenizers import Tokenizer

    found = Tokenizer.from_file(str(base_folder() / "tokenizer.json"))
    found.no_padding()
    found.no_truncation()
    return found


class Layer(nn.Module):  # type: ignore[misc]
    """One post-norm transformer layer."""

    def __init__(self) -> None:
        super().__init__()
        self.attend = nn.Linear(WIDTH, 3 * WIDTH)
        self.mix = nn.Linear(WIDTH, WIDTH)
        self.norm1 = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.norm2 = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.drop = nn.Dropout(0.0)  # training on few texts turns it up

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        rows, length, _ = x.shape
        query, key, value = self.attend(x).view(rows, length, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        x = self.norm1(x + self.drop(self.mix(seen.transpose(1, 2).reshape(rows, length, WIDTH))))
        return self.norm2(x + self.drop(self.down(self.drop(F.gelu(self.up(x))))))


class Encoder(nn.Module):  # type: ignore[misc]
    """MiniLM; word and position embeddings are frozen and shared by every model of the process."""

    def __init__(self) -> None:
        super().__init__()
        words, positions = _embeddings()
        self.register_buffer("words", words, persistent=False)
        self.register_buffer("positions", positions, persistent=False)
        self.segments = nn.Parameter(torch.zeros(2, WIDTH))
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.drop = nn.Dropout(0.0)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def forward(self, tokens: Tensor, segments: Tensor, mask: Tensor | None) -> Tensor:
        x = F.embedding(tokens, self.words) + self.positions[: tokens.shape[1]]
        x = self.drop(self.norm((x + F.embedding(segments, self.segments)).to(self.norm.weight.dtype)))
        attention = None
        if mask is not None and not bool(mask.all()):
            attention = torch.zeros(mask.shape, dtype=x.dtype).masked_fill_(~mask, -1e4)[:, None, None, :]
        for layer in self.layers:
            x = layer(x, attention)
        return x

    def start_from_base(self) -> None:
        """Begin training with the base model's own layers."""
        self.load_state_dict(_base_state(), strict=True)


@functools.cache
def _embeddings() -> tuple[Tensor, Tensor]:
    from safetensors import safe_open

    with safe_open(base_folder() / "model.safetensors", framework="pt") as file:
        names = ("embeddings.word_embeddings.weight", "embeddings.position_embeddings.weight")
        words, positions = (file.get_tensor(name) for name in names)
    return words, positions


def _base_state() -> dict[str, Tensor]:
    from safetensors.torch import load_file

    base = load_file(base_folder() / "model.safetensors")
    state = {
        "segments": base["embeddings.token_type_embeddings.weight"],
        "norm.weight": base["embeddings.LayerNorm.weight"],
        "norm.bias": base["embeddings.LayerNorm.bias"],
    }
    names = {
        "mix": "attention.output.dense",
        "norm1": "attention.output.LayerNorm",
        "up": "intermediate.dense",
        "down": "output.dense",
        "norm2": "output.LayerNorm",
    }
    for layer in range(LAYERS):
        there = f"encoder.layer.{layer}."
        for kind in ("weight", "bias"):
            parts = [base[f"{there}attention.self.{part}.{kind}"] for part in ("query", "key", "value")]
            state[f"layers.{layer}.attend.{kind}"] = torch.cat(parts)
            for ours, theirs in names.items():
                state[f"layers.{layer}.{ours}.{kind}"] = base[f"{there}{theirs}.{kind}"]
    return {name: tensor.clone() for name, tensor in state.items()}


def pack(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """The shipped form: large matrices as int8 with a scale for each row, the small rest in half precision."""
    packed: dict[str, Tensor] = {}
    for name, tensor in state.items():
        if tensor.ndim == 2 and tensor.numel() > 100_000:
            scale = tensor.abs().amax(dim=1, keepdim=True).clamp_min(1e-8) / 127
            packed[name] = (tensor / scale).round().clamp(-127, 127).to(torch.int8)
            packed[name + ":scale"] = scale.squeeze(1).to(torch.float32)
        else:
            packed[name] = tensor.to(torch.float16)
    return {name: tensor.contiguous() for name, tensor in packed.items()}


def unpack(packed: Mapping[str, Tensor]) -> dict[str, Tensor]:
    state: dict[str, Tensor] = {}
    for name, tensor in packed.items():
        if name.endswith(":scale"):
            continue
        value = tensor.to(torch.float32)
        if tensor.dtype == torch.int8:
            value = value * packed[name + ":scale"][:, None]
        state[name] = value
    return state


def save(path: Path, model: nn.Module, facts: Mapping[str, str]) -> None:
    """Write the shipped file whole or not at all."""
    from safetensors.torch import save_file

    half = path.with_suffix(".part")
    save_file(pack(model.state_dict()), half, metadata=dict(facts))
    half.chmod(0o644)  # the writer makes it private, which an installed package must not be
    half.replace(path)


def load(path: Path, model: nn.Module) -> dict[str, str]:
    """Fill the model from a shipped file; its facts (temperature, training) come back, with its revision."""
    from safetensors import SafetensorError, safe_open
    from safetensors.torch import load_file

    if not path.is_file():
        raise WeightsMissing(f"The shipped weights {path.name} are missing: install the package again.")
    try:
        model.load_state_dict(unpack(load_file(path)), strict=True)
        with safe_open(path, framework="pt") as file:
            facts = dict(file.metadata() or {})
    except (SafetensorError, RuntimeError, KeyError) as error:
        if path.is_relative_to(WEIGHTS):
            raise WeightsMissing(
                f"The shipped weights {path.name} are damaged: install the package again."
            ) from error
        raise ValueError(str(error)) from error
    facts["revision"] = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    return facts


@functools.cache
def fast_type() -> torch.dtype:
    """bf16 where the processor multiplies it natively, else fp32: emulated bf16 is slower than fp32."""
    able = torch.cpu.get_capabilities()
    native = bool(able.get("avx512_bf16") or able.get("amx_bf16") or able.get("bf16"))
    return torch.bfloat16 if native else torch.float32


@dataclass(frozen=True)
class Tokens:
    """One pair as the encoder reads it: [CLS] first [SEP] second [SEP]."""

    ids: list[int]
    first: int
    """How many tokens belong to the first part, [CLS] and [SEP] included."""
    offsets: list[tuple[int, int]]
    """Where each token of the second part lies in its text."""


CLS, SEP, PAD = 101, 102, 0


def encode(pairs: Sequence[tuple[str, str]], longest: int, offsets: bool = False) -> list[Tokens]:
    """Tokenise pairs; the longer part gives way first, at its end, when both do not fit."""
    texts = [text for pair in pairs for text in pair]
    read = tokenizer().encode_batch if offsets else tokenizer().encode_batch_fast
    parts = read(texts, add_special_tokens=False)
    found = []
    for first, second in zip(parts[::2], parts[1::2], strict=True):
        room = longest - 3
        keep_second = min(len(second.ids), max(room // 2, room - len(first.ids)))
        keep_first = min(len(first.ids), room - keep_second)
        ids = [CLS, *first.ids[:keep_first], SEP, *second.ids[:keep_second], SEP]
        found.append(Tokens(ids, keep_first + 2, second.offsets[:keep_second] if offsets else []))
    return found


def tensors(batch: Sequence[Tokens]) -> tuple[Tensor, Tensor, Tensor]:
    """Token ids, segments and mask, padded to the longest of the batch."""
    length = max(len(tokens.ids) for tokens in batch)
    ids = torch.tensor([tokens.ids + [PAD] * (length - len(tokens.ids)) for tokens in batch])
    places = torch.arange(length)[None, :]
    segments = (places >= torch.tensor([tokens.first for tokens in batch])[:, None]).long()
    mask = places < torch.tensor([len(tokens.ids) for tokens in batch])[:, None]
    return ids, segments, mask


def batches(lengths: Sequence[int], most_tokens: int) -> Iterator[list[int]]:
    """Indices in batches of about equal length, so that hardly any padding is computed."""
    batch: list[int] = []
    longest = 0
    for index in sorted(range(len(lengths)), key=lambda i: -lengths[i]):
        longest = longest or lengths[index]
        if batch and longest * (len(batch) + 1) > most_tokens:
            yield batch
            batch, longest = [], lengths[index]
        batch.append(index)
    if batch:
        yield batch
