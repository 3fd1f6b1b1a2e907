"""Trains a small adapter (LoRA) on a language model, which writes a question from a sentence and an answer.

    python -m arena.training.inquirer.questions --data DIR --out FOLDER [--steps N] [--half]

There are two kinds of examples, each half of the training. Examples of the first kind are the questions of the
SQuAD-like sets, with the sentence that holds the answer. Examples of the second kind are first-person
statements of dialogues, swapped to the second person, with the questions that the grammar writes about them.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from arena.core import extras
from arena.core.errors import InputError
from arena.core.types import Kind
from inquirer.base import Task
from inquirer.entities.rules import entities
from inquirer.language.tokens import tokens
from inquirer.person import swap
from inquirer.questions.embedded import base_model, prompt
from inquirer.questions.generated import FIRST_PERSON
from inquirer.questions.rules import write

SETS = ("squad_dev", "squadshifts_new_wiki", "squadshifts_reddit", "squadshifts_amazon_reviews")
LONGEST = 250  # characters of a sentence
POOL = 16  # batches that are drawn at once and split by length, to save padding
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")


@dataclass(frozen=True, slots=True)
class Example:
    sentence: str
    answer: str
    question: str


@dataclass(frozen=True, slots=True)
class Settings:
    steps: int = 4_000
    batch: int = 16
    rate: float = 8e-4
    rank: int = 8
    longest: int = 160  # tokens
    seed: int = 1
    half: bool = False  # bfloat16: twice as fast on processors that support it


def sentence_of(context: str, start: int) -> str:
    """Return the sentence of the context in which the answer begins."""
    position = 0
    for part in SENTENCE_END.split(context):
        at = context.index(part, position)
        position = at + len(part)
        if start < position:
            return part
    return context


def of_sets(data: Path) -> Iterator[Example]:
    for name in SETS:
        path = data / "qa" / f"qa_{name}.jsonl"
        if path.exists():
            for line in path.read_text().splitlines():
                row = json.loads(line)
                sentence = sentence_of(row["context"], row["start"])
                if row["answer"] in sentence and len(sentence) < LONGEST and not _first_person(sentence):
                    yield Example(sentence, row["answer"], row["question"].strip())


def _first_person(sentence: str) -> bool:
    """Whether the text is in the first person. The data sets call the writer of such a text "the reviewer", which
    the model must not learn.
    """
    return any(word.lower in FIRST_PERSON for word in tokens(sentence))


def of_dialogues(data: Path, limit: int = 20_000) -> Iterator[Example]:
    path = data / "decode" / "train_pairs.tsv"
    if not path.exists():
        return
    seen: set[str] = set()
    with path.open(newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            text = row.get("earlier_utterance") or ""
            if text in seen or len(text) > 200:
                continue
            seen.add(text)
            for question in write(Task(text, tuple(entities(text)), (Kind.WH,))):
                if question.score > 0.7:
                    yield Example(swap(text), swap(question.entity.text), question.text)
            if len(seen) >= limit:
                return


def train(
    kinds: Sequence[Sequence[Example]],
    model: str,
    out: Path,
    settings: Settings = Settings(),
    report: Callable[[int, float], None] | None = None,
) -> list[float]:
    """Train and write the adapter, and return the loss of every step. Each kind of example has an equal share."""
    import torch

    peft = extras.need("peft", "Training a question writer needs")

    kinds = [examples for examples in kinds if examples]
    if not kinds:
        raise InputError("There are no examples to train on: give the folder that holds qa/ and decode/.")
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
    for step, chosen in enumerate(_batches(kinds, settings)):
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
    network.save_pretrained(str(out), safe_serialization=True)
    return losses


def _batches(kinds: Sequence[Sequence[Example]], settings: Settings) -> Iterator[list[Example]]:
    random, left, size = Random(settings.seed), settings.steps, settings.batch
    while left:
        pool = [random.choice(kinds[i % len(kinds)]) for i in range(size * POOL)]
        pool.sort(key=lambda example: len(example.sentence) + len(example.answer) + len(example.question))
        parts = [pool[i : i + size] for i in range(0, len(pool), size)]
        random.shuffle(parts)
        yield from parts[:left]
        left -= min(left, len(parts))


def _batch(tokenizer: Any, examples: Iterable[Example], longest: int) -> tuple[Any, Any]:
    """Return padded inputs and labels. Only the question's tokens count in the loss."""
    import torch

    rows = []
    for example in examples:
        head = tokenizer(prompt(example.sentence, example.answer))["input_ids"]
        tail = tokenizer(f" {example.question}", add_special_tokens=False)["input_ids"]
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
    parser.add_argument("--data", type=Path, required=True, help="folder with qa/ and decode/")
    parser.add_argument("--out", type=Path, required=True, help="folder for the adapter")
    parser.add_argument("--model", default="smollm2-135m", help="embedded model or folder")
    parser.add_argument("--steps", type=int, default=Settings().steps)
    parser.add_argument("--batch", type=int, default=Settings().batch)
    parser.add_argument("--half", action="store_true", help="bfloat16, where the processor is fast at it")
    given = parser.parse_args(arguments)
    kinds = list(of_sets(given.data)), list(of_dialogues(given.data))
    began = monotonic()

    def report(step: int, loss: float) -> None:
        if step % 20 == 0:
            print(
                f"{step}/{given.steps}: loss {loss}, {monotonic() - began:.0f} s", file=sys.stderr, flush=True
            )

    settings = Settings(steps=given.steps, batch=given.batch, half=given.half)
    losses = train(kinds, given.model, given.out, settings, report)
    print(json.dumps({"examples": [len(k) for k in kinds], "first": losses[:5], "last": losses[-5:]}))


if __name__ == "__main__":
    main()
