"""What the Hugging Face bots say, held against transformers' own `generate`."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
import torch

from arena.core.errors import InputError
from bots import hf_load, registry
from bots.base import Line, Reply, ReplyRequest, RunOptions
from bots.batching import DialogueCounter
from bots.hf import HfBot

WORDS = [
    "I",
    "you",
    "we",
    "like",
    "see",
    "the",
    "a",
    "my",
    "red",
    "green",
    "dog",
    "cat",
    "house",
    "in",
    "Rome",
    "Paris",
    "today",
    "with",
    "who",
    "never",
    "always",
]
RUN = RunOptions(batch=16)
ALONE = RunOptions(deterministic=True)


def bot(folder: Path | str, run: RunOptions = RUN, **settings: Any) -> HfBot:
    decoding = {"do_sample": False, "max_new_tokens": 12, **settings.pop("decoding", {})}
    given = {"model": str(folder), "dtype": "float32", "decoding": decoding, **settings}
    made = registry.create(registry.spec("x", "hf", given), run)
    assert isinstance(made, HfBot)
    return made


def histories(count: int, seed: int = 0, longest: int = 9) -> list[tuple[Line, ...]]:
    """Conversations whose last line is the partner's."""
    draw = random.Random(seed)
    result = []
    for _ in range(count):
        size = draw.randint(1, longest)
        lines = [
            Line(" ".join(draw.choices(WORDS, k=draw.randint(1, 12))), (size - n) % 2 == 0)
            for n in range(size)
        ]
        result.append(tuple(lines))
    return result


def requests(found: list[tuple[Line, ...]], **more: Any) -> list[ReplyRequest]:
    return [ReplyRequest(f"d{n}", lines, seed=n, **more) for n, lines in enumerate(found)]


async def ask(made: HfBot, asked: list[ReplyRequest]) -> list[str]:
    replies = await made.reply(asked)
    assert not [reply.error for reply in replies if reply.error]
    return [reply.text for reply in replies]


def prompt_ids(made: HfBot, lines: tuple[Line, ...], system: str | None = None) -> list[int]:
    return made._form.encode(lines, system)


def generated(made: HfBot, lines: tuple[Line, ...], tokens: int = 12, **options: Any) -> str:
    """transformers' own greedy answer, from a model of its own attention."""
    from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM

    loaded = made._loaded
    kind = AutoModelForSeq2SeqLM if loaded.seq2seq else AutoModelForCausalLM
    source = hf_load.locate(loaded.name)
    folder = hf_load.converted(source) if source.gguf else source.folder
    model = kind.from_pretrained(folder, dtype=torch.float32).eval()
    ids = torch.tensor([prompt_ids(made, lines)])
    config = {"do_sample": False, "max_new_tokens": tokens, **options}
    out = model.generate(ids, attention_mask=torch.ones_like(ids), **config)[0]
    new = out if loaded.seq2seq else out[ids.shape[1] :]
    return str(loaded.tokenizer.decode(new, skip_special_tokens=True)).strip()


async def test_two_models_never_share_a_batch(folders: dict[str, Path]) -> None:
    one, two = bot(folders["chat"]), bot(folders["other"])
    asked = requests(histories(12))
    alone_one, alone_two = await ask(one, asked), await ask(two, asked)
    assert all(a != b for a, b in zip(alone_one, alone_two, strict=True))
    together = await asyncio.gather(*(ask(made, [r]) for r in asked for made in (one, two)))
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
    made = bot(folders[kind], run)
    longest = 3 if kind == "blender" else 9
    for lines in histories(6, seed=3, longest=longest):
        if kind == "blender":
            lines = lines[-1:]
        reply = (await made.reply([ReplyRequest("d", lines, 0)]))[0]
        assert reply.error is None
        assert reply.text == generated(made, lines)
    await made.close()


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


