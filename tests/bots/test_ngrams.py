"""`context_block_ngram`: no run of tokens occurs twice in a conversation, and nothing else changes."""

from __future__ import annotations

import asyncio
import random
from itertools import pairwise
from pathlib import Path

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import InputError
from arena.core.types import BotSpec
from bots import registry
from bots.base import Line, ReplyRequest, RunOptions
from bots.hf import HfBot
from bots.hf_jobs import ends_of
from bots.ngrams import Blocked
from tests.bots.hf_bots import ALONE, RUN, ask, bot, histories, prompt_ids, requests

TOKENS = st.lists(st.integers(0, 3), max_size=12)


@given(st.integers(1, 4), st.lists(TOKENS, max_size=4), TOKENS)
def test_a_token_is_blocked_if_it_completes_a_run_that_occurred(
    size: int, messages: list[list[int]], written: list[int]
) -> None:
    blocked = Blocked(size, messages)
    for count in range(len(written) + 1):
        begun = written[:count]
        known = {tuple(m[i : i + size]) for m in [*messages, begun] for i in range(len(m) - size + 1)}
        wanted = {token for token in range(4) if tuple([*begun, token][-size:]) in known}
        assert set(blocked.after(begun)) == wanted


def ids_of(built: HfBot, text: str) -> list[int]:
    return list(built._loaded.tokenizer(text, add_special_tokens=False)["input_ids"])


def reference(built: HfBot, request: ReplyRequest, size: int, most: int) -> str:
    """A greedy reply by definition: every token is the likeliest one that completes no known run."""
    said = [ids_of(built, line.text) for line in request.history]
    written: list[int] = []
    ids = prompt_ids(built, request.history)
    for _ in range(most):
        with torch.inference_mode():
            logits = built._loaded.model(torch.tensor([ids + written])).logits[0, -1]
        known = {tuple(m[i : i + size]) for m in [*said, written] for i in range(len(m) - size + 1)}
        for token in logits.argsort(descending=True).tolist():
            if tuple([*written, token][-size:]) not in known:
                break
        if token == built._loaded.tokenizer.eos_token_id:
            break
        written.append(token)
    return str(built._loaded.tokenizer.decode(written, skip_special_tokens=True)).strip()


@pytest.mark.parametrize("size", [1, 2, 3])
async def test_engine_and_plain_path_choose_the_likeliest_token_that_is_left(
    folders: dict[str, Path], size: int
) -> None:
    decoding = {"context_block_ngram": size, "max_new_tokens": 12}
    engine, plain = bot(folders["chat"], decoding=decoding), bot(folders["chat"], ALONE, decoding=decoding)
    asked = requests(histories(8, seed=4))
    together, alone = await asyncio.gather(ask(engine, asked), ask(plain, asked))
    assert engine.stats()["steps"] > 0
    assert together == alone == [reference(plain, request, size, 12) for request in asked]
    if size == 1:
        free = bot(folders["chat"])
        assert await ask(free, asked) != together
        await free.close()
    await asyncio.gather(engine.close(), plain.close())


@pytest.mark.parametrize(
    "more", [{}, {"repetition_penalty": 1.3}, {"min_p": 0.1}], ids=["bare", "penalty", "min_p"]
)
@pytest.mark.parametrize("run", [ALONE, RUN], ids=["deterministic", "engine"])
@pytest.mark.parametrize("kind", ["chat", "blender"])
async def test_no_run_of_tokens_occurs_twice_in_a_conversation(
    folders: dict[str, Path], kind: str, run: RunOptions, more: dict[str, float]
) -> None:
    letters = ids_of(plain := bot(folders[kind], ALONE), "abcdefghijklmnop")
    ends = ends_of(plain._loaded)
    silent = [token for token in range(len(plain._loaded.tokenizer)) if token not in {*letters, *ends}]
    blocking = {"context_block_ngram": 2, "max_new_tokens": 6, "suppress_tokens": silent, **more}
    sampling = {"do_sample": True, "temperature": 0.5}
    built = bot(folders[kind], run, decoding={**sampling, **blocking})
    draw, lines = random.Random(1), [Line("cab", False)]
    known, tokens = set(pairwise(ids_of(built, "cab"))), 0
    for turn in range(6):
        reply = (await built.reply([ReplyRequest("d", tuple(lines), seed=turn)]))[0]
        assert reply.error is None
        tokens += reply.tokens_out
        runs = list(pairwise(ids_of(built, reply.text)))
        assert not known & set(runs) and len(set(runs)) == len(runs)
        partner = "".join(draw.sample("abcdefghijklmnop", 2))
        lines += [Line(reply.text, True), Line(partner, False)]
        known |= {*runs, *pairwise(ids_of(built, partner))}
    assert tokens > 10
    await asyncio.gather(built.close(), plain.close())


@pytest.mark.parametrize("run", [ALONE, RUN], ids=["deterministic", "engine"])
async def test_answers_to_inquiries_may_repeat_what_was_said(
    folders: dict[str, Path], run: RunOptions
) -> None:
    blocking = bot(folders["chat"], run, decoding={"context_block_ngram": 1})
    free = bot(folders["chat"], run)
    seen = histories(6, seed=2)
    assert await ask(blocking, requests(seen, fork=True)) == await ask(free, requests(seen, fork=True))
    assert await ask(blocking, requests(seen)) != await ask(free, requests(seen))
    mixed = [*requests(seen, fork=True)[:3], *requests(seen)[3:]]  # both kinds in one batch
    wanted = [*(await ask(free, mixed[:3])), *(await ask(blocking, mixed[3:]))]
    assert await ask(blocking, mixed) == wanted
    await asyncio.gather(blocking.close(), free.close())


def test_the_key_is_part_of_the_identity_and_its_absence_changes_no_identity(
    folders: dict[str, Path],
) -> None:
    def spec(**decoding: int) -> BotSpec:
        return registry.spec("x", "hf", {"model": str(folders["chat"]), "decoding": decoding})

    assert "context_block_ngram" not in spec().settings["decoding"]
    assert spec().identity == spec(context_block_ngram=0).identity != spec(context_block_ngram=4).identity
    assert spec(context_block_ngram=4).identity != spec(context_block_ngram=5).identity
    with pytest.raises(InputError, match="without beams"):
        spec(context_block_ngram=4, num_beams=3)
