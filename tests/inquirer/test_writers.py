"""Writers that let a model write: real, tiny models that learn a few questions here, and a served one."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from arena.core.errors import ArenaError, MissingPart
from arena.core.types import Kind
from inquirer import build
from inquirer.base import Task
from inquirer.entities.rules import entities
from inquirer.inquirer import Inquirer
from inquirer.questions import hf
from inquirer.questions.generated import context, tidy
from inquirer.questions.hf import marked

if TYPE_CHECKING:
    pass

LEARNT = {"green": "What color do you like?", "paris": "Where do you live?", "max": "What is your name?"}
SAID = {"green": "i like green", "paris": "i live in paris", "max": "my name is max"}


def tokenizer(folder: Path, texts: list[str]) -> Any:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers
    from transformers import PreTrainedTokenizerFast

    built = Tokenizer(models.WordLevel(unk_token="<unk>"))
    built.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    special = ["<pad>", "</s>", "<unk>"]
    built.train_from_iterator(texts, trainers.WordLevelTrainer(special_tokens=special))
    fast = PreTrainedTokenizerFast(
        tokenizer_object=built, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    fast.save_pretrained(folder)
    return fast


def test_answers_are_marked_as_checkpoints_want_them() -> None:
    text = "I live in Paris now."
    assert (
        marked(text, 10, 15, "highlight", "<hl>", None) == "generate question: I live in <hl> Paris <hl> now."
    )
    assert (
        marked(text, 10, 15, "answer-context", "<hl>", None) == "answer: Paris context: I live in Paris now."
    )
    assert marked(text, 10, 15, "text2text", "<hl>", None) == "I live in Paris now. [SEP] Paris"
    assert marked(text, 10, 15, "answer-context", "<hl>", "ask: ").startswith("ask: answer: Paris")


@pytest.mark.parametrize(
    ("written", "tidied"),
    [
        ("What is it?", "What is it?"),
        ("question: what is your name? and more", "What is your name?"),
        ("1. Where do I live?", "Where do you live?"),
        ("What is my dog called?", "What is your dog called?"),
        ("no question at all", None),
        ("?", None),
        ("", None),
    ],
)
def test_what_a_model_writes_is_tidied(written: str, tidied: str | None) -> None:
    assert tidy(written) == tidied


def test_the_context_is_the_sentence_of_the_entity() -> None:
    text = "Hi there. I live in Paris. Do you?"
    task = Task(text, tuple(entities(text)), (Kind.WH,))
    entity = next(e for e in task.entities if e.text == "Paris")
    sentence, start, end = context(task, entity)
    assert sentence == "I live in Paris" and sentence[start:end] == "Paris"


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A T5 of a few thousand weights that learnt three questions."""
    import torch
    from transformers import T5Config, T5ForConditionalGeneration

    folder = tmp_path_factory.mktemp("t5")
    sources = [
        marked(SAID[a], SAID[a].index(a), SAID[a].index(a) + len(a), "answer-context", "", None)
        for a in LEARNT
    ]
    fast = tokenizer(folder, sources + list(LEARNT.values()))
    torch.manual_seed(0)
    config = T5Config(
        vocab_size=len(fast),
        d_model=32,
        d_kv=8,
        d_ff=64,
        num_layers=1,
        num_decoder_layers=1,
        num_heads=4,
        dropout_rate=0.0,
        pad_token_id=0,
        eos_token_id=1,
        decoder_start_token_id=0,
    )
    model = T5ForConditionalGeneration(config)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    inputs = fast(sources, return_tensors="pt", padding=True)
    labels = fast([q + " </s>" for q in LEARNT.values()], return_tensors="pt", padding=True)["input_ids"]
    labels[labels == 0] = -100
    for _ in range(120):
        loss = model(
            input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], labels=labels
        ).loss
        loss.backward()
        optimizer.step()
        optimizer.zero_grad()
    model.save_pretrained(folder)
    return folder