def tied(made: HfBot, lines: tuple[Line, ...], a: str, b: str) -> bool:
    """Whether two replies part at tokens whose logits are equal within float error."""
    encode = made._loaded.tokenizer
    first, second = (encode(text, add_special_tokens=False)["input_ids"] for text in (a, b))
    same = next(
        (n for n, (x, y) in enumerate(zip(first, second, strict=False)) if x != y),
        min(len(first), len(second)),
    )
    ids = prompt_ids(made, lines) + first[:same]
    with torch.inference_mode():
        best = made._loaded.model(torch.tensor([ids])).logits[0, -1].topk(2).values
    return float(best[0] - best[1]) < 1e-3


async def conversation(made: HfBot, turns: int, inquiries: bool, name: str = "d") -> list[str]:
    """The bot talks with a partner of fixed lines; inquiries run on forks."""
    draw = random.Random(4)
    lines: list[Line] = []
    texts = []
    for turn in range(turns):
        lines.append(Line(" ".join(draw.choices(WORDS, k=5)), False))
        reply = (await made.reply([ReplyRequest(name, tuple(lines), seed=turn)]))[0]
        assert reply.error is None
        lines.append(Line(reply.text, True))
        texts.append(reply.text)
        if inquiries:
            asked = (*lines, Line("What did you say?", False))
            answer = (await made.reply([ReplyRequest(name, asked, seed=99, fork=True)]))[0]
            assert answer.error is None
    return texts


@pytest.mark.parametrize("sampled", [False, True])
@pytest.mark.parametrize("run", [ALONE, RUN], ids=["deterministic", "engine"])
async def test_a_fork_leaves_no_trace(folders: dict[str, Path], run: RunOptions, sampled: bool) -> None:
    made = bot(folders["chat"], run, decoding={"do_sample": sampled, "top_p": 0.9})
    assert await conversation(made, 6, True, "a") == await conversation(made, 6, False, "b")
    await made.close()


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
    made = bot(folders["chat"], RunOptions(batch=16, cache_bytes=budget))
    texts = await asyncio.gather(*(conversation(made, 8, True, f"d{n}") for n in range(12)))
    stats = made.stats()
    assert stats["peak_kept_bytes"] > 0 and stats["peak_bytes"] <= budget
    assert stats["reused"] > 0
    alone = bot(folders["chat"], ALONE)
    assert await conversation(alone, 8, True) == texts[0]
    await asyncio.gather(made.close(), alone.close())


async def test_the_seed_alone_decides_a_sample(folders: dict[str, Path]) -> None:
    asked = requests(histories(24, seed=8))
    settings = {"do_sample": True, "top_p": 0.9}
    made = bot(folders["chat"], decoding=settings)
    together = await ask(made, asked)
    one_by_one = [(await ask(made, [request]))[0] for request in reversed(asked)][::-1]
    assert sum(a != b for a, b in zip(together, one_by_one, strict=True)) <= 1  # float error may flip a draw
    other_seeds = [ReplyRequest(r.dialogue, r.history, r.seed + 1000) for r in asked]
    assert sum(a == b for a, b in zip(await ask(made, other_seeds), together, strict=True)) < 4
    await made.close()


async def test_deterministic_runs_repeat_exactly(folders: dict[str, Path]) -> None:
    asked = requests(histories(10, seed=2))
    results = []
    for _ in range(2):
        made = bot(folders["chat"], ALONE, decoding={"do_sample": True})
        results.append(await ask(made, asked))
        await made.close()
    assert results[0] == results[1]


