"""Trains a small adapter (LoRA) on a language model, which reads a message and writes questions about it.

    python -m arena.training.inquirer.questions --data DIR --out FOLDER [--steps N] [--half]

There are two kinds of examples. Examples of the first kind are in `written/questions.tsv`: questions that language
models wrote for this project about 1,500 messages, or that there is nothing to ask. Examples of the second kind are
the best questions of the rules about other messages of the same data sets.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from arena.core import extras
from arena.core.errors import InputError
from arena.core.types import Kind, Question
from arena.training.inquirer import pool
from inquirer.base import Task
from inquirer.entities.rules import entities
from inquirer.questions.adapter import base_model
from inquirer.questions.embedded import FORMAT
from inquirer.questions.message_format import Line, prompt, target
from inquirer.questions.rules import write

WRITTEN = Path(__file__).parent / "written" / "questions.tsv"
PUBLISHED = Path(__file__).parents[3] / "examples" / "first-leaderboard" / "dialogues.jsonl.gz"
DEV = 8  # one written message in so many is kept apart
BATCHES = 16  # batches that are drawn at once and split by length, to save padding
LIKELY = 0.9  # the score from which the rules' questions are examples
MOST = 3  # questions in one example
LONGEST = 420  # letters of a message


@dataclass(frozen=True, slots=True)
class Example:
    """What the model reads, and what it should write."""

    prompt: str
    target: str

    @property
    def length(self) -> int:
        return len(self.prompt) + len(self.target)


def example(message: str, lines: Sequence[Line]) -> Example:
    return Example(prompt(message), target(lines[:MOST]))


@dataclass(frozen=True, slots=True)
class Settings:
    steps: int = 400
    batch: int = 16
    rate: float = 4e-4
    rank: int = 12
    longest: int = 224  # tokens
    seed: int = 1
    written: float = 0.7  # the share of written examples
    half: bool = False  # bfloat16: twice as fast on processors that support it


def message_id(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def messages(data: Path, published: Path = PUBLISHED) -> dict[str, str]:
    """Return the messages of the data sets and of the published tournament by their ids."""
    texts: list[str] = []
    chat, pairs = data / "dialogues" / "synthetic_persona_chat_train.csv", data / "decode" / "train_pairs.tsv"
    if chat.exists():
        texts += pool.persona_chat(chat)
    if pairs.exists():
        texts += pool.decode(pairs)
    if published.exists():
        with gzip.open(published, "rt", encoding="utf-8") as file:
            texts += [m["text"] for line in file for m in json.loads(line)["messages"]]
    clean = {" ".join(text.split()) for text in texts}
    return {message_id(text): text for text in sorted(clean)}


def written(texts: Mapping[str, str], path: Path = WRITTEN) -> dict[str, list[Line]]:
    """Return the written questions of each known message, in the order of the file."""
    lines: defaultdict[str, list[Line]] = defaultdict(list)
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            text = texts.get(row["message"])
            if text is not None:
                lines[text] += _line(text, row)
    return dict(lines)


def _line(text: str, row: Mapping[str, str]) -> list[Line]:
    if row["kind"] == "none":
        return []
    return [Line(row["kind"], text[int(row["start"]) : int(row["end"])], row["question"])]


def kept_apart(message: str) -> bool:
    """Whether a written message is never trained on. Scores may be fitted on questions about these."""
    return int(message_id(message), 16) % DEV == 0


def of_rules(texts: Iterable[str], limit: int) -> Iterator[Example]:
    """Yield up to `limit` messages with the questions that the rules are sure of."""
    for text in texts:
        if not limit:
            return
        asked = write(Task(text, tuple(entities(text)), (Kind.WH, Kind.YES_NO_TRUE)))
        likely = [q for q in asked if q.score >= LIKELY and _draws(q)]
        best = _one_per_place(sorted(likely, key=lambda q: q.kind is not Kind.WH))
        if best:
            yield example(text, [_of_rule(q) for q in best])
            limit -= 1


def _draws(question: Question) -> bool:
    return question.kind is Kind.YES_NO_TRUE or question.single_answer is True


def _one_per_place(questions: Iterable[Question]) -> list[Question]:
    once: dict[tuple[int, int], Question] = {}
    for question in questions:
        once.setdefault((question.entity.start, question.entity.end), question)
    return list(once.values())


def _of_rule(question: Question) -> Line:
    return Line("one" if question.kind is Kind.WH else "yes", question.entity.text, question.text)


def examples(data: Path, seed: int = 1, limit: int = 6000) -> tuple[list[Example], list[Example]]:
    """Return written examples to train on, and examples of the rules."""
    texts = messages(data)
    known = written(texts)
    others = [text for text in texts.values() if text not in known and len(text) <= LONGEST]
    Random(seed).shuffle(others)
    by_hand = [example(text, lines) for text, lines in known.items() if not kept_apart(text)]
    return by_hand, list(of_rules(others, limit))


def train(
    written_examples: Sequence[Example],
    rule_examples: Sequence[Example],
    model: str,
    out: Path,
    settings: Settings = Settings(),
    report: Callable[[int, float], None] | None = None,
) -> list[float]:
    """Train and write the adapter, and return the loss of every step."""
    import torch

    peft = extras.need("peft", "Training a question writer needs")

    if not written_examples:
        raise InputError(
            "There are no examples to train on: give the folder that holds dialogues/ and decode/."
        )
    torch.manual_seed(settings.seed)
    tokenizer, base = base_model(model)
    if settings.half:
        base = base.to(torch.bfloat16)
    config = peft.LoraConfig(
        r=settings.rank, lora_alpha=2 * settings.rank, lora_dropout=0.05, task_type="CAUSAL_LM",
        target_modules="all-linear",
    )  # fmt: skip
    network = peft.get_peft_model(base, config, autocast_adapter_dtype=True)
    network.train()
    body, head = network.get_base_model().base_model, network.get_base_model().lm_head
    learnt = [p for p in network.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(learnt, lr=settings.rate)
    warm = min(100, settings.steps // 20 + 1)
    losses = []
    for step, chosen in enumerate(_batches(written_examples, rule_examples, settings)):
        rate = settings.rate * min(1.0, (step + 1) / warm) * max(0.05, 1 - step / settings.steps)
        for group in optimizer.param_groups:
            group["lr"] = rate
        inputs, labels = _batch(tokenizer, chosen, settings.longest)
        counted = labels[:, 1:] != -100
        with torch.autocast("cpu", torch.bfloat16, enabled=settings.half):
            states = body(**inputs).last_hidden_state
            logits = head(states[:, :-1][counted])  # the vocabulary is a fifth of the work
        loss = torch.nn.functional.cross_entropy(logits.float(), labels[:, 1:][counted])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(learnt, 1.0)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(round(float(loss.detach()), 4))
        if report:
            report(step + 1, losses[-1])
    for weights in learnt:
        weights.data = weights.data.half()
    out.mkdir(parents=True, exist_ok=True)
    network.peft_config["default"].base_model_name_or_path = model
    network.save_pretrained(str(out), safe_serialization=True)
    (out / "README.md").unlink(missing_ok=True)  # peft's empty model card
    (out / FORMAT).write_text(json.dumps({"reads": "message"}) + "\n", encoding="utf-8")
    return losses


def _batches(
    written_examples: Sequence[Example], rule_examples: Sequence[Example], settings: Settings
) -> Iterator[list[Example]]:
    """Yield batches. Written examples come in rounds, so that each is read equally often."""
    random, left, size = Random(settings.seed), settings.steps, settings.batch
    waiting: list[Example] = []
    while left:
        drawn = []
        for _ in range(size * BATCHES):
            if rule_examples and random.random() > settings.written:
                drawn.append(random.choice(rule_examples))
                continue
            if not waiting:
                waiting = random.sample(written_examples, len(written_examples))
            drawn.append(waiting.pop())
        drawn.sort(key=lambda one: one.length)
        parts = [drawn[i : i + size] for i in range(0, len(drawn), size)]
        random.shuffle(parts)
        yield from parts[:left]
        left -= min(left, len(parts))


def _batch(tokenizer: Any, chosen: Iterable[Example], longest: int) -> tuple[Any, Any]:
    """Return padded inputs and labels. Only the tokens that the model writes count in the loss."""
    import torch

    rows = []
    for one in chosen:
        head = tokenizer(one.prompt)["input_ids"]
        tail = tokenizer(one.target, add_special_tokens=False)["input_ids"]
        if tokenizer.eos_token_id is not None:
            tail = [*tail, tokenizer.eos_token_id]
        rows.append(([*head, *tail][:longest], ([-100] * len(head) + tail)[:longest]))
    # Few different shapes, because each shape costs memory
    width = -(-max(len(ids) for ids, _ in rows) // 16) * 16
    pad = tokenizer.pad_token_id or 0
    ids = torch.tensor([row + [pad] * (width - len(row)) for row, _ in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (width - len(row)) for row, _ in rows])
    labels = torch.tensor([row + [-100] * (width - len(row)) for _, row in rows])
    return {"input_ids": ids, "attention_mask": mask}, labels


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with dialogues/ and decode/")
    parser.add_argument("--out", type=Path, required=True, help="folder for the adapter")
    parser.add_argument("--model", default="qwen2.5-coder-0.5b", help="embedded model or folder")
    parser.add_argument("--steps", type=int, default=Settings().steps)
    parser.add_argument("--batch", type=int, default=Settings().batch)
    parser.add_argument("--half", action="store_true", help="bfloat16, where the processor is fast at it")
    given = parser.parse_args(arguments)
    by_hand, by_rules = examples(given.data)
    began = monotonic()

    def report(step: int, loss: float) -> None:
        if step % 10 == 0:
            print(
                f"{step}/{given.steps}: loss {loss}, {monotonic() - began:.0f} s", file=sys.stderr, flush=True
            )

    settings = Settings(steps=given.steps, batch=given.batch, half=given.half)
    losses = train(by_hand, by_rules, given.model, given.out, settings, report)
    print(json.dumps({"examples": [len(by_hand), len(by_rules)], "first": losses[:5], "last": losses[-20:]}))


if __name__ == "__main__":
    main()
