"""The encoder of the shipped judges and readers, built on one of the encoders of `bots.encoders.bases`.

Either all layers are trained, or only low-rank adapters (LoRA, Hu et al. 2021) on frozen layers. The network is written
out here, because loading it through a larger library takes seconds and twice the memory.
"""

from __future__ import annotations

import functools
import math

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from bots.encoders.bases import MINILM, Base, layer_state, tensor

FARTHEST = 128  # distance in tokens from which all relative positions share a bucket


class Adapted(nn.Module):  # type: ignore[misc]
    """A linear layer with a frozen weight and a trained low-rank adapter. The state dict excludes the frozen weight."""

    def __init__(self, inputs: int, outputs: int, rank: int) -> None:
        super().__init__()
        self.register_buffer("weight", torch.zeros(outputs, inputs), persistent=False)
        self.bias = nn.Parameter(torch.zeros(outputs))
        self.inward = nn.Parameter(torch.randn(rank, inputs) / math.sqrt(inputs))
        self.outward = nn.Parameter(torch.zeros(outputs, rank))
        self.merged = False

    def merge(self) -> None:
        """Add the adapter to the frozen weight, for inference."""
        self.weight += self.outward @ self.inward
        self.outward.zero_()
        self.merged = True

    def forward(self, x: Tensor) -> Tensor:
        if self.merged:
            return F.linear(x, self.weight, self.bias)
        return F.linear(x, self.weight, self.bias) + F.linear(F.linear(x, self.inward), self.outward)


def merge(model: nn.Module) -> None:
    """Merge all adapters of a model, for inference."""
    with torch.no_grad():
        for part in model.modules():
            if isinstance(part, Adapted):
                part.merge()


class Packed(nn.Module):  # type: ignore[misc]
    """A linear layer for inference. Its weight is laid out for this processor's vector units.

    torch multiplies single precision by MKL, which uses half the width of AMD's vector units; oneDNN uses all of it.
    """

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.weight = torch.ops.mkldnn._reorder_linear_weight(layer.weight.detach())
        self.bias = layer.bias.detach()
        self(torch.zeros(1, layer.in_features))  # fails here where oneDNN cannot multiply it

    def forward(self, x: Tensor) -> Tensor:
        return torch.ops.mkldnn._linear_pointwise(x, self.weight, self.bias, "none", [], "")


def pack(model: nn.Module) -> None:
    """Pack all linear layers of a model, for inference. Where torch cannot do that, they stay as they are."""
    for part in list(model.modules()):
        for name, layer in list(part.named_children()):
            if isinstance(layer, nn.Linear):
                try:
                    setattr(part, name, Packed(layer))
                except (AttributeError, RuntimeError):  # another processor, or a torch without oneDNN
                    return


def linear(inputs: int, outputs: int, rank: int) -> nn.Module:
    return Adapted(inputs, outputs, rank) if rank else nn.Linear(inputs, outputs)


class Layer(nn.Module):  # type: ignore[misc]
    """One post-norm transformer layer."""

    def __init__(self, base: Base, rank: int) -> None:
        super().__init__()
        self.heads = base.heads
        self.attend = linear(base.width, 3 * base.width, rank)
        self.mix = linear(base.width, base.width, rank)
        self.norm1 = nn.LayerNorm(base.width, eps=base.epsilon)
        self.up = linear(base.width, base.inner, rank)
        self.down = linear(base.inner, base.width, rank)
        self.norm2 = nn.LayerNorm(base.width, eps=base.epsilon)
        self.drop = nn.Dropout(0.0)  # raised for training on few texts

    def forward(self, x: Tensor, mask: Tensor | None) -> Tensor:
        rows, length, width = x.shape
        parts = self.attend(x).view(rows, length, 3, self.heads, width // self.heads)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        x = self.norm1(x + self.drop(self.mix(seen.transpose(1, 2).reshape(rows, length, width))))
        return self.norm2(x + self.drop(self.down(self.drop(F.gelu(self.up(x))))))


class Encoder(nn.Module):  # type: ignore[misc]
    """The encoder: embeddings and transformer layers.

    Word and position embeddings are frozen and shared by all models of the process. With a `rank`, the layers are
    frozen too, and adapters of that rank are trained.
    """

    def __init__(self, base: Base = MINILM, rank: int = 0) -> None:
        super().__init__()
        folder = base.folder()
        self.base, self.rank = base, rank
        self.register_buffer("words", tensor(folder, "embeddings.word_embeddings.weight"), persistent=False)
        places = tensor(folder, "embeddings.position_embeddings.weight")[base.first_position :]
        self.register_buffer("positions", places, persistent=False)
        if base.buckets:
            relative = tensor(folder, "encoder.relative_attention_bias.weight")
            self.register_buffer("relative", relative, persistent=False)
        self.segments = nn.Parameter(torch.zeros(2, base.width))
        self.norm = nn.LayerNorm(base.width, eps=base.epsilon)
        self.drop = nn.Dropout(0.0)
        self.layers = nn.ModuleList(Layer(base, rank) for _ in range(base.layers))
        if rank:
            self.start_from_base()

    def forward(self, tokens: Tensor, segments: Tensor, mask: Tensor | None) -> Tensor:
        x = F.embedding(tokens, self.words) + self.positions[: tokens.shape[1]]
        x = self.drop(self.norm((x + F.embedding(segments, self.segments)).to(self.norm.weight.dtype)))
        attention = self._attention(mask, tokens.shape[1], x.dtype)
        for layer in self.layers:
            x = layer(x, attention)
        return x

    def _attention(self, mask: Tensor | None, length: int, dtype: torch.dtype) -> Tensor | None:
        """The bias that is added to the attention scores: relative positions, and the padding mask."""
        padding = None
        if mask is not None and not bool(mask.all()):
            padding = torch.zeros(mask.shape, dtype=dtype).masked_fill_(~mask, -1e4)[:, None, None, :]
        if not self.base.buckets:
            return padding
        near = self.relative[distances(length, self.base.buckets)].permute(2, 0, 1)[None].to(dtype)
        return near if padding is None else near + padding

    def start_from_base(self) -> None:
        """Load the base's own layers. They are then trained, or stay frozen under the adapters."""
        state = dict(layer_state(self.base))
        for name, _ in self.named_buffers():
            if name in state:
                self.get_buffer(name).copy_(state.pop(name))
        missing, unexpected = self.load_state_dict(state, strict=False)
        missing = [name for name in missing if not name.endswith((".inward", ".outward"))]
        if missing or unexpected:
            raise RuntimeError(f"{self.base.name} lacks {missing}, and has {unexpected} besides")


@functools.lru_cache(maxsize=64)
def distances(length: int, buckets: int) -> Tensor:
    """The bucket of each relative position, as in MPNet and T5: exact if near, wider buckets farther away."""
    places = torch.arange(length)
    back = places[:, None] - places[None, :]
    half = buckets // 2
    exact = half // 2
    apart = back.abs()
    far = torch.log(apart.clamp_min(1).float() / exact) / math.log(FARTHEST / exact) * (half - exact)
    coarse = (exact + far.long()).clamp_max(half - 1)
    return (back < 0).long() * half + torch.where(apart < exact, apart, coarse)
