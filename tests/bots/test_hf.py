"""What the Hugging Face bots say, held against transformers' own `generate`."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import GenerationConfig

from bots import hf_load
from bots.base import Line, ReplyRequest, RunOptions
from bots.hf import HfBot
from bots.hf_jobs import Job
from bots.hf_rules import Rules
from bots.sampling import TRIES, Decoding, draw
from tests.bots.hf_bots import (
    ALONE,
    RUN,
    ask,
    bot,
    conversation,
    generated,
    histories,
    prompt_ids,
    requests,
)


async def test_two_models_never_share_a_batch(folders: dict[str, Path]) -> None:
    one, two = bot(folders["chat"]), bot(folders["other"])
    asked = requests(histories(12))
    alone_one, alone_two = await ask(one, asked), await ask(two, asked)
    assert all(a != b for a, b in zip(alone_one, alone_two, strict=True))
    together = await asyncio.gather(*(ask(built, [r]) for r in asked for built in (one, two)))
    assert [texts[0] for texts in together[::2]] == alone_one
    assert [texts[0] for texts in together[1::2]] == alone_two
    await asyncio.gather(one.close(), two.close())


async def test_two_decodings_of_one_model_never_share_a_batch(folders: dict[str, Path]) -> None:
    short, long = bot(folders["chat"], decoding={"max_new_tokens": 3}), bot(folders["chat"])
    assert short._loaded is long._loaded and short._lease.writer is not long._lease.writer
    asked = requests(histories(8))
    few, many = await asyncio.gather(ask(short, asked), ask(long, asked))
    assert all(len(a) < len(b) and b.startswith(a) for a, b in zip(few, many, strict=True))
    await asyncio.gather(short.close(), long.close())


async def test_equal_weights_and_decoding_share_one_queue_whatever_the_persona(
    folders: dict[str, Path],
) -> None:
    plain, pirate = bot(folders["chat"]), bot(folders["chat"], persona="I am a pirate.", memory=2)
    assert plain._lease.writer is pirate._lease.writer
    asked = requests(histories(4))
    both = await asyncio.gather(ask(plain, asked), ask(pirate, asked))
    assert both[0] != both[1]
    await plain.close()
    assert await ask(pirate, asked) == both[1]
    await pirate.close()


@pytest.mark.parametrize("run", [ALONE, RUN], ids=["deterministic", "engine"])
@pytest.mark.parametrize("kind", ["chat", "dialogpt", "sliding", "blender"])
async def test_greedy_replies_are_those_of_generate(
    folders: dict[str, Path], kind: str, run: RunOptions
) -> None:
    loaded = bot(folders[kind], run)
    longest = 3 if kind == "blender" else 9
    for lines in histories(6, seed=3, longest=longest):
        if kind == "blender":
            lines = lines[-1:]
        reply = (await loaded.reply([ReplyRequest("d", lines, 0)]))[0]
        assert reply.error is None
        assert reply.text == generated(loaded, lines)
    await loaded.close()


@pytest.mark.parametrize("kind", ["chat", "dialogpt", "sliding"])
async def test_batches_change_no_greedy_reply(folders: dict[str, Path], kind: str) -> None:
    asked = requests(histories(200, seed=5))
    alone, batched = bot(folders[kind], ALONE), bot(folders[kind])
    one_by_one, together = await ask(alone, asked), await ask(batched, asked)
    differing = [n for n in range(200) if one_by_one[n] != together[n]]
    assert len(differing) <= 2
    for n in differing:
        assert tied(alone, asked[n].history, one_by_one[n], together[n])
    assert batched.stats()["row_steps"] > 4 * batched.stats()["steps"]
    await asyncio.gather(alone.close(), batched.close())


def tied(built: HfBot, lines: tuple[Line, ...], a: str, b: str) -> bool:
    """Whether two replies part at tokens whose logits are equal within float error."""
    encode = built._loaded.tokenizer
    first, second = (encode(text, add_special_tokens=False)["input_ids"] for text in (a, b))
    same = next(
        (n for n, (x, y) in enumerate(zip(first, second, strict=False)) if x != y),
        min(len(first), len(second)),
    )
    ids = prompt_ids(built, lines) + first[:same]
    with torch.inference_mode():
        best = built._loaded.model(torch.tensor([ids])).logits[0, -1].topk(2).values
    return float(best[0] - best[1]) < 1e-3


@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.parametrize("run", [ALONE, RUN], ids=["deterministic", "engine"])
async def test_a_fork_leaves_no_trace(folders: dict[str, Path], run: RunOptions, sampled: bool) -> None:
    loaded = bot(folders["chat"], run, decoding={"do_sample": sampled, "top_p": 0.9})
    assert await conversation(loaded, 6, True, "a") == await conversation(loaded, 6, False, "b")
    await loaded.close()


@pytest.mark.parametrize("kind", ["chat", "dialogpt", "sliding"])
async def test_kept_caches_change_speed_only(folders: dict[str, Path], kind: str) -> None:
    kept, poor = bot(folders[kind]), bot(folders[kind], RunOptions(batch=16, cache_bytes=1))
    texts = await asyncio.gather(*(conversation(kept, 6, True, f"d{n}") for n in range(5)))
    again = await asyncio.gather(*(conversation(poor, 6, True, f"d{n}") for n in range(5)))
    assert texts == again
    assert kept.stats()["reused"] > kept.stats()["read"]
    assert poor.stats()["reused"] == 0
    await asyncio.gather(kept.close(), poor.close())


async def test_memory_stays_within_the_budget(folders: dict[str, Path]) -> None:
    budget = 2 << 20
    loaded = bot(folders["chat"], RunOptions(batch=16, cache_bytes=budget))
    texts = await asyncio.gather(*(conversation(loaded, 8, True, f"d{n}") for n in range(12)))
    stats = loaded.stats()
    assert stats["peak_kept_bytes"] > 0 and stats["peak_bytes"] <= budget
    assert stats["reused"] > 0
    alone = bot(folders["chat"], ALONE)
    assert await conversation(alone, 8, True) == texts[0]
    await asyncio.gather(loaded.close(), alone.close())


async def test_the_seed_alone_decides_a_sample(folders: dict[str, Path]) -> None:
    asked = requests(histories(24, seed=8))
    settings = {"do_sample": True, "top_p": 0.9}
    loaded = bot(folders["chat"], decoding=settings)
    together = await ask(loaded, asked)
    one_by_one = [(await ask(loaded, [request]))[0] for request in reversed(asked)][::-1]
    assert sum(a != b for a, b in zip(together, one_by_one, strict=True)) <= 1  # float error may flip a draw
    other_seeds = [ReplyRequest(r.dialogue, r.history, r.seed + 1000) for r in asked]
    assert sum(a == b for a, b in zip(await ask(loaded, other_seeds), together, strict=True)) < 4
    await loaded.close()


async def test_deterministic_runs_repeat_exactly(folders: dict[str, Path]) -> None:
    asked = requests(histories(10, seed=2))
    results = []
    for _ in range(2):
        loaded = bot(folders["chat"], ALONE, decoding={"do_sample": True})
        results.append(await ask(loaded, asked))
        await loaded.close()
    assert results[0] == results[1]


async def test_truncation_drops_whole_oldest_messages_and_never_the_persona(folders: dict[str, Path]) -> None:
    persona = "I am a lighthouse keeper."
    loaded = bot(folders["chat"], persona=persona, frame="none", context=160)
    lines = histories(1, seed=1, longest=1)[0] * 12
    reply = (await loaded.reply([ReplyRequest("d", lines, 0)]))[0]
    assert reply.error is None and 0 < reply.dropped < len(lines)
    kept = prompt_ids(loaded, lines[reply.dropped :], persona)
    assert reply.tokens_in == len(kept) <= 160 - 12
    assert persona in loaded._loaded.tokenizer.decode(kept)
    assert len(prompt_ids(loaded, lines[reply.dropped - 1 :], persona)) > 160 - 12
    hopeless = (await loaded.reply([ReplyRequest("d", (Line("x" * 500, False),), 0)]))[0]
    assert hopeless.error is not None and getattr(hopeless.error, "reason", "") == "too_long"
    await loaded.close()


async def test_memory_shows_the_last_messages_only(folders: dict[str, Path]) -> None:
    goldfish, plain = bot(folders["chat"], memory=2), bot(folders["chat"])
    lines = histories(1, seed=1, longest=9)[0] + histories(1, seed=2, longest=3)[0]
    assert await ask(goldfish, requests([lines])) == await ask(plain, requests([lines[-2:]]))
    await asyncio.gather(goldfish.close(), plain.close())


@pytest.mark.parametrize("run", [ALONE, RUN], ids=["deterministic", "engine"])
async def test_further_generation_settings_mean_what_transformers_means(
    folders: dict[str, Path], run: RunOptions
) -> None:
    options: dict[str, Any] = {"repetition_penalty": 1.7, "no_repeat_ngram_size": 2, "min_new_tokens": 10}
    loaded = bot(folders["chat"], run, decoding=options)
    for lines in histories(5, seed=6):
        assert (await ask(loaded, requests([lines])))[0] == generated(loaded, lines, **options)
    await loaded.close()


@pytest.mark.parametrize(
    "more", [{}, {"min_p": 0.2}, {"typical_p": 0.8}], ids=["early", "min_p", "typical_p"]
)
def test_settings_beside_sampling_give_transformers_distribution(
    folders: dict[str, Path], more: dict[str, float]
) -> None:
    loaded = hf_load.load({"model": str(folders["chat"])}, "cpu", "float32")
    extras = {"repetition_penalty": 1.6, **more}
    rules = Rules(loaded, Decoding(temperature=0.7, top_p=0.8, top_k=40, extras=json.dumps(extras)))
    prompt, count = [5, 9, 9, 30], 40_000
    config = GenerationConfig(do_sample=True, temperature=0.7, top_p=0.8, top_k=40, max_length=99, **extras)
    processors = loaded.model._get_logits_processor(generation_config=config, input_ids_seq_length=4)
    scores = torch.randn(1, 260, generator=torch.Generator().manual_seed(3)) * 2
    scores[0, prompt] += 4.0
    wanted = processors(torch.tensor([[*prompt, 7]]), scores.clone()).softmax(-1)[0]
    rule = rules.begin(Job(prompt, seed=0))
    assert rule is not None
    ruled = rule([7], scores.clone())
    uniform = torch.rand(count, TRIES, generator=torch.Generator().manual_seed(0))
    result = torch.bincount(draw(ruled.expand(count, -1), rules.decoding, uniform), minlength=260) / count
    assert not result[wanted == 0].any()
    assert ((result - wanted).abs() <= 5 * (wanted * (1 - wanted) / count).sqrt() + 5 / count).all()


async def test_beams_run_through_generate(folders: dict[str, Path]) -> None:
    loaded = bot(folders["blender"], decoding={"num_beams": 3})
    lines = histories(1, seed=6, longest=1)[0]
    assert (await ask(loaded, requests([lines])))[0] == generated(loaded, lines, num_beams=3)
    await loaded.close()


async def test_a_transcript_ends_at_its_stop(folders: dict[str, Path]) -> None:
    loaded = bot(
        folders["chat"],
        format="transcript",
        stop=["e", "a"],
        decoding={"max_new_tokens": 40, "do_sample": True},
    )
    replies = await loaded.reply(requests(histories(10)))
    assert all(not set("ea") & set(reply.text) for reply in replies)
    assert any(0 < reply.tokens_out < 40 for reply in replies)
    await loaded.close()
