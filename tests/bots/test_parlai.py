"""ParlAI agents: trained here, alone and in batches, sampled and inquired of, and the traps on the way in."""

from __future__ import annotations

import asyncio
import io
import json
import pickle
import random
import tarfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.bots import tiny
from tests.bots.local_server import Answer, Call, serve

pytest.importorskip("parlai", reason="ParlAI is not installed: pip install --no-deps parlai==1.7.2")

from arena.core.errors import InputError, MissingPart
from arena.core.types import Dialogue, DialoguePlan, Entity, InquiryReport, Kind, Question
from arena.play.dialogue import InquiryPlan, play
from arena.play.guard import Guard
from bots import parlai_compat, registry
from bots.base import Line, Reply, ReplyRequest, RunOptions
from bots.parlai import adapter
from bots.parlai_agent import persona_lines
from tests.bots.parlai_training import FACTS, train

QUESTIONS = [*FACTS, "hello", "how are you?"]
NUCLEUS = {"inference": "nucleus", "topp": 0.95, "temperature": 3.0}


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(train(tmp_path_factory.mktemp("parlai")))


def bot_for(model: str, run: RunOptions | None = None, **settings: Any) -> Any:
    return registry.create(registry.spec("p", "parlai", {"model": model, **settings}), run or RunOptions())


def history(*texts: str) -> tuple[Line, ...]:
    """Partner first, then by turns."""
    return tuple(Line(text, mine=bool(n % 2)) for n, text in enumerate(texts))


def asking(n: int, fork: bool = False) -> ReplyRequest:
    """The nth of many different requests."""
    draw = random.Random(n)
    texts = [
        draw.choice(QUESTIONS) if k % 2 == 0 else "my name is bob." for k in range(2 * draw.randrange(4) + 1)
    ]
    return ReplyRequest(f"d{n}", history(*texts), seed=n, fork=fork)


async def ask(bot: Any, *requests: ReplyRequest) -> list[str]:
    replies: list[Reply] = await bot.reply(requests)
    for reply in replies:
        if reply.error:
            raise reply.error
    return [reply.text for reply in replies]


async def converse(bot: Any, name: str, inquiries: bool, leak: bool = False) -> list[str]:
    """Six turns; with `leak` the inquiries are asked as messages, to see that this would be noticed."""
    lines: tuple[Line, ...] = ()
    said = []
    for turn in range(6):
        lines = (*lines, Line(QUESTIONS[turn % len(QUESTIONS)], mine=False))
        (text,) = await ask(bot, ReplyRequest(name, lines, seed=100 + turn))
        said.append(text)
        lines = (*lines, Line(text, mine=True))
        if inquiries:
            question = (*lines, Line("where do you live?", mine=False))
            (answer,) = await ask(bot, ReplyRequest(name, question, seed=200 + turn, fork=not leak))
            if leak:
                lines = (*question, Line(answer, mine=True))
    return said


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
    said = [text for pair in zip(QUESTIONS, plain, strict=True) for text in pair]
    assert held == said[-len(held) :]  # the oldest may have been dropped, to fit
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


# ── the way in: zoo, files, trust ─────────────────────────────────────────────────────────────


