"""Questions by the language model that is there anyway, with a small adapter trained for it.

`inquirer.training.questions` makes the adapter. None is shipped: the setting `adapter` names its folder.
"""

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
from inquirer.person import swap
from inquirer.questions.generated import context, questions, wanted

REVISION = "embedded-1"
DEFAULTS: Mapping[str, Any] = {"adapter": None, "model": "smollm2-135m", "n": 5, "batch": 8, "max_tokens": 32}


def prompt(sentence: str, answer: str) -> str:
    """What the adapter was trained to continue: sentence and answer in the second person."""
    return f"Sentence: {sentence}\nAnswer: {answer}\nQuestion:"


class Adapted:
    """Base model plus adapter, loaded at the first use."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings
        folder = Path(str(settings["adapter"])).expanduser()
        weights = folder / "adapter_model.safetensors"
        if not weights.is_file():
            raise MissingPart(
                f"{folder} holds no adapter (adapter_model.safetensors): train one with "
                "'python -m inquirer.training.questions', or use 'questions: rules'."
            )
        found = hashlib.sha256(weights.read_bytes()).hexdigest()[:12]
        self._folder = folder
        self.revision = (
            f"{REVISION}-{fingerprint({k: v for k, v in settings.items() if k != 'adapter'})}-{found}"
        )
        self._lock = threading.Lock()
        self._parts: tuple[Any, Any] | None = None

    async def write(self, tasks: Sequence[Task]) -> list[list[Question]]:
        return await asyncio.to_thread(self._write, list(tasks))

    def _write(self, tasks: list[Task]) -> list[list[Question]]:
        result: list[list[Question]] = [[] for _ in tasks]
        places = wanted(tasks)
        texts = []
        for i, entity in places:
            sentence, start, end = context(tasks[i], entity)
            texts.append(prompt(swap(sentence), swap(sentence[start:end])))
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
        result: list[list[tuple[str, float]]] = [[] for _ in texts]
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        for first in range(0, len(order), size):
            part = order[first : first + size]
            inputs = tokenizer(
                [texts[i] for i in part], return_tensors="pt", padding=True, padding_side="left"
            )
            with torch.inference_mode():
                out = model.generate(
                    input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], num_beams=max(n, 1),
                    num_return_sequences=n, max_new_tokens=self.settings["max_tokens"], do_sample=False,
                    pad_token_id=tokenizer.pad_token_id, return_dict_in_generate=True, output_scores=True,
                )  # fmt: skip
            written = tokenizer.batch_decode(
                out.sequences[:, inputs["input_ids"].shape[1] :], skip_special_tokens=True
            )
            scores = out.sequences_scores.tolist() if n > 1 else [0.0] * len(written)
            for place, i in enumerate(part):
                rows = range(place * n, (place + 1) * n)
                result[i] = [
                    (written[r].split("\n")[0], round(math.exp(min(0.0, scores[r])), 4)) for r in rows
                ]
        return result

    def _loaded(self) -> tuple[Any, Any]:
        if self._parts is None:
            from peft import PeftModel

            from inquirer.training.questions import base_model

            tokenizer, model = base_model(str(self.settings["model"]))
            self._parts = tokenizer, PeftModel.from_pretrained(model, str(self._folder)).eval()
        return self._parts


def create(settings: Mapping[str, Any]) -> Adapted:
    """`adapter` is the folder that the training command wrote; `model` the base it was trained on."""
    wrong = sorted(set(settings) - set(DEFAULTS))
    if wrong:
        from arena.plugins import unknown

        raise InputError(unknown("setting of the question writer 'embedded'", wrong[0], sorted(DEFAULTS)))
    full = {**DEFAULTS, **settings}
    if not full["adapter"]:
        raise InputError(
            "The question writer 'embedded' needs 'adapter': a folder made by 'python -m "
            "inquirer.training.questions'."
        )
    return Adapted(full)
