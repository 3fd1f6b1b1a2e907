"""ParlAI agents: trained here, alone and in batches, sampled and inquired of, and the traps on the way in."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.bots import tiny

pytest.importorskip("parlai", reason="ParlAI is not installed: pip install --no-deps parlai==1.7.2")

from arena.core.errors import MissingPart
from arena.core.types import Dialogue, DialoguePlan, Entity, InquiryReport, Kind, Question
from arena.play.dialogue import InquiryPlan, play
from arena.play.guard import Guard
from bots import registry
from bots.base import Line, Reply, ReplyRequest
from bots.parlai_agent import persona_lines
from tests.bots.parlai_bots import ask, bot_for, history
from tests.bots.parlai_training import FACTS

QUESTIONS = [*FACTS, "hello", "how are you?"]

NUCLEUS = {"inference": "nucleus", "topp": 0.95, "temperature": 3.0}


def asking(n: int, fork: bool = False) -> ReplyRequest:
    """The nth of many different requests."""
    draw = random.Random(n)
    texts = [
        draw.choice(QUESTIONS) if k % 2 == 0 else "my name is bob." for k in range(2 * draw.randrange(4) + 1)
    ]
    return ReplyRequest(f"d{n}", history(*texts), seed=n, fork=fork)


async def converse(bot: Any, name: str, inquiries: bool, leak: bool = False) -> list[str]:
    """Six turns; with `leak` the inquiries are asked as messages, to see that this would be noticed."""
    lines: tuple[Line, ...] = ()
    collected = []
    for turn in range(6):
        lines = (*lines, Line(QUESTIONS[turn % len(QUESTIONS)], mine=False))
        (text,) = await ask(bot, ReplyRequest(name, lines, seed=100 + turn))
        collected.append(text)
        lines = (*lines, Line(text, mine=True))
        if inquiries:
            question = (*lines, Line("where do you live?", mine=False))
            (answer,) = await ask(bot, ReplyRequest(name, question, seed=200 + turn, fork=not leak))
            if leak:
                lines = (*question, Line(answer, mine=True))
    return collected


async def test_it_learned_to_answer(model: str) -> None:
    bot = bot_for(model)
    replies = await bot.reply([ReplyRequest("d", history("what is your name?"), 1)])
    assert replies[0].text.startswith("my name is")
    assert replies[0].tokens_in > 0 and replies[0].tokens_out > 0
    await bot.close()


@pytest.mark.parametrize(
    "decoding", [{}, {"inference": "beam", "beam_size": 3}, NUCLEUS], ids=["greedy", "beam", "nucleus"]
)
async def test_a_batch_says_what_single_calls_say(model: str, decoding: dict[str, Any]) -> None:
    """Under sampling too: the seed decides a sample, whatever the batch it is drawn in."""
    requests = [asking(n, fork=n % 3 == 0) for n in range(24)]
    together, alone, mixed = (bot_for(model, decoding=decoding) for _ in range(3))
    batched = await ask(together, *requests)
    single = [(await ask(alone, request))[0] for request in requests]
    turned = await ask(mixed, *reversed(requests))
    assert batched == single == turned[::-1]
    assert together._batcher.batches < 24
    for bot in (together, alone, mixed):
        await bot.close()


async def test_seeds_differ_and_repeat(model: str) -> None:
    bot = bot_for(model, decoding=NUCLEUS)
    requests = [ReplyRequest(f"d{n}", history("where do you live?"), seed=n) for n in range(30)]
    first, second = await ask(bot, *requests), await ask(bot, *requests)
    assert first == second
    assert len(set(first)) > 2
    await bot.close()


@pytest.mark.parametrize("decoding", [{}, NUCLEUS], ids=["greedy", "nucleus"])
async def test_inquiries_leave_no_trace(model: str, decoding: dict[str, Any]) -> None:
    bot = bot_for(model, decoding=decoding)
    plain = await converse(bot, "a", inquiries=False)
    assert await converse(bot, "b", inquiries=True) == plain
    held = bot._conversations._seats["b", None].agent.history.history_strings
    sentence = [text for pair in zip(QUESTIONS, plain, strict=True) for text in pair]
    assert held == sentence[-len(held) :]  # the oldest may have been dropped, to fit
    if decoding:
        assert await converse(bot, "c", inquiries=True, leak=True) != plain  # so a trace would show
    await bot.close()


async def test_dropped_caches_change_nothing(model: str) -> None:
    bot = bot_for(model, decoding=NUCLEUS)
    plain = await converse(bot, "a", inquiries=True)

    class Forgetful:
        async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
            bot._conversations.forget()
            return list(await bot.reply(requests))

    assert await converse(Forgetful(), "b", inquiries=True) == plain
    await bot.close()


async def test_global_randomness_is_left_alone(model: str) -> None:
    import torch

    bot = bot_for(model, decoding=NUCLEUS)
    random.seed(1)
    before, torch_before = random.getstate(), torch.get_rng_state()
    await ask(bot, *(asking(n) for n in range(5)))
    assert random.getstate() == before and torch.equal(torch.get_rng_state(), torch_before)
    await bot.close()


async def test_one_that_opened_remembers_its_opener(model: str) -> None:
    bot = bot_for(model)
    opened = (Line("my name is dora.", True), Line("what is your name?", False))
    assert await ask(bot, ReplyRequest("a", opened, 1)) == ["my name is dora."] or opened
    held = next(iter(bot._conversations._seats.values())).agent.history.history_strings
    assert held[:2] == ["my name is dora.", "what is your name?"]
    await bot.close()


async def test_memory_and_truncation_drop_whole_messages_never_the_persona(model: str) -> None:
    texts = ["where do you live?", "i live in oslo."] * 12 + ["hello"]
    request = ReplyRequest("a", history(*texts), 1, knowledge="oslo is cold.")
    for settings, most in (({}, 24), ({"memory": 3}, 3), ({"options": {"history_size": 5}}, 5)):
        bot = bot_for(model, persona="i like figs.\nyour persona: i live in lima.", **settings)
        (reply,) = await bot.reply([request])
        assert reply.error is None
        held = next(iter(bot._conversations._seats.values())).agent.history.history_strings
        assert held[0] == "your persona: i like figs.\nyour persona: i live in lima."
        assert held[1] == "oslo is cold."
        assert held[-2] == "hello" and held[-1] == reply.text
        assert len(held) - 3 == 25 - reply.dropped <= most
        assert reply.tokens_in <= 64
        await bot.close()


def test_persona_lines() -> None:
    assert persona_lines(None) is None and persona_lines(" \n") is None
    assert persona_lines("i ski.\n\n Your persona: i cook. ") == "your persona: i ski.\nYour persona: i cook."


async def test_agents_without_weights_play(tmp_path: Path) -> None:
    candidates = tmp_path / "candidates.txt"
    candidates.write_text("i have a small dog\nmy house is in rome\ni never eat fish")
    echo = bot_for("repeat_query")
    assert await ask(echo, ReplyRequest("a", history("hello", "hello", "again?"), 1)) == ["again?"]
    retrieval = bot_for("ir_baseline", options={"label_candidates_file": str(candidates)})
    answers = await ask(
        retrieval, *(ReplyRequest("a", history(q), 1) for q in ("which dog?", "your house?", "eat fish?"))
    )
    assert answers == candidates.read_text().splitlines()
    chance = bot_for("random_candidate", options={"label_candidates_file": str(candidates)})
    requests = [ReplyRequest(f"d{n}", history("hello"), seed=n) for n in range(20)]
    drawn = await ask(chance, *requests)
    assert len(set(drawn)) == 3 and drawn == [(await ask(chance, request))[0] for request in requests]
    for bot in (echo, retrieval, chance):
        await bot.close()


@pytest.mark.parametrize("decoding", [{}, {"inference": "nucleus", "topp": 0.9}], ids=["greedy", "nucleus"])
async def test_hugging_faces_gpt2_within_parlai(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, decoding: dict[str, Any]
) -> None:
    from transformers import GPT2Config

    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    config = GPT2Config(vocab_size=264, n_positions=512, n_embd=48, n_layer=2, n_head=4)
    tiny.save(tmp_path, config, seed=1)
    options = {"model_name": str(tmp_path), "add_special_tokens": False, "label_truncate": 8}
    bot = bot_for("hugging_face/gpt2", options=options, decoding=decoding)
    requests = [ReplyRequest(f"d{n}", history("hello " * (n + 1)), seed=n) for n in range(6)]
    batched = await bot.reply(requests)
    single = [(await bot.reply([request]))[0] for request in requests]
    assert [reply.error for reply in batched] == [None] * 6
    assert [reply.text for reply in batched] == [reply.text for reply in single]
    assert len({reply.text for reply in batched}) > 1
    await bot.close()


async def tournament(bot: Any, partner: Any, inquire: bool, dialogues: int, turns: int) -> list[Dialogue]:
    async def question(utterance: str) -> InquiryReport:
        entity = Entity(utterance[:5], "X", 0, 5, 0, len(utterance))
        return InquiryReport(utterance, (entity,), (Question(f"do you {utterance}?", entity, Kind.WH),), {})

    specs = [registry.spec(name, "echo", {}) for name in ("partner", "p")]
    guards = [Guard(name, which, 300, 8000, 0) for name, which in (("partner", partner), ("p", bot))]
    about = InquiryPlan(question, (Kind.WH,), (0,), 1) if inquire else None
    plans = [
        DialoguePlan(specs[0], specs[1], QUESTIONS[n % len(QUESTIONS)], n, turns, "x", n)
        for n in range(dialogues)
    ]
    return list(await asyncio.gather(*(play(plan, guards[0], guards[1], about) for plan in plans)))


async def test_twenty_dialogues_at_once_inquiries_or_not(model: str) -> None:
    bot, partner = bot_for(model, decoding=NUCLEUS), bot_for("repeat_query")
    asked = await tournament(bot, partner, True, 20, 8)
    plain = await tournament(bot, partner, False, 20, 8)
    assert [d.reason for d in asked + plain] == [None] * 40
    assert all(len(d.messages) == 16 for d in asked)
    assert sum(len(d.inquiries) for d in asked) > 20
    assert [d.messages for d in asked] == [d.messages for d in plain]
    assert bot._batcher.items / bot._batcher.batches > 4
    await bot.close()
    await partner.close()


@pytest.mark.slow
@pytest.mark.timeout(1200)
async def test_twenty_dialogues_against_smollm2(model: str) -> None:
    settings = {"model": "embedded:smollm2-135m", "decoding": {"max_new_tokens": 12}}
    try:
        partner = registry.create(registry.spec("smollm2", "hf", settings))
    except MissingPart as error:
        pytest.skip(str(error))
    bot = bot_for(model)
    played = await tournament(bot, partner, True, 20, 3)
    assert [d.reason for d in played] == [None] * 20
    assert all(len(d.messages) == 6 for d in played)
    await bot.close()
    await partner.close()


def test_nothing_on_stdout_and_nothing_in_the_environment(
    model: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PARLAI_DATAPATH", raising=False)

    async def main() -> None:
        bot = bot_for(model)
        await ask(bot, asking(1))
        await bot.close()

    asyncio.run(main())
    assert capsys.readouterr().out == ""
    import os

    assert "PARLAI_DATAPATH" not in os.environ
