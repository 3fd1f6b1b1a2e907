"""Reordered weights give the same numbers, bit for bit."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from bots import hf_load, hf_pack
from tests.bots import tiny


@pytest.mark.parametrize("tied", [True, False])
def test_packed_layers_compute_the_same(tmp_path: Path, tied: bool) -> None:
    if not hf_pack._works():
        pytest.skip("this processor or torch has no packed bf16 products")
    folder = tiny.llama(tmp_path / "m", 3, tie_word_embeddings=tied)
    plain = hf_load.load({"model": str(folder)}, "cpu", "bfloat16")
    packed = hf_load.load({"model": str(folder)}, "cpu", "bfloat16", packed=True)
    assert not any(type(layer) is torch.nn.Linear for layer in packed.model.modules())
    head = plain.model.get_output_embeddings().weight
    assert packed.bytes - plain.bytes == (head.numel() * head.element_size() if tied else 0)
    with torch.inference_mode():
        for rows in (1, 3, 32):
            ids = torch.randint(4, 260, (rows, 40))
            assert torch.equal(plain.model(ids).logits, packed.model(ids).logits)


def test_other_arithmetic_is_left_alone(tmp_path: Path) -> None:
    folder = tiny.llama(tmp_path / "m", 3)
    loaded = hf_load.load({"model": str(folder)}, "cpu", "float32", packed=True)
    assert any(type(layer) is torch.nn.Linear for layer in loaded.model.modules())
