"""Writes questions by beam search: the common part of the writers that run a model themselves."""

from __future__ import annotations

import asyncio
import math
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from arena.core.errors import InputError
from arena.core.types import Entity, Question
from inquirer.base import Task
from inquirer.questions.generated import questions, wanted


class Beams(ABC):
    """A model that is loaded once, at the first use, and writes `n` questions per entity."""

    padding: Mapping[str, Any] = {}  # how the tokenizer pads and truncates
    searching: Mapping[str, Any] = {}  # further settings of the beam search

    def __init__(self, settings: Mapping[str, Any], revision: str) -> None:
        self.settings = settings
        self.revision = revision
        self._lock = threading.Lock()
        self._parts: tuple[Any, Any] | None = None

    @abstractmethod
    def prompt(self, task: Task, entity: Entity) -> str:
        """Returns the text that the model reads."""

    @abstractmethod
    def load(self) -> tuple[Any, Any]:
        """Returns tokenizer and model."""

    async def write(self, tasks: Sequence[Task]) -> list[list[Question]]:
        return await asyncio.to_thread(self._write, list(tasks))

    def _write(self, tasks: list[Task]) -> list[list[Question]]:
        result: list[list[Question]] = [[] for _ in tasks]
        places = wanted(tasks)
        texts = [self.prompt(tasks[i], entity) for i, entity in places]
        with self._lock:
            ranked = self._ranked(texts) if texts else []
        for (i, entity), options in zip(places, ranked, strict=True):
            result[i] += questions(tasks[i], entity, options)
        return result

    def _ranked(self, texts: list[str]) -> list[list[tuple[str, float]]]:
        """Returns the continuations of each text with their probabilities. Texts of similar length share a batch."""
        if self._parts is None:
            self._parts = self.load()
        size = self.settings["batch"]
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        result: list[list[tuple[str, float]]] = [[] for _ in texts]
        for first in range(0, len(order), size):
            part = order[first : first + size]
            for i, options in zip(part, self._searched(*self._parts, [texts[i] for i in part]), strict=True):
                result[i] = options
        return result

    def _searched(self, tokenizer: Any, model: Any, texts: list[str]) -> list[list[tuple[str, float]]]:
        import torch

        n = self.settings["n"]
        inputs = tokenizer(texts, return_tensors="pt", padding=True, **self.padding)
        with torch.inference_mode():
            out = model.generate(
                input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], num_beams=max(n, 1),
                num_return_sequences=n, max_new_tokens=self.settings["max_tokens"], do_sample=False,
                return_dict_in_generate=True, output_scores=True, **self.searching,
            )  # fmt: skip
        read = 0 if model.config.is_encoder_decoder else inputs["input_ids"].shape[1]
        written = tokenizer.batch_decode(out.sequences[:, read:], skip_special_tokens=True)
        scores = out.sequences_scores.tolist() if n > 1 else [0.0] * len(written)
        if read:  # a decoder may continue with further lines
            written = [text.split("\n")[0] for text in written]
        rows = [
            (text, round(math.exp(min(0.0, score)), 4)) for text, score in zip(written, scores, strict=True)
        ]
        return [rows[place * n : (place + 1) * n] for place in range(len(texts))]


def checked(settings: Mapping[str, Any], defaults: Mapping[str, Any], writer: str) -> dict[str, Any]:
    """Returns the settings with their defaults. Unknown keys and invalid numbers raise an error."""
    wrong = sorted(set(settings) - set(defaults))
    if wrong:
        from arena.core.plugins import unknown

        raise InputError(unknown(f"setting of the question writer '{writer}'", wrong[0], sorted(defaults)))
    full = {**defaults, **settings}
    for name in ("n", "batch", "max_tokens"):
        if not isinstance(full[name], int) or isinstance(full[name], bool) or full[name] < 1:
            raise InputError(
                f"'{name}' of the question writer '{writer}' must be a whole number from 1, not {full[name]!r}."
            )
    return full
