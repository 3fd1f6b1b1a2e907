"""Bots of the hf adapter on tiny models, and what tests ask them."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import torch

from bots import hf_load, registry
from bots.base import Line, ReplyRequest, RunOptions
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
    caller = registry.create(registry.spec("x", "hf", given), run)
    assert isinstance(caller, HfBot)
    return caller


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


def requests(seen: list[tuple[Line, ...]], **more: Any) -> list[ReplyRequest]:
    return [ReplyRequest(f"d{n}", lines, seed=n, **more) for n, lines in enumerate(seen)]


async def ask(built: HfBot, asked: list[ReplyRequest]) -> list[str]:
    replies = await built.reply(asked)
    assert not [reply.error for reply in replies if reply.error]
    return [reply.text for reply in replies]


def prompt_ids(built: HfBot, lines: tuple[Line, ...], system: str | None = None) -> list[int]:
    return built._form.encode(lines, system)


def generated(built: HfBot, lines: tuple[Line, ...], tokens: int = 12, **options: Any) -> str:
    """transformers' own greedy answer, from a model of its own attention."""
    from transformers import AutoModelForCausalLM, AutoModelForSeq2SeqLM

    loaded = built._loaded
    kind = AutoModelForSeq2SeqLM if loaded.seq2seq else AutoModelForCausalLM
    source = hf_load.locate(loaded.name)
    folder = hf_load.converted(source) if source.gguf else source.folder
    model = kind.from_pretrained(folder, dtype=torch.float32).eval()
    ids = torch.tensor([prompt_ids(built, lines)])
    config = {"do_sample": False, "max_new_tokens": tokens, **options}
    out = model.generate(ids, attention_mask=torch.ones_like(ids), **config)[0]
    new = out if loaded.seq2seq else out[ids.shape[1] :]
    return str(loaded.tokenizer.decode(new, skip_special_tokens=True)).strip()


async def conversation(built: HfBot, turns: int, inquiries: bool, name: str = "d") -> list[str]:
    """The bot talks with a partner of fixed lines; inquiries run on forks."""
    draw = random.Random(4)
    lines: list[Line] = []
    texts = []
    for turn in range(turns):
        lines.append(Line(" ".join(draw.choices(WORDS, k=5)), False))
        reply = (await built.reply([ReplyRequest(name, tuple(lines), seed=turn)]))[0]
        assert reply.error is None
        lines.append(Line(reply.text, True))
        texts.append(reply.text)
        if inquiries:
            asked = (*lines, Line("What did you say?", False))
            answer = (await built.reply([ReplyRequest(name, asked, seed=99, fork=True)]))[0]
            assert answer.error is None
    return texts
