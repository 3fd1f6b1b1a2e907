"""Measures the replies per second of the engine, of the one-at-a-time loop that it replaces, and of a bare
batched loop.

All of them write replies of the same length in the same conversation with the same weights. They take turns, so
that other load on the machine affects all of them equally.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from arena.bench.bare import Bare
from arena.bench.talk import TOKENS, Talk, play_turns, saying
from bots import hf_load, hf_prompt, registry
from bots.base import Line, RunOptions
from bots.batching import DialogueCounter
from bots.hf import HfBot
from bots.hf_trial import row_shape

MODEL = "embedded:smollm2-135m"
CACHE_BYTES = 3 << 30


@dataclass
class Spent:
    """The number of replies that one competitor wrote, and the time that it took."""

    replies: int = 0
    seconds: float = 0.0
    cpu: float = 0.0

    @property
    def rate(self) -> float:
        return self.replies / self.seconds

    @property
    def cpu_rate(self) -> float:
        return self.replies / self.cpu

    def facts(self) -> dict[str, Any]:
        return {
            "replies": self.replies,
            "replies_per_second": round(self.rate, 3),
            "replies_per_cpu_second": round(self.cpu_rate, 3),
        }


@dataclass
class Part:
    """One competitor, which plays its next turn when asked. Turns in which all competitors play are also totalled
    separately.
    """

    name: str
    turn: Callable[[], Awaitable[int]]
    talk: Talk | None = None
    all: Spent = field(default_factory=Spent)
    shared: Spent = field(default_factory=Spent)

    async def play(self, shared: bool) -> None:
        began, cpu = time.perf_counter(), time.process_time()
        replies = await self.turn()
        seconds, cpu = time.perf_counter() - began, time.process_time() - cpu
        for spent in (self.all, self.shared) if shared else (self.all,):
            spent.replies += replies
            spent.seconds += seconds
            spent.cpu += cpu


def bot(dtype: str = "auto", batch: int = 32, model: str = MODEL) -> HfBot:
    decoding = {"max_new_tokens": TOKENS, "min_new_tokens": TOKENS}
    spec = registry.spec("bench", "hf", {"model": model, "decoding": decoding, "dtype": dtype})
    player = registry.create(spec, RunOptions(batch=batch, cache_bytes=CACHE_BYTES))
    assert isinstance(player, HfBot)
    return player


def engine_part(player: HfBot, dialogues: int, name: str = "engine") -> Part:
    """Return the competitor that plays all dialogues at once through the bot, as in a tournament."""
    talks = [Talk(f"{name}{n}", n) for n in range(dialogues)]
    company = DialogueCounter()
    player.attend(company)
    say = saying(player)

    async def turn() -> int:
        with company.dialogues(dialogues):
            return await play_turns(talks, say)

    return Part(name, turn, talks[0])


def loop_part(dtype: str, name: str, model: str = MODEL) -> Part:
    """Return the competitor that uses transformers' `generate` with batch size 1. It plays one dialogue and reads
    the whole history for each reply.
    """
    import torch

    loaded = hf_load.load({"model": model}, "cpu", dtype)
    form = hf_prompt.choose("auto", loaded.tokenizer, loaded.model.config, ("A", "B"), ())
    talk = Talk(name, 0)

    async def say(key: str, history: tuple[Line, ...], seed: int, fork: bool) -> str:  # noqa: ARG001
        ids = torch.tensor([form.encode(history, None)])
        torch.manual_seed(seed)
        out = loaded.model.generate(
            ids,
            attention_mask=torch.ones_like(ids),
            do_sample=True,
            top_p=0.9,
            top_k=0,
            max_new_tokens=TOKENS,
            min_new_tokens=TOKENS,
        )
        return str(loaded.tokenizer.decode(out[0, ids.shape[1] :], skip_special_tokens=True)).strip()

    async def turn() -> int:
        return await play_turns([talk], say)

    return Part(name, turn, talk)


def bare_part(dialogues: int, dtype: str, model: str = MODEL) -> Part:
    loaded = hf_load.load({"model": model}, "cpu", dtype, packed=True)
    shape = row_shape(loaded)
    assert shape is not None
    bare = Bare(loaded, shape, dialogues)

    async def turn() -> int:
        return bare.play_turn()

    return Part("bare", turn)


async def replies(quick: bool, tell: Callable[[str], None], dialogues: int = 32) -> dict[str, Any]:
    """Measure the engine and the bare loop in every turn. The one-at-a-time loops play every third turn of the
    first dialogue.
    """
    turns = 3 if quick else 15
    dtype = hf_load.choose_dtype("auto", "cpu")
    player = bot(batch=dialogues)
    engine, bare = engine_part(player, dialogues), bare_part(dialogues, dtype)
    loop, loop16 = loop_part("float32", "loop"), loop_part("bfloat16", "loop_bf16")
    for turn in range(turns):
        shared = turn % 3 == 1
        if shared:
            for one in (loop, loop16):
                assert one.talk is not None and engine.talk is not None
                one.talk.at_the_point_of(engine.talk)
                await one.play(True)
        await engine.play(shared)
        await bare.play(shared)
        tell(_state(turn, turns, (loop, loop16, engine, bare)))
    stats = dict(player.stats())
    await player.close()
    return {
        "loop": {**loop.shared.facts(), "replies_per_second_bf16": round(loop16.shared.rate, 3)},
        "loop_bf16": loop16.shared.facts(),
        "engine": {**engine.all.facts(), "dialogues": dialogues, "dtype": dtype, "stats": stats},
        "bare": bare.all.facts(),
        "ratio_to_loop": round(engine.shared.rate / loop.shared.rate, 2),
        "ratio_to_loop_bf16": round(engine.shared.rate / loop16.shared.rate, 2),
        "ratio_to_bare": round(engine.all.rate / bare.all.rate, 3),
        "cpu_ratio_to_loop": round(engine.shared.cpu_rate / loop.shared.cpu_rate, 2),
        "cpu_ratio_to_loop_bf16": round(engine.shared.cpu_rate / loop16.shared.cpu_rate, 2),
        "cpu_ratio_to_bare": round(engine.all.cpu_rate / bare.all.cpu_rate, 3),
        "turns": turns,
        "tokens_each": TOKENS,
    }


def _state(turn: int, turns: int, parts: Sequence[Part]) -> str:
    rates = [
        f"{part.name} {part.all.rate:.2f}/s ({part.all.cpu_rate:.2f} a CPU second)"
        for part in parts
        if part.all.replies
    ]
    return f"turn {turn + 1} of {turns}: {', '.join(rates)}"


async def growth(quick: bool, tell: Callable[[str], None], dialogues: int = 16) -> dict[str, Any]:
    """Return the time of 30 turns divided by the time of the first 15 turns."""
    half = 4 if quick else 15
    player = bot(batch=dialogues)
    part = engine_part(player, dialogues, "growth")
    for turn in range(2 * half):
        await part.play(turn < half)
        tell(_state(turn, 2 * half, (part,)))
    await player.close()
    name = f"turns_{2 * half}_over_{half}"
    return {
        name: round(part.all.seconds / part.shared.seconds, 3),
        f"{name}_cpu": round(part.all.cpu / part.shared.cpu, 3),
    }


async def int8(quick: bool, tell: Callable[[str], None], dialogues: int = 32) -> dict[str, Any]:
    """Compare eight-bit weights with bf16: the speed, and the share of equal greedy replies."""
    from bots.base import Line, ReplyRequest

    sixteen, eight = bot("bfloat16", dialogues), bot("int8", dialogues)
    parts = [engine_part(sixteen, dialogues, "bfloat16"), engine_part(eight, dialogues, "int8")]
    for turn in range(2 if quick else 6):
        for part in parts:
            await part.play(True)
        tell(_state(turn, 2 if quick else 6, parts))
    asked = [ReplyRequest(f"q{n}", (Line(text, False),), n) for n, text in enumerate(_openers())]
    texts: dict[str, list[str]] = {}
    for dtype in ("float32", "bfloat16", "int8"):
        greedy = registry.spec(
            "bench",
            "hf",
            {"model": MODEL, "decoding": {"do_sample": False, "max_new_tokens": TOKENS}, "dtype": dtype},
        )
        player = registry.create(greedy, RunOptions(batch=dialogues))
        texts[dtype] = [reply.text for reply in await player.reply(asked)]
        await player.close()
    await sixteen.close()
    await eight.close()
    equal = {
        dtype: sum(a == b for a, b in zip(texts[dtype], texts["float32"], strict=True)) / len(asked)
        for dtype in ("bfloat16", "int8")
    }
    return {
        "replies_per_second": {part.name: round(part.all.rate, 3) for part in parts},
        "replies_per_cpu_second": {part.name: round(part.all.cpu_rate, 3) for part in parts},
        "equal_greedy_replies_to_fp32": equal,
    }


def _openers() -> list[str]:
    subjects = ("dogs", "Rome", "music", "your job", "the sea", "cooking", "football", "books")
    forms = (
        "Tell me about {}.",
        "Do you like {}?",
        "What is the best thing about {}?",
        "Let us talk about {}.",
    )
    return [form.format(subject) for subject in subjects for form in forms]
