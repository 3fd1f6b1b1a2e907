"""`redraws`: a reply that repeats the conversation is drawn again, and nothing else changes."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.core.errors import InputError
from arena.core.hashing import seed_for
from bots import registry
from bots.base import Line, ReplyRequest, RunOptions
from bots.hf import NEW_ENOUGH
from bots.repetition import echo
from tests.bots.hf_bots import ALONE, RUN, WORDS, ask, bot, histories, requests

SAMPLING = {"do_sample": True, "temperature": 1.0}
LINES = st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)


@given(LINES, st.lists(LINES, max_size=4))
def test_an_echo_is_a_share_and_whole_for_what_was_just_said(text: str, earlier: list[str]) -> None:
    assert 0 <= echo(text, earlier) <= 1
    assert echo(text, [*earlier, text]) == 1


def test_what_is_said_again_echoes_and_what_is_new_does_not() -> None:
    earlier = ["I have two dogs and a garden.", "How nice! What do you grow there?"]
    assert echo("I have two dogs and a garden.", earlier) == 1
    assert echo("Two dogs, a garden!", earlier) == 1  # in other words
    assert echo("Mostly tomatoes, and sometimes pumpkins.", earlier) == 0
    assert echo("", earlier) == 1  # says nothing new


@pytest.mark.parametrize("run", [ALONE, RUN], ids=["deterministic", "engine"])
async def test_the_reply_that_repeats_least_is_returned(folders: dict[str, Path], run: RunOptions) -> None:
    decoding = {**SAMPLING, **_few_replies(folders["chat"])}
    free = bot(folders["chat"], run, decoding=decoding)
    redrawing = bot(folders["chat"], run, decoding={**decoding, "redraws": 3})
    lines = tuple(Line(text, bool(place % 2)) for place, text in enumerate(("b", "aa", "ab", "bb", "a")))
    asked = [ReplyRequest(f"d{seed}", lines, seed) for seed in range(12)]
    first, replies = await ask(free, asked), await ask(redrawing, asked)
    earlier = [line.text for line in lines]
    wanted = []
    for request, text in zip(asked, first, strict=True):
        seeds = [seed_for(request.seed, "redraw", number) for number in range(3)]
        others = await ask(free, [replace(request, seed=seed) for seed in seeds])
        repeats = echo(text, earlier) > NEW_ENOUGH
        wanted.append(min([text, *others], key=lambda one: echo(one, earlier)) if repeats else text)
    assert replies == wanted
    assert replies != first
    assert any(echo(text, earlier) <= NEW_ENOUGH for text in first)
    await asyncio.gather(free.close(), redrawing.close())


def _few_replies(folder: Path) -> dict[str, object]:
    """Settings with which a model says one or two letters, so that it soon repeats itself."""
    loaded = bot(folder, ALONE)._loaded
    letters = loaded.tokenizer("ab", add_special_tokens=False)["input_ids"]
    silent = [token for token in range(len(loaded.tokenizer)) if token not in letters]
    return {"suppress_tokens": silent, "max_new_tokens": 2}


@pytest.mark.parametrize("run", [ALONE, RUN], ids=["deterministic", "engine"])
async def test_inquiries_are_answered_once(folders: dict[str, Path], run: RunOptions) -> None:
    free = bot(folders["chat"], run, decoding=SAMPLING)
    redrawing = bot(folders["chat"], run, decoding={**SAMPLING, "redraws": 3})
    asked = requests(histories(6, seed=2), fork=True)
    assert await ask(redrawing, asked) == await ask(free, asked)
    await asyncio.gather(free.close(), redrawing.close())


def test_without_redraws_a_bot_keeps_its_identity(folders: dict[str, Path]) -> None:
    def identity(**decoding: object) -> str:
        settings = {"model": str(folders["chat"]), "decoding": {**SAMPLING, **decoding}}
        return registry.spec("x", "hf", settings).identity

    assert identity() == identity(redraws=0) != identity(redraws=1)


@pytest.mark.parametrize("decoding", [{"do_sample": False}, {"num_beams": 2}], ids=["greedy", "beams"])
def test_redraws_without_sampling_are_an_error(folders: dict[str, Path], decoding: dict[str, object]) -> None:
    settings = {"model": str(folders["chat"]), "decoding": {**decoding, "redraws": 2}}
    with pytest.raises(InputError, match="redraws need sampling"):
        registry.spec("x", "hf", settings)