@pytest.fixture
def zoo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of blender_90M, offline."""
    monkeypatch.setenv("PARLAI_DATAPATH", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    return tmp_path / "models" / "blender" / "blender_90M"


ZOO = "zoo:blender/blender_90M/model"


def fill(folder: Path, model: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for suffix in ("", ".opt", ".dict", ".dict.opt"):
        (folder / f"model{suffix}").write_bytes(Path(model + suffix).read_bytes())


def test_a_missing_zoo_model_says_at_once_what_to_put_where(zoo: Path) -> None:
    begin = time.monotonic()
    with pytest.raises(MissingPart) as caught:
        bot_for(ZOO)
    assert time.monotonic() - begin < 10  # of which nearly all is the first import
    assert "https://parl.ai/downloads/_models/blender/BST0B.tgz" in str(caught.value)
    assert str(zoo / "BST0B.tgz") in str(caught.value)


async def test_a_zoo_model_plays_from_its_unpacked_files_whatever_built_says(zoo: Path, model: str) -> None:
    fill(zoo, model)
    (zoo / ".built").write_text("2020-01-01\nv0.1")
    bot = bot_for(ZOO)
    assert (await ask(bot, ReplyRequest("a", history("hello"), 1)))[0]
    await bot.close()
    assert (zoo / "model").exists()


async def test_a_zoo_model_plays_from_its_archive(zoo: Path, model: str) -> None:
    zoo.mkdir(parents=True)
    with tarfile.open(zoo / "BST0B.tgz", "w:gz") as archive:
        for suffix in ("", ".opt", ".dict"):
            archive.add(model + suffix, f"./model{suffix}")
    bot = bot_for(ZOO)
    assert (await ask(bot, ReplyRequest("a", history("hello"), 1)))[0]
    await bot.close()


def test_a_folder_of_another_version_is_never_deleted(zoo: Path) -> None:
    zoo.mkdir(parents=True)
    (zoo / ".built").write_text("2020-01-01\nv0.1")
    (zoo / "thesis.txt").write_text("years of work")
    with pytest.raises(MissingPart, match=r"\.built names another version"):
        bot_for(ZOO)
    assert (zoo / "thesis.txt").read_text() == "years of work"


@pytest.mark.parametrize("content", [b"no archive", None], ids=["damaged", "escaping"])
def test_bad_archives_are_refused(zoo: Path, content: bytes | None) -> None:
    zoo.mkdir(parents=True)
    if content is not None:
        (zoo / "BST0B.tgz").write_bytes(content)
    else:
        with tarfile.open(zoo / "BST0B.tgz", "w:gz") as archive:
            archive.addfile(tarfile.TarInfo("../../escaped"), io.BytesIO())
    with pytest.raises((MissingPart, InputError), match=r"damaged|outside"):
        bot_for(ZOO)
    assert not (zoo.parent.parent / "escaped").exists()


async def test_downloads_arrive_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)

    async def handle(call: Call) -> Answer | bytes:
        if call.path == "/half":
            return b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nabc"
        return (200, {}, b"weights") if call.path == "/whole" else (404, {}, b"")

    async with serve(handle) as server:
        await asyncio.to_thread(parlai_compat.fetch, f"{server.url}/whole", tmp_path / "a" / "whole")
        for name in ("half", "none"):
            with pytest.raises(MissingPart, match=f"put it at {tmp_path / name}"):
                await asyncio.to_thread(parlai_compat.fetch, f"{server.url}/{name}", tmp_path / name)
    assert (tmp_path / "a" / "whole").read_bytes() == b"weights"
    assert [p.name for p in tmp_path.iterdir()] == ["a"]


class Bomb:
    """What a hostile file does when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return (Path.touch, (self.path,))


def test_a_pickle_runs_only_if_the_user_trusts_it(model: str, tmp_path: Path) -> None:
    import torch

    fired = tmp_path / "fired"
    fill(tmp_path, model)
    torch.save({"model": Bomb(fired)}, tmp_path / "model")
    with pytest.raises(InputError, match="trusted: true"):
        bot_for(str(tmp_path / "model"))
    assert not fired.exists()
    with pytest.raises(MissingPart):  # trusted, it runs, and is no model
        bot_for(str(tmp_path / "model"), trusted=True)
    assert fired.exists()


def test_pickled_options_and_foreign_classes_need_trust(model: str, tmp_path: Path) -> None:
    fired = tmp_path / "fired"
    fill(tmp_path, model)
    (tmp_path / "model.opt").write_bytes(pickle.dumps(Bomb(fired)))
    with pytest.raises(InputError, match="trusted: true"):
        bot_for(str(tmp_path / "model"))
    assert not fired.exists()
    options = json.loads(Path(model + ".opt").read_text())
    (tmp_path / "model.opt").write_text(json.dumps(options | {"model": "antigravity:Agent"}))
    with pytest.raises(InputError, match="antigravity"):
        bot_for(str(tmp_path / "model"))


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"model": "repeat_qury"}, "repeat_query"),
        ({"model": "./no/such/model"}, "no model file"),
        ({"model": "zoo:blender/blender_99M/model"}, "blender_90M"),
        ({"model": "repeat_query", "options": {"bogus": 1}}, "bogus"),
        ({"model": "repeat_query", "options": {"model_file": "x"}}, "write it as `model`"),
        ({"model": "repeat_query", "memory": 2}, "memory"),
        ({"model": "repeat_query", "persona": "i ski"}, "persona"),
        ({"model": "repeat_query", "temperature": 1}, "temperature"),
    ],
)
def test_wrong_settings_name_the_cure(zoo: Path, settings: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        registry.create(registry.spec("p", "parlai", settings))


def test_identity_is_the_files(model: str, tmp_path: Path) -> None:
    fill(tmp_path, model)
    moved = str(tmp_path / "model")
    assert adapter.revision({"model": model}) == adapter.revision({"model": moved})
    with (tmp_path / "model.opt").open("a") as file:
        file.write(" ")
    assert adapter.revision({"model": model}) != adapter.revision({"model": moved})
    assert registry.identity("parlai", {"model": model}) == registry.identity(
        "parlai", {"model": model, "device": "cpu"}
    )
    assert adapter.describe({"model": model})["agent"] == "transformer/generator"