async def test_a_checkpoint_writes_ranked_questions(checkpoint: Path) -> None:
    writer = {"use": "hf", "model": str(checkpoint), "format": "answer-context", "n": 3}
    inquirer = build({"entities": "rules", "questions": writer, "top": 1})
    texts = [SAID["paris"], "how are you?", SAID["max"]]
    inquests = await inquirer.inquire(texts, [Kind.WH])
    assert "Where do you live?" in [q.text for q in inquests[0].questions]
    assert inquests[1].questions == ()
    by_entity = {q.entity.text: q for q in inquests[2].questions}
    assert by_entity["max"].text == "What is your name?"
    assert 0 < by_entity["max"].score <= 1


async def test_a_checkpoint_and_the_rules_make_a_mix(checkpoint: Path) -> None:
    writer = {"use": "hf", "model": str(checkpoint), "format": "answer-context", "n": 2}
    inquirer = build({"entities": "rules", "questions": ["rules", writer], "top": 2})
    inquest = (await inquirer.inquire([SAID["paris"]], [Kind.WH, Kind.PARAPHRASE]))[0]
    texts = [(q.kind, q.text) for q in inquest.questions]
    assert (Kind.WH, "Where do you live?") in texts
    assert (Kind.PARAPHRASE, "Could you tell me where you live?") in texts
    assert len(texts) == len(set(texts))


def test_the_revision_follows_the_weights(checkpoint: Path, tmp_path: Path) -> None:
    first = hf.create({"model": str(checkpoint)})
    assert first.revision != hf.create({"model": str(checkpoint), "n": 2}).revision
    for path in checkpoint.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "model.safetensors").write_bytes(b"other")
    assert hf.create({"model": str(tmp_path)}).revision != first.revision


async def test_a_checkpoint_that_is_none_says_so(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    inquirer = build({"entities": "rules", "questions": {"use": "hf", "model": str(tmp_path)}})
    with pytest.raises(MissingPart, match="does not load"):
        await inquirer.inquire(["i have two dogs"], [Kind.WH])


# --- any bot as writer


class Served(BaseHTTPRequestHandler):
    """Answers as an OpenAI-like service does; remembers what it was asked."""

    asked: list[str]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        prompt = body["messages"][-1]["content"]
        type(self).asked.append(prompt)
        text = (
            "Question: How many dogs do you have? I hope this helps!"
            if "two" in prompt
            else "I cannot help with that."
        )
        answer = {
            "id": "1",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [
                {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            ],
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }
        data = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None: ...


@pytest.fixture
def service() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    handler = type("Handler", (Served,), {"asked": asked})
    server = HTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1", asked
    server.shutdown()
    server.server_close()


async def test_a_bot_writes_with_the_fixed_prompt(service: tuple[str, list[str]]) -> None:
    url, asked = service
    bot = {"adapter": "openai", "model": "m", "base_url": url}
    inquirer = build({"entities": "rules", "questions": {"use": "llm", "bot": bot}})
    inquest = (await inquirer.inquire(["i have two dogs"], [Kind.WH]))[0]
    assert [q.text for q in inquest.questions] == ["How many dogs do you have?"]
    assert inquest.refused["no_question"] >= 1
    assert all("i have two dogs" in prompt for prompt in asked)
    await inquirer.writers[0].close()


def test_an_unknown_bot_is_an_error() -> None:
    with pytest.raises(ArenaError):
        build({"entities": "rules", "questions": {"use": "llm", "bot": {"adapter": "nobody"}}})


# --- the adapter


async def test_an_inquirer_closes_what_its_parts_hold_open() -> None:
    closed: list[str] = []

    class Open:
        revision = "1"

        async def write(self, tasks: object) -> list[object]:
            return []

        async def close(self) -> None:
            closed.append("writer")

    plain = build({"entities": "rules"})
    await Inquirer(plain.extractor, [*plain.writers, Open()]).close()  # type: ignore[list-item]
    assert closed == ["writer"]
