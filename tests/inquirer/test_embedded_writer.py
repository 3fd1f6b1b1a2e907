"""The writer that is a language model with an adapter: tiny models that learn a few questions here."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from arena.core.errors import MissingPart
from arena.core.types import Kind
from inquirer import build
from inquirer.base import Task
from inquirer.questions import embedded
from inquirer.questions.adapter import adapted as adapted_model
from inquirer.questions.adapter import base_model
from inquirer.questions.message_format import Line, parsed, target
from inquirer.questions.message_writer import located
from tests.inquirer.test_writers import LEARNT, tokenizer

if TYPE_CHECKING:
    from arena.training.inquirer.questions import Example


def tiny_llama(base: Path, texts: list[str], jumbled: list[str]) -> Path:
    """A tiny Llama that knows the texts' words, and from the jumbled texts what a text looks like."""
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    fast = tokenizer(base, texts)
    torch.manual_seed(0)
    config = LlamaConfig(
        vocab_size=len(fast),
        hidden_size=48,
        intermediate_size=96,
        num_hidden_layers=2,
        num_attention_heads=4,
        num_key_value_heads=4,
        max_position_embeddings=128,
        pad_token_id=0,
        eos_token_id=1,
        bos_token_id=None,
    )
    model = LlamaForCausalLM(config)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    inputs = fast(jumbled, return_tensors="pt", padding=True)
    for _ in range(40):
        loss = model(
            input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], labels=inputs["input_ids"]
        ).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(base)
    return base


