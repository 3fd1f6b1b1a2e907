"""The embedded model itself: the engine's greedy texts against one at a time and against `generate`."""

from __future__ import annotations

import asyncio
import os

import pytest

from bots import weights
from bots.base import RunOptions
from tests.bots.test_hf import ALONE, ask, bot, conversation, generated, histories, requests, tied

MODEL = "embedded:smollm2-135m"
COUNT = int(os.environ.get("ARENA_COUNT", "40"))

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3000),
    pytest.mark.skipif(
        weights.state(weights.find("smollm2-135m")) == "absent", reason="smollm2-135m is not here"
    ),
]


async def test_greedy_replies_are_those_of_generate() -> None:
    loaded = bot(MODEL, ALONE)
    for lines in histories(4, seed=3):
        assert (await ask(loaded, requests([lines])))[0] == generated(loaded, lines)
    await loaded.close()


async def test_batches_change_replies_at_ties_only() -> None:
    asked = requests(histories(COUNT, seed=5))
    alone, batched = bot(MODEL, ALONE), bot(MODEL, RunOptions(batch=32))
    one_by_one, together = await ask(alone, asked), await ask(batched, asked)
    differing = [n for n in range(COUNT) if one_by_one[n] != together[n]]
    print(f"{len(differing)} of {COUNT} greedy replies differ from batch 1")
    assert len(differing) <= max(1, COUNT // 100)
    assert all(tied(alone, asked[n].history, one_by_one[n], together[n]) for n in differing)
    await asyncio.gather(alone.close(), batched.close())


async def test_kept_caches_change_replies_at_ties_only() -> None:
    kept, poor = bot(MODEL), bot(MODEL, RunOptions(cache_bytes=1))
    texts = await asyncio.gather(*(conversation(kept, 4, True, f"d{n}") for n in range(4)))
    again = await asyncio.gather(*(conversation(poor, 4, True, f"d{n}") for n in range(4)))
    assert kept.stats()["reused"] > kept.stats()["read"] and poor.stats()["reused"] == 0
    assert texts == again
    await asyncio.gather(kept.close(), poor.close())