async def test_truncation_drops_whole_oldest_messages_and_never_the_persona(folders: dict[str, Path]) -> None:
    persona = "I am a lighthouse keeper."
    made = bot(folders["chat"], persona=persona, context=160)
    lines = histories(1, seed=1, longest=1)[0] * 12
    reply = (await made.reply([ReplyRequest("d", lines, 0)]))[0]
    assert reply.error is None and 0 < reply.dropped < len(lines)
    kept = prompt_ids(made, lines[reply.dropped :], persona)
    assert reply.tokens_in == len(kept) <= 160 - 12
    assert persona in made._loaded.tokenizer.decode(kept)
    assert len(prompt_ids(made, lines[reply.dropped - 1 :], persona)) > 160 - 12
    hopeless = (await made.reply([ReplyRequest("d", (Line("x" * 500, False),), 0)]))[0]
    assert hopeless.error is not None and getattr(hopeless.error, "reason", "") == "too_long"
    await made.close()


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
    made = bot(folders["chat"], run, decoding=options)
    for lines in histories(5, seed=6):
        assert (await ask(made, requests([lines])))[0] == generated(made, lines, **options)
    await made.close()


async def test_beams_run_through_generate(folders: dict[str, Path]) -> None:
    made = bot(folders["blender"], decoding={"num_beams": 3})
    lines = histories(1, seed=6, longest=1)[0]
    assert (await ask(made, requests([lines])))[0] == generated(made, lines, num_beams=3)
    await made.close()


async def test_a_transcript_ends_at_its_stop(folders: dict[str, Path]) -> None:
    made = bot(
        folders["chat"],
        format="transcript",
        stop=["e", "a"],
        decoding={"max_new_tokens": 40, "do_sample": True},
    )
    replies = await made.reply(requests(histories(10)))
    assert all(not set("ea") & set(reply.text) for reply in replies)
    assert any(0 < reply.tokens_out < 40 for reply in replies)
    await made.close()


async def test_too_little_memory_halves_the_batch(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = bot(folders["chat"])
    asked = requests(histories(16, seed=9))
    calm = await ask(made, asked)
    original = made._loaded.model.forward

    def cramped(*args: Any, **kwargs: Any) -> Any:
        if kwargs["input_ids"].shape[0] > 5:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes")
        return original(*args, **kwargs)

    monkeypatch.setattr(made._loaded.model, "forward", cramped)
    assert await ask(made, asked) == calm
    assert made.stats()["halved"] >= 1
    await made.close()


async def test_a_broken_model_fails_its_requests_and_not_the_queue(
    folders: dict[str, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    made = bot(folders["chat"])
    asked = requests(histories(4))
    calm = await ask(made, asked)
    with monkeypatch.context() as patch:
        patch.setattr(made._loaded.model, "forward", lambda **_: 1 / 0)
        replies: list[Reply] = await made.reply(asked)
    assert all(reply.error is not None for reply in replies)
    assert await ask(made, asked) == calm
    await made.close()


async def test_a_cancelled_request_leaves_the_others_alone(folders: dict[str, Path]) -> None:
    made = bot(folders["chat"], decoding={"max_new_tokens": 60})
    asked = requests(histories(6))
    calm = await ask(made, asked)
    tasks = [asyncio.create_task(ask(made, [request])) for request in asked]
    await asyncio.sleep(0)
    tasks[2].cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(results[2], asyncio.CancelledError)
    assert [r[0] for n, r in enumerate(results) if n != 2 and isinstance(r, list)] == [
        t for n, t in enumerate(calm) if n != 2
    ]
    await made.close()


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
    made = bot(folders["chat"], decoding={"max_new_tokens": 900})
    task = asyncio.create_task(made.reply(requests(histories(3, longest=1))))
    while not made.stats()["steps"]:
        await asyncio.sleep(0)
    await made.close()
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
    made = bot(folders["chat"], RunOptions(batch=64, wait=1e6))
    made.attend(company)

    async def dialogue(name: str) -> list[str]:
        with company.dialogue():
            return await conversation(made, 3, True, name)

    texts = await asyncio.wait_for(asyncio.gather(*(dialogue(f"d{n}") for n in range(5))), 60)
    assert len({tuple(one) for one in texts}) == 1
    assert company.blocked == company.under_way == 0
    assert made.stats()["admissions"] == 6
    await made.close()