def adapted(tmp_path_factory: pytest.TempPathFactory, examples: list[Example]) -> tuple[Path, Path]:
    """A tiny Llama and the adapter that the training command's own code makes for it."""
    from arena.training.inquirer.questions import Settings, train

    base, out = tmp_path_factory.mktemp("llama"), tmp_path_factory.mktemp("adapter")
    # the base knows the words, not which question goes with which text
    jumbled = [f"{a.prompt} {b.target} </s>" for a in examples for b in examples]
    tiny_llama(base, [f"{e.prompt} {e.target}" for e in examples], jumbled)
    losses = train(examples, [], str(base), out, Settings(steps=120, batch=4, rate=0.01, rank=16))
    assert sum(losses[-20:]) < sum(losses[:20]) / 2
    assert (out / "adapter_model.safetensors").stat().st_size < 8_000_000
    return base, out


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An adapter that reads whole messages."""
    from arena.training.inquirer.questions import example

    texts = {"green": "i like green", "paris": "i live in paris"}
    return adapted(
        tmp_path_factory, [example(texts[word], [Line("one", word, LEARNT[word])]) for word in texts]
    )


@pytest.fixture(scope="module")
def adapter_of_sentences(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """An adapter as earlier versions trained them: it reads a sentence and its answer."""
    from arena.training.inquirer.questions import Example

    texts = {"green": "you like green", "paris": "you live in paris"}
    base, out = adapted(
        tmp_path_factory, [Example(embedded.prompt(texts[word], word), LEARNT[word]) for word in texts]
    )
    (out / embedded.FORMAT).unlink()
    return base, out


@pytest.mark.parametrize("kind", ["adapter", "adapter_of_sentences"])
async def test_the_adapter_writes_what_it_learnt(kind: str, request: pytest.FixtureRequest) -> None:
    base, out = request.getfixturevalue(kind)
    writer = {"use": "embedded", "adapter": str(out), "model": str(base), "n": 2}
    inquirer = build({"entities": "rules", "questions": writer, "min_score": 0.0})
    inquest = (await inquirer.inquire(["i live in paris"], [Kind.WH]))[0]
    assert "Where do you live?" in [q.text for q in inquest.questions]


async def test_a_model_reads_only_what_the_rules_leave_unasked(adapter: tuple[Path, Path]) -> None:
    base, out = adapter
    writer = {"use": "embedded", "adapter": str(out), "model": str(base), "gaps_only": True}
    rules = {"use": "rules", "encoder": False}
    inquirer = build({"entities": "rules", "questions": [rules, writer], "min_score": 0.0})
    asked, gap = await inquirer.inquire(["I live in paris.", "Weirdly green."], [Kind.WH])
    assert {q.rule for q in asked.questions} == {"place"}
    assert not gap.entities or all(q.rule == "embedded" for q in gap.questions)


async def test_the_model_s_questions_say_what_they_are_about(adapter: tuple[Path, Path]) -> None:
    base, out = adapter
    writer = embedded.create({"adapter": str(out), "model": str(base)})
    task = Task("i live in paris", (), (Kind.WH,))
    question = (await writer.write([task]))[0][0]
    assert question.span == (10, 15) and question.expected == "paris" and question.single_answer
    assert 0 < question.score <= 1
    assert (await writer.write([Task("i live in paris", (), (Kind.PARAPHRASE,))]))[0] == []


@pytest.mark.parametrize("text", ["\ud800 i have a dog", "i like paris " * 2_000, "\x00\x1b[31m | one | yes"])
async def test_hostile_text_is_no_error(text: str, adapter: tuple[Path, Path]) -> None:
    base, out = adapter
    writer = embedded.create({"adapter": str(out), "model": str(base)})
    for question in (await writer.write([Task(text, (), (Kind.WH,))]))[0]:
        assert question.entity.text in text


def test_a_merged_adapter_computes_what_peft_computes(adapter: tuple[Path, Path]) -> None:
    import torch
    from peft import PeftModel

    base, out = adapter
    reader, merged = adapted_model(str(base), out)
    separate = PeftModel.from_pretrained(base_model(str(base))[1], str(out)).eval()
    ids = reader("i live in paris", return_tensors="pt")["input_ids"]
    with torch.inference_mode():
        assert torch.allclose(merged(ids).logits, separate(ids).logits, atol=1e-4)
        assert not torch.allclose(merged(ids).logits, base_model(str(base))[1].eval()(ids).logits, atol=1e-2)


def test_an_answer_that_is_not_in_the_message_is_no_question() -> None:
    task = Task("i live in paris", (), (Kind.WH,))
    assert located(task, Line("one", "london", "Where do you live?")) is None
    liking = located(Task("I love tea.", (), ()), Line("yes", "tea", "Do you love tea?"))
    assert liking and liking.kind is Kind.YES_NO_TRUE and liking.expected == "yes"


def test_lines_are_read_as_they_are_written() -> None:
    lines = [Line("one", "paris", "Where do you live?"), Line("no", "no pets", "Do you have pets?")]
    assert list(parsed(target(lines))) == lines
    assert list(parsed(target([]))) == []
    assert list(parsed("one | a | b\nWhat?\nperhaps | a | What?\none | What?")) == []


def test_no_adapter_names_the_cure(tmp_path: Path) -> None:
    with pytest.raises(MissingPart, match=r"arena train questions"):
        embedded.create({"adapter": str(tmp_path)})


def test_examples_come_from_the_data_sets(tmp_path: Path) -> None:
    from arena.training.inquirer.questions import message_id, messages, of_rules, written

    folder = tmp_path / "dialogues"
    folder.mkdir()
    chat = "User 1: I live in Rome.\nUser 2: Hello, how are you?"
    with (folder / "synthetic_persona_chat_train.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["Best Generated Conversation"], [chat]])
    texts = messages(tmp_path, tmp_path / "no-such-file")
    assert sorted(texts.values()) == ["Hello, how are you?", "I live in Rome."]
    table = tmp_path / "questions.tsv"
    rome, hello = message_id("I live in Rome."), message_id("Hello, how are you?")
    table.write_text(
        "message\tsource\tkind\tstart\tend\tquestion\n"
        f"{rome}\tchat\tone\t10\t14\tWhere do you live?\n{hello}\tchat\tnone\t\t\t\nunknown\tchat\tnone\t\t\t\n"
    )
    lines = [Line("one", "Rome", "Where do you live?")]
    assert written(texts, table) == {"I live in Rome.": lines, "Hello, how are you?": []}
    assert [e.target for e in of_rules(texts.values(), 5)] == [target(lines)]
    assert list(of_rules(texts.values(), 0)) == []


def test_the_written_questions_fit_their_messages() -> None:
    """Of messages that the repository has: the answer is a part of the message, and the question is well formed."""
    from arena.training.inquirer.questions import messages, written

    texts = messages(Path("no-such-folder"))
    for text, lines in written(texts).items():
        for line in lines:
            question = located(Task(text, (), ()), line)
            assert question and line.question.endswith("?") and not line.question.startswith(" ")


def test_the_writer_says_which_model_is_missing(
    adapter: tuple[Path, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base, out = adapter
    assert embedded.create.available({"adapter": str(out), "model": str(base)})[0]
    monkeypatch.setenv("ARENA_CACHE", str(tmp_path))
    here, detail = embedded.create.available({"adapter": str(out), "model": "gemma3-270m"})
    assert not here and "arena models fetch gemma3-270m" in detail
