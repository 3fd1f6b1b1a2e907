"""Faults and settings of the hf adapter: too little memory, broken models, cancelled requests, wrong keys."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from arena.core.errors import InputError
from bots import registry
from bots.base import Reply, RunOptions
from bots.batching import DialogueCounter
from tests.bots.hf_bots import (
    ask,
    bot,
    conversation,
    generated,
    histories,
    requests,
)


async def test_too_little_memory_halves_the_batch(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = bot(folders["chat"])
    asked = requests(histories(16, seed=9))
    calm = await ask(loaded, asked)
    original = loaded._loaded.model.forward

    def cramped(*args: Any, **kwargs: Any) -> Any:
        if kwargs["input_ids"].shape[0] > 5:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes")
        return original(*args, **kwargs)

    monkeypatch.setattr(loaded._loaded.model, "forward", cramped)
    assert await ask(loaded, asked) == calm
    assert loaded.stats()["halved"] >= 1
    await loaded.close()


async def test_a_broken_model_fails_its_requests_and_not_the_queue(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = bot(folders["chat"])
    asked = requests(histories(4))
    calm = await ask(loaded, asked)
    with monkeypatch.context() as patch:
        patch.setattr(loaded._loaded.model, "forward", lambda **_: 1 / 0)
        replies: list[Reply] = await loaded.reply(asked)
    assert all(reply.error is not None for reply in replies)
    assert await ask(loaded, asked) == calm
    await loaded.close()


async def test_a_cancelled_request_leaves_the_others_alone(folders: dict[str, Path]) -> None:
    loaded = bot(folders["chat"], decoding={"max_new_tokens": 60})
    asked = requests(histories(6))
    calm = await ask(loaded, asked)
    tasks = [asyncio.create_task(ask(loaded, [request])) for request in asked]
    await asyncio.sleep(0)
    tasks[2].cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(results[2], asyncio.CancelledError)
    assert [r[0] for n, r in enumerate(results) if n != 2 and isinstance(r, list)] == [
        t for n, t in enumerate(calm) if n != 2
    ]
    await loaded.close()


def test_identity_is_model_and_settings(folders: dict[str, Path]) -> None:
    base = registry.identity("hf", {"model": str(folders["chat"])})
    assert base == registry.identity(
        "hf", {"model": str(folders["chat"]), "decoding": {"top_p": 0.9}, "device": "cpu"}
    )
    others: list[dict[str, Any]] = [
        {"model": str(folders["other"])},
        {"model": str(folders["chat"]), "memory": 2},
        {"model": str(folders["chat"]), "persona": "p"},
        {"model": str(folders["chat"]), "decoding": {"top_p": 0.8}},
    ]
    assert len({base, *(registry.identity("hf", one) for one in others)}) == 5


@pytest.mark.parametrize(
    ("settings", "part"),
    [
        ({"model": "embedded:smollm2"}, "smollm2-135m"),
        ({"model": "./nowhere"}, "nowhere"),
        ({"model": "x.gguf"}, "x.gguf"),
        ({"model": "a/b", "decoding": {"topp": 1}}, "top_p"),
        ({"model": "a/b", "memmory": 1}, "memmory"),
        ({"model": "a/b", "memory": 0}, "memory"),
        ({}, "model"),
    ],
)
def test_wrong_settings_are_said_in_one_sentence(settings: dict[str, Any], part: str) -> None:
    with pytest.raises(InputError, match=part) as caught:
        registry.identity("hf", settings)
    assert "\n" not in str(caught.value)


async def test_closing_fails_what_is_unanswered(folders: dict[str, Path]) -> None:
    loaded = bot(folders["chat"], decoding={"max_new_tokens": 900})
    task = asyncio.create_task(loaded.reply(requests(histories(3, longest=1))))
    while not loaded.stats()["steps"]:
        await asyncio.sleep(0)
    await loaded.close()
    replies = await task
    assert [getattr(reply.error, "reason", None) for reply in replies] == ["closed"] * 3


async def test_beams_do_not_disturb_the_engine_that_has_the_same_weights(folders: dict[str, Path]) -> None:
    fast, beams = bot(folders["chat"]), bot(folders["chat"], decoding={"num_beams": 2})
    asked = requests(histories(3))
    greedy, searched = await asyncio.gather(ask(fast, asked), ask(beams, asked))
    assert greedy == [generated(fast, request.history) for request in asked]
    assert searched == [generated(fast, request.history, num_beams=2) for request in asked]
    await asyncio.gather(fast.close(), beams.close())


async def test_the_company_lets_a_batch_go_when_all_wait(folders: dict[str, Path]) -> None:
    company = DialogueCounter()
    loaded = bot(folders["chat"], RunOptions(batch=64, wait=1e6))
    loaded.attend(company)

    async def dialogue(name: str) -> list[str]:
        with company.dialogue():
            return await conversation(loaded, 3, True, name)

    texts = await asyncio.wait_for(asyncio.gather(*(dialogue(f"d{n}") for n in range(5))), 60)
    assert len({tuple(one) for one in texts}) == 1
    assert company.blocked == company.under_way == 0
    assert loaded.stats()["admissions"] == 6
    await loaded.close()
