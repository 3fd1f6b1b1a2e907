"""The encoder against transformers' own, on tiny bases with random weights."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from transformers import MPNetConfig, MPNetModel

from bots.encoders.bases import MINILM, MPNET, Base
from bots.encoders.encoder import Adapted, Encoder, distances
from bots.encoders.tokens import batches, encode, tensors
from judges.network import JudgeNetwork
from judges.packing import load, save

PAIRS = [("I have two dogs.", "How many dogs do you have? None at all."), ("Hi", "yes " * 60)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """MPNet's shape with two layers; the tokenizer is MiniLM's, whose vocabulary it shares in kind."""
    torch.manual_seed(3)
    path = tmp_path_factory.mktemp("mpnet")
    MPNetModel(
        MPNetConfig(num_hidden_layers=2, layer_norm_eps=1e-5), add_pooling_layer=False
    ).save_pretrained(path)
    shutil.copy(MINILM.folder() / "tokenizer.json", path)
    return path


def small(folder: Path) -> Base:
    return replace(MPNET, layers=2, folder=lambda: folder)


@pytest.mark.parametrize("rank", [0, 4])
def test_it_computes_what_transformers_computes(folder: Path, rank: int) -> None:
    base = small(folder)
    ids, segments, mask = tensors(encode(PAIRS, 128, base=base), base)
    encoder = Encoder(base, rank).eval()
    if not rank:
        encoder.start_from_base()
    whole = MPNetModel.from_pretrained(folder).eval()
    with torch.no_grad():
        wanted = whole(input_ids=ids, attention_mask=mask.long()).last_hidden_state
        assert (encoder(ids, segments, mask) - wanted)[mask].abs().max() < 1e-4


def test_relative_positions_are_those_of_mpnet() -> None:
    from transformers.models.mpnet.modeling_mpnet import MPNetEncoder

    places = torch.arange(300)
    theirs = MPNetEncoder.relative_position_bucket(places[None, :] - places[:, None], num_buckets=32)
    assert torch.equal(distances(300, 32), theirs)


def test_only_adapters_are_shipped_and_merging_changes_nothing(folder: Path, tmp_path: Path) -> None:
    base = small(folder)
    network = JudgeNetwork(base, 4, topic=True).eval()
    adapters = [part for part in network.modules() if isinstance(part, Adapted)]
    for part in adapters:
        torch.nn.init.normal_(part.outward, std=0.05)
    batch = tensors(encode(PAIRS, 128, base=base), base)
    with torch.no_grad():
        before = network(*batch)
        save(tmp_path / "judge.safetensors", network, {"temperature": "1.0"})
        again = JudgeNetwork(base, 4, topic=True).eval()
        load(tmp_path / "judge.safetensors", again)
        assert (again(*batch) - before).abs().max() < 0.05
        for part in adapters:
            part.merge()
        assert (network(*batch) - before).abs().max() < 1e-3
    assert before.shape == (2, 4)
    assert (tmp_path / "judge.safetensors").stat().st_size < 6_000_000
    assert not any(name.endswith("attend.weight") for name in network.state_dict())


@given(st.lists(st.integers(1, 60), max_size=80), st.integers(1, 300), st.integers(1, 300))
def test_a_batch_that_keeps_a_core_busy_has_no_padding(lengths: list[int], most: int, enough: int) -> None:
    grouped = list(batches(lengths, most, enough))
    assert sorted(index for batch in grouped for index in batch) == list(range(len(lengths)))
    for batch in grouped:
        longest = lengths[batch[0]]
        assert len(batch) == 1 or longest * len(batch) <= most
        for place, index in enumerate(batch):
            assert lengths[index] == longest or longest * place < enough
