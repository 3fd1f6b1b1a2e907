"""Models that are damaged, run out of memory or compute nonsense: a sentence, or a failure with its reason."""

from __future__ import annotations

import asyncio
import math
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.config.resolve import parse
from arena.core.errors import ArenaError, InputError, MissingPart
from arena.core.types import Case, Judgement
from arena.play.dialogue import play as play_one
from arena.play.guard import Guard
from arena.play.schedule import plans
from bots import registry
from bots.base import Line, ReplyRequest, RunOptions
from judges import sound
from judges.base import Defaults
from judges.cache import Cached, Memory
from tests.bots import tiny
from tests.support.tournaments import exported, play, store, text

CASES = [Case("I have two kids.", "How many kids do you have?", f"{n}.") for n in range(7)]


@pytest.fixture(scope="module")
def chat(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny.llama(tmp_path_factory.mktemp("models") / "chat", 1)


def bot(folder: Path, run: RunOptions | None = None, **settings: Any) -> Any:
    given = {"model": str(folder), "dtype": "float32", "decoding": {"max_new_tokens": 8}, **settings}
    return registry.create(registry.spec("x", "hf", given), run)


def copied(folder: Path, to: Path) -> Path:
    shutil.copytree(folder, to)
    return to


def spoil(folder: Path, name: str, value: float) -> Path:
    """One weight of the model becomes no number."""
    from safetensors.torch import load_file, save_file

    file = folder / "model.safetensors"
    weights = load_file(file)
    next(tensor for key, tensor in weights.items() if name in key).view(-1)[0] = value
    save_file(weights, file, metadata={"format": "pt"})
    return folder


# ── bots ──────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("part", ["model.safetensors", "tokenizer.json", "config.json"])
@pytest.mark.parametrize("share", [0.0, 0.5, 0.99])
def test_a_model_cut_short_is_named(part: str, share: float, chat: Path, tmp_path: Path) -> None:
    folder = copied(chat, tmp_path / "cut")
    whole = (folder / part).read_bytes()
    (folder / part).write_bytes(whole[: int(len(whole) * share)])
    with pytest.raises(MissingPart, match=r"cannot be loaded: .*check the name and the files") as caught:
        bot(folder)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("run", [RunOptions(), RunOptions(deterministic=True)], ids=["batches", "alone"])
@pytest.mark.parametrize("decoding", [{"do_sample": False}, {"top_p": 0.9}], ids=["greedy", "sampled"])
async def test_a_model_that_computes_no_numbers_fails_by_that_name(
    run: RunOptions, decoding: dict[str, Any], chat: Path, tmp_path: Path
) -> None:
    folder = spoil(copied(chat, tmp_path / "nan"), "model.norm", math.nan)
    loaded = bot(folder, run, decoding={"max_new_tokens": 4, **decoding})
    tournament = parse(text("  - {name: a, adapter: echo}", turns=2, inquirer="false"))
    guard = Guard("x", loaded, 60, 8000, 0)
    dialogue = await play_one(next(plans(tournament)), guard, guard, None)
    await loaded.close()
    assert (dialogue.reason, dialogue.messages) == ("no_numbers", ())


@pytest.mark.parametrize(
    "run", [RunOptions(), RunOptions(deterministic=True, batch=4)], ids=["rows", "plain"]
)
async def test_one_row_without_numbers_leaves_the_others_alone(
    run: RunOptions, chat: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The row whose prompt holds the letter q; all others say what they say without it."""
    from bots import hf_plain

    loaded = bot(chat, run, decoding={"do_sample": False, "max_new_tokens": 6})
    if run.deterministic:  # the reference engine, with a batch all the same
        loaded._lease.writer._batcher.size = 4
        assert isinstance(loaded._lease.writer, hf_plain.PlainQueue)
    asked = [
        ReplyRequest(f"d{n}", (Line(sentence, False),), n)
        for n, sentence in enumerate(["aa", "bb", "qq", "cc"])
    ]
    calm = await loaded.reply(asked)
    bad = loaded._loaded.tokenizer("q", add_special_tokens=False)["input_ids"][0]
    inner = loaded._loaded.model.get_input_embeddings()
    real = inner.forward

    def embedded(ids: Any) -> Any:
        return real(ids).masked_fill((ids == bad)[..., None], math.nan)

    monkeypatch.setattr(inner, "forward", embedded)
    result = await loaded.reply([ReplyRequest(f"again{r.dialogue}", r.history, r.seed) for r in asked])
    assert [reply.text for n, reply in enumerate(result) if n != 2] == [
        reply.text for n, reply in enumerate(calm) if n != 2
    ]
    error = result[2].error
    assert isinstance(error, ArenaError) and getattr(error, "reason", "") == "no_numbers"
    await loaded.close()


def test_a_chat_format_without_a_template_is_refused_with_the_cure(chat: Path, tmp_path: Path) -> None:
    folder = copied(chat, tmp_path / "plain")
    for file in folder.glob("chat_template*"):
        file.unlink()
    with pytest.raises(InputError, match="set `format: transcript`"):
        bot(folder, format="chat")


async def test_without_a_template_a_model_is_prompted_with_a_transcript(chat: Path, tmp_path: Path) -> None:
    folder = copied(chat, tmp_path / "plain")
    for file in folder.glob("chat_template*"):
        file.unlink()
    loaded = bot(folder)
    (reply,) = await loaded.reply([ReplyRequest("d", (Line("hello", False),), 1)])
    await loaded.close()
    assert loaded._form.name == "transcript" and reply.error is None


async def test_a_history_of_100_000_messages_loses_its_beginning(chat: Path) -> None:
    loaded = bot(chat)
    history = tuple(Line(f"message {n}", bool(n % 2)) for n in range(99_999))
    (reply,) = await loaded.reply([ReplyRequest("d", history, 1)])
    await loaded.close()
    assert reply.error is None and reply.dropped > 99_000


# ── judges ────────────────────────────────────────────────────────────────────────────────────────


class Odd(Defaults):
    """A judge whose answers a test decides."""

    name, revision, tau, cacheable = "odd", "1", 0.5, True

    def __init__(self, say: Any) -> None:
        self.say = say
        self.sizes: list[int] = []

    def key(self, case: Case) -> Sequence[Any]:
        return [case.answer]

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        self.sizes.append(len(cases))
        sentence: list[Judgement] = self.say(cases)
        return sentence


def test_too_little_memory_halves_a_judges_batch() -> None:
    def say(cases: Sequence[Case]) -> list[Judgement]:
        if len(cases) > 2:
            raise RuntimeError("DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes")
        return [Judgement(0.25) for _ in cases]

    judge = Odd(say)
    assert asyncio.run(sound.judged(judge, CASES)) == [Judgement(0.25)] * len(CASES)
    assert judge.sizes[:2] == [7, 3] and max(judge.sizes[2:]) <= 4


def test_a_case_too_large_for_the_memory_is_counted_under_that_reason() -> None:
    def say(cases: Sequence[Case]) -> list[Judgement]:
        if any(case.answer == "4." for case in cases):
            raise MemoryError
        return [Judgement(0.25) for _ in cases]

    judgements = asyncio.run(sound.judged(Odd(say), CASES))
    assert [one.reason for one in judgements] == [None] * 4 + ["out_of_memory"] + [None] * 2


@pytest.mark.parametrize("score", [math.nan, math.inf, -0.1, 1.5, None])
def test_what_is_no_number_is_a_reason_and_is_not_remembered(score: float | None) -> None:
    store = Memory()
    cached = Cached(Odd(lambda cases: [Judgement(score, {"neutral": math.nan}) for _ in cases]), store)
    judgements = asyncio.run(cached.judge(CASES[:1]))
    assert judgements == [Judgement(None, {}, reason="no_number")]
    cached.inner = Odd(lambda cases: [Judgement(0.5) for _ in cases])
    assert asyncio.run(cached.judge(CASES[:1])) == [Judgement(0.5)]


@pytest.mark.parametrize("evidence", [{"x": math.inf}, {"x": ["a\0"]}, {"x": "\ud800"}, {"x": object()}])
def test_evidence_that_no_database_stores_is_left_out(evidence: dict[str, Any]) -> None:
    """It was stored in SQLite, and then the whole tournament could not be exported."""
    judge = Odd(lambda cases: [Judgement(0.25, {}, evidence) for _ in cases])
    assert asyncio.run(sound.judged(judge, CASES[:1])) == [Judgement(0.25)]


@pytest.mark.parametrize(
    ("say", "words"),
    [
        (lambda _: 1 / 0, "ZeroDivisionError"),
        (lambda _: [Judgement(0.5)], "1 judgements for 7 cases"),
    ],
)
def test_a_judge_that_breaks_off_is_one_sentence(say: Any, words: str) -> None:
    with pytest.raises(ArenaError, match=f"The judge 'odd' .*{words}"):
        asyncio.run(sound.judged(Odd(say), CASES))


def test_a_run_survives_a_judge_that_computes_no_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The embedded model with NaN in it: everything is counted, and judged once the weights are whole."""
    from judges import embedded

    repository = store(tmp_path)
    source = text(dialogues=2).replace("judges: [truth]", "judges: [nli]")
    with monkeypatch.context() as patch:
        patch.setattr(
            embedded.EmbeddedScorer,
            "logits",
            lambda self, pairs: np.full((len(pairs), 4), np.nan, np.float32),
        )
        tournament, tally = play(repository, source)
    inquiries = repository.progress(tournament.info.id).inquiries
    assert tally.verdicts == inquiries > 0
    assert exported(repository, tournament.info.id).count('"reason":"no_number"') == inquiries


@pytest.mark.parametrize("share", [0.0, 0.5, 0.999])
def test_a_judges_file_cut_short_is_named(share: float, tmp_path: Path) -> None:
    from judges.embedded import weights

    whole = weights("small").read_bytes()
    file = tmp_path / "cut.safetensors"
    file.write_bytes(whole[: int(len(whole) * share)])
    from judges import registry as judges

    with pytest.raises(InputError, match=r"is not a judge that `arena train judge` wrote") as caught:
        judges.create("j", "nli", {"model": str(file)})
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", ["small", "reader"])
def test_shipped_weights_cut_short_say_to_install_again(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from judges import packing
    from judges.base import WEIGHTS
    from judges.embedded import EmbeddedScorer
    from judges.reader import Reader

    folder = copied(WEIGHTS / name, tmp_path / name)
    [file] = folder.glob("*.safetensors")
    file.write_bytes(file.read_bytes()[:100_000])
    monkeypatch.setattr(packing, "WEIGHTS", tmp_path)
    with pytest.raises(MissingPart, match="install the package again"):
        EmbeddedScorer(file) if name == "small" else Reader(file)


# ── the inquirer ──────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize("part", ["tokenize", "ner"])
async def test_stanza_models_cut_short_are_named(part: str, tmp_path: Path) -> None:
    from inquirer import models
    from inquirer.entities import stanza

    folder = copied(models.folder(), tmp_path / "stanza")
    for file in (folder / "en" / part).iterdir():
        file.write_bytes(file.read_bytes()[:5000])
    with pytest.raises(MissingPart, match=r"do not load .*or use 'entities: rules'\.$"):
        await stanza.create({"folder": str(folder)}).extract(["I live in Rome."])
