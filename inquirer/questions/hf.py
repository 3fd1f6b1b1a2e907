"""Questions by a sequence-to-sequence checkpoint, batched, by beam search."""

from __future__ import annotations

import asyncio
import hashlib
import math
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.errors import InputError, MissingPart
from arena.types import Question
from inquirer.base import Task
from inquirer.build import fingerprint
from inquirer.questions.generated import context, questions, wanted

REVISION = "hf-1"
FORMATS = ("highlight", "answer-context", "text2text")
DEFAULTS: Mapping[str, Any] = {
    "model": None, "format": "highlight", "prefix": None, "n": 5, "batch": 16, "max_tokens": 40,
    "highlight": "<hl>",
    "revision": None,
}  # fmt: skip


def marked(text: str, start: int, end: int, form: str, highlight: str, prefix: str | None) -> str:
    """The model's input: where the answer stands is told in the checkpoint's own way."""
    answer = text[start:end]
    if form == "highlight":
        body = f"{text[:start]}{highlight} {answer} {highlight}{text[end:]}"
        return f"{'generate question: ' if prefix is None else prefix}{body}"
    if form == "answer-context":
        return f"{prefix or ''}answer: {answer} context: {text}"
    return f"{prefix or ''}{text} [SEP] {answer}"


class Generator:
    """The checkpoint is loaded at the first use, once."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings
        self.revision = f"{REVISION}-{fingerprint(settings)}-{_weights(str(settings['model']))}"
        self._lock = threading.Lock()
        self._parts: tuple[Any, Any] | None = None

    async def write(self, tasks: Sequence[Task]) -> list[list[Question]]:
        return await asyncio.to_thread(self._write, list(tasks))

    def _write(self, tasks: list[Task]) -> list[list[Question]]:
        result: list[list[Question]] = [[] for _ in tasks]
        places = wanted(tasks)
        texts = [
            marked(
                *context(tasks[i], e),
                self.settings["format"],
                self.settings["highlight"],
                self.settings["prefix"],
            )
            for i, e in places
        ]
        with self._lock:
            ranked = self._generate(texts)
        for (i, entity), options in zip(places, ranked, strict=True):
            result[i] += questions(tasks[i], entity, options)
        return result

    def _generate(self, texts: list[str]) -> list[list[tuple[str, float]]]:
        if not texts:
            return []
        import torch

        tokenizer, model = self._loaded()
        n, size = self.settings["n"], self.settings["batch"]
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        result: list[list[tuple[str, float]]] = [[] for _ in texts]
        for first in range(0, len(order), size):
            part = order[first : first + size]
            inputs = tokenizer(
                [texts[i] for i in part], return_tensors="pt", padding=True, truncation=True, max_length=512
            )
            inputs = {k: v for k, v in inputs.items() if k in {"input_ids", "attention_mask"}}
            with torch.inference_mode():
                out = model.generate(
                    **inputs, num_beams=max(n, 1), num_return_sequences=n, max_new_tokens=self.settings["max_tokens"],
                    do_sample=False, early_stopping=n > 1, return_dict_in_generate=True, output_scores=True,
                )  # fmt: skip
            written = tokenizer.batch_decode(out.sequences, skip_special_tokens=True)
            scores = out.sequences_scores.tolist() if n > 1 else [0.0] * len(written)
            for place, i in enumerate(part):
                rows = range(place * n, (place + 1) * n)
                result[i] = [(written[r], round(math.exp(min(0.0, scores[r])), 4)) for r in rows]
        return result

    def _loaded(self) -> tuple[Any, Any]:
        if self._parts is None:
            from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

            name, revision = self.settings["model"], self.settings["revision"]
            try:
                tokenizer = AutoTokenizer.from_pretrained(name, revision=revision)
                model = AutoModelForSeq2SeqLM.from_pretrained(name, revision=revision)
            except Exception as error:  # loaders raise what they like
                raise MissingPart(
                    f"The question model '{name}' does not load ({' '.join(str(error).split())[:120]}): "
                    "give the folder of a sequence-to-sequence checkpoint, or a name that the model hub knows."
                ) from error
            self._parts = tokenizer, model.eval()
        return self._parts


def _weights(model: str) -> str:
    """A hash of local weights; a hub name is pinned by its revision instead."""
    folder = Path(model).expanduser()
    if not folder.is_dir():
        return "hub"
    found = hashlib.sha256()
    for path in sorted(folder.iterdir()):
        if path.is_file():
            found.update(f"{path.name} {path.stat().st_size}\n".encode())
            with path.open("rb") as file:
                found.update(file.read(1 << 20))
    return found.hexdigest()[:12]


def create(settings: Mapping[str, Any]) -> Generator:
    """`model` is a folder or hub name; `format` how it wants to be told the answer; `n` questions an entity."""
    wrong = sorted(set(settings) - set(DEFAULTS))
    if wrong:
        from arena.plugins import unknown

        raise InputError(unknown("setting of the question writer 'hf'", wrong[0], sorted(DEFAULTS)))
    full = {**DEFAULTS, **settings}
    if not full["model"]:
        raise InputError(
            "The question writer 'hf' needs 'model': the folder or hub name of a sequence-to-sequence "
            "checkpoint."
        )
    if full["format"] not in FORMATS:
        raise InputError(
            f"The format of the question writer 'hf' must be one of {', '.join(FORMATS)}, not {full['format']!r}."
        )
    for name in ("n", "batch", "max_tokens"):
        if not isinstance(full[name], int) or isinstance(full[name], bool) or full[name] < 1:
            raise InputError(
                f"'{name}' of the question writer 'hf' must be a whole number from 1, not {full[name]!r}."
            )
    return Generator(full)
