"""Trains a small adapter (LoRA) on a language model: sentence and answer → question.

    python -m inquirer.training.questions --data DIR --out FOLDER [--model smollm2-135m] [--steps 4000]

Examples are the questions of the SQuAD-like sets with the sentence that holds the answer, and first-person statements
of dialogues, swapped to the second person, with the questions that the grammar writes about them.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from arena.errors import InputError, MissingPart
from arena.types import Kind
from inquirer.base import Task
from inquirer.entities.rules import entities
from inquirer.person import swap
from inquirer.questions.embedded import prompt
from inquirer.questions.rules import write

SETS = ("squad_dev", "squadshifts_new_wiki", "squadshifts_reddit", "squadshifts_amazon_reviews")
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
    rate: float = 2e-4
    rank: int = 8
    longest: int = 160  # tokens
    seed: int = 1


def sentence_of(context: str, start: int) -> str:
    """The sentence of the context in which the answer begins."""
    place = 0
    for part in SENTENCE_END.split(context):
        found = context.index(part, place)
        place = found + len(part)
        if start < place:
            return part
    return context


def of_sets(data: Path) -> Iterator[Example]:
    for name in SETS:
        path = data / "qa" / f"qa_{name}.jsonl"
        if path.exists():
            for line in path.read_text().splitlines():
                row = json.loads(line)
                sentence = sentence_of(row["context"], row["start"])
                if row["answer"] in sentence and len(sentence) < 400:
                    yield Example(sentence, row["answer"], row["question"].strip())


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


def base_model(name: str) -> tuple[Any, Any]:
    """Tokenizer and model: a folder in the usual layout, or an embedded model by name."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = Path(name).expanduser()
    if folder.is_dir():
        tokenizer = AutoTokenizer.from_pretrained(folder)
        model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    else:
        from transformers import GgufConfig

        from bots.models import need_gguf

        path = need_gguf(name)
        try:
            tokenizer = AutoTokenizer.from_pretrained(path.parent, gguf_file=path.name)
            model = AutoModelForCausalLM.from_pretrained(
                path.parent,
                gguf_file=path.name,
                quantization_config=GgufConfig(dequantize=True),
                dtype=torch.float32,
            )
        except (OSError, ValueError) as error:
            raise MissingPart(
                f"The model '{name}' does not load: {' '.join(str(error).split())[:160]}."
            ) from error
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer, model


def train(examples: Sequence[Example], model: str, out: Path, settings: Settings = Settings()) -> list[float]:
    """Writes the adapter; gives the loss of every step."""
    import torch
    from peft import LoraConfig, get_peft_model

    if not examples:
        raise InputError("There are no examples to train on: give the folder that holds qa/ and decode/.")
    torch.manual_seed(settings.seed)
    tokenizer, base = base_model(model)
    config = LoraConfig(
        r=settings.rank, lora_alpha=2 * settings.rank, lora_dropout=0.05, task_type="CAUSAL_LM",
        target_modules="all-linear",
    )  # fmt: skip
    network = get_peft_model(base, config)
    network.train()
    optimizer = torch.optim.AdamW([p for p in network.parameters() if p.requires_grad], lr=settings.rate)
    random = Random(settings.seed)
    losses = []
    for step in range(settings.steps):
        rate = settings.rate * min(1.0, (step + 1) / 100) * max(0.05, 1 - step / settings.steps)
        for group in optimizer.param_groups:
            group["lr"] = rate
        inputs, labels = _batch(tokenizer, random.choices(examples, k=settings.batch), settings.longest)
        loss = network(
            input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], labels=labels
        ).loss
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        losses.append(round(float(loss.detach()), 4))
    out.mkdir(parents=True, exist_ok=True)
    network.save_pretrained(str(out), safe_serialization=True)
    return losses


def _batch(tokenizer: Any, examples: Iterable[Example], longest: int) -> tuple[Any, Any]:
    """Padded inputs; only the question's tokens count in the loss."""
    import torch

    rows = []
    for example in examples:
        head = tokenizer(prompt(example.sentence, example.answer))["input_ids"]
        tail = tokenizer(f" {example.question}", add_special_tokens=False)["input_ids"]
        if tokenizer.eos_token_id is not None:
            tail = [*tail, tokenizer.eos_token_id]
        rows.append(([*head, *tail][:longest], ([-100] * len(head) + tail)[:longest]))
    width = max(len(ids) for ids, _ in rows)
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
    given = parser.parse_args(arguments)
    examples = [*of_sets(given.data), *of_dialogues(given.data)]
    losses = train(examples, given.model, given.out, Settings(steps=given.steps, batch=given.batch))
    print(json.dumps({"examples": len(examples), "first": losses[:5], "last": losses[-5:]}))


if __name__ == "__main__":
    main()
