"""The file format of shipped weights: large matrices as int8, with facts about their training as metadata."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from bots.encoders.bases import WeightsMissing
from judges.base import WEIGHTS


def pack(state: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """Convert weights to the shipped form.

    Large matrices become int8 with one scale per row; all other tensors become half precision.
    """
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
    """Write the file atomically, so that no incomplete file is ever left."""
    from safetensors.torch import save_file

    half = path.with_suffix(".part")
    save_file(pack(model.state_dict()), half, metadata=dict(facts))
    half.chmod(0o644)  # the writer makes the file private, but an installed package must be readable
    half.replace(path)


def load(path: Path, model: nn.Module) -> dict[str, str]:
    """Fill the model from a shipped file; return its facts (temperature, training) and its revision."""
    facts = dict(metadata(path))
    try:
        model.load_state_dict(stored(path), strict=True)
    except (RuntimeError, KeyError) as error:
        raise _broken(path, error) from error
    facts["revision"] = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
    return facts


def stored(path: Path) -> dict[str, Tensor]:
    """Return the weights of a shipped file in full precision."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    try:
        return unpack(load_file(path))
    except (SafetensorError, KeyError) as error:
        raise _broken(path, error) from error


def metadata(path: Path) -> Mapping[str, str]:
    """Read the metadata of a shipped file; only its header is read."""
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        raise WeightsMissing(f"The shipped weights {path.name} are missing: install the package again.")
    try:
        with safe_open(path, framework="pt") as file:
            return dict(file.metadata() or {})
    except SafetensorError as error:
        raise _broken(path, error) from error


def _broken(path: Path, error: Exception) -> Exception:
    if path.is_relative_to(WEIGHTS):
        return WeightsMissing(f"The shipped weights {path.name} are damaged: install the package again.")
    return ValueError(str(error))
