"""Which models the fast engine takes: those whose logits it reproduces."""

from __future__ import annotations

from pathlib import Path

import pytest

from bots import hf_load, hf_work
from bots.hf_trial import row_shape
from tests.bots import tiny
from tests.bots.test_hf import ALONE, RUN, ask, bot, generated, histories, requests


@pytest.fixture(scope="module")
def biased(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.qwen2(tmp_path_factory.mktemp("qwen2"), 3, key_bias=60.0)


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_large_biases_of_keys_do_not_keep_a_model_out(biased: Path, dtype: str) -> None:
    """bf16 rounds such scores coarsely, in transformers' own attention as much as here."""
    loaded = hf_load.load({"model": str(biased)}, "cpu", dtype)
    assert row_shape(loaded) is not None
    assert loaded.model.config._attn_implementation == hf_work.NAME


@pytest.mark.parametrize("dtype", ["float32", "bfloat16"])
def test_an_attention_that_differs_keeps_a_model_out(
    biased: Path, dtype: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = hf_work.Rows.attend

    def blurred(self: hf_work.Rows, layer: int, query: object, scaling: float, *rest: object) -> object:
        return real(self, layer, query, scaling * 0.3, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(hf_work.Rows, "attend", blurred)
    loaded = hf_load.load({"model": str(biased)}, "cpu", dtype)
    before = loaded.model.config._attn_implementation
    assert row_shape(loaded) is None
    assert loaded.model.config._attn_implementation == before


async def test_grouped_heads_with_biases_reply_as_generate_does(tmp_path: Path) -> None:
    asked = requests(histories(12, seed=4))
    alone, batched = bot(tiny.qwen2(tmp_path, 3, key_bias=1.0), ALONE), bot(tmp_path, RUN)
    one_by_one, together = await ask(alone, asked), await ask(batched, asked)
    assert one_by_one == together == [generated(alone, list(one.history)) for one in asked]
    assert batched.stats()["steps"] > 0
    await alone.close()
    await batched.close()
