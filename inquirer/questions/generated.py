"""The common parts of all writers that use a language model.

They choose the context, mark the answer, search for questions and clean the output.
"""

from __future__ import annotations

import asyncio
import math
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any

from arena.core.types import Entity, Kind, Question
from inquirer.base import Task
from inquirer.language.sentences import statements
from inquirer.language.tokens import tokens
from inquirer.person import swap

WRITTEN = (Kind.WH, Kind.ASK_TWICE, Kind.PARAPHRASE)
MARKS = re.compile(r"(?i)^(?:(?:question|q|generate question)\s*:?|[-*\d.)\"“ ]+)\s*")
FIRST_PERSON = {"i", "me", "my", "mine", "myself", "we", "us", "our"}


def context(task: Task, entity: Entity) -> tuple[str, int, int]:
    """Returns the sentence with the entity, and the entity's position in the sentence."""
    for sentence in statements(task.utterance):
        if sentence.start <= entity.start and entity.end <= sentence.end:
            text, place = task.utterance[sentence.start : sentence.end], sentence.start
            return text, entity.start - place, entity.end - place
    return task.utterance, entity.start, entity.end


def wanted(tasks: Sequence[Task]) -> list[tuple[int, Entity]]:
    """Returns the (task, entity) pairs for which the model writes questions."""
    return [(i, e) for i, task in enumerate(tasks) if set(task.kinds) & set(WRITTEN) for e in task.entities]


def tidy(text: str) -> str | None:
    """Returns the first question in the model's text, addressed to the speaker, or None if there is no question."""
    text = MARKS.sub("", " ".join(text.split()))
    match = re.match(r"[^?]{4,200}\?", text)
    if not match:
        return None
    question = match.group().strip(" \"“”'")
    words = {token.lower for token in tokens(question)}
    if words & FIRST_PERSON and not words & {"you", "your", "yours"}:
        question = swap(question)
    return question[:1].upper() + question[1:]


def questions(task: Task, entity: Entity, ranked: Sequence[tuple[str, float]]) -> list[Question]:
    """Turns ranked texts into questions of the kinds that the task asks for."""
    result = []
    texts: list[tuple[str, float]] = []
    for text, score in ranked:
        tidied = tidy(text)
        if tidied and all(tidied != known for known, _ in texts):
            texts.append((tidied, score))
    for kind in (Kind.WH, Kind.ASK_TWICE):
        if kind in task.kinds:
            result += [Question(text, entity, kind, score, entity.text) for text, score in texts]
    if Kind.PARAPHRASE in task.kinds:  # another wording is only the next best question
        result += [Question(text, entity, Kind.PARAPHRASE, score, entity.text) for text, score in texts[1:]]
    return result


class ModelWriter(ABC):
    """A writer with a model, which is loaded at the first use and used by one thread at a time."""

    def __init__(self, settings: Mapping[str, Any], revision: str) -> None:
        self.settings = settings
        self.revision = revision
        self._lock = threading.Lock()
        self._parts: tuple[Any, Any] | None = None

    @abstractmethod
    def load(self) -> tuple[Any, Any]:
        """Returns tokenizer and model."""

    @abstractmethod
    def read(self, tokenizer: Any, model: Any, texts: list[str]) -> list[list[Any]]:
        """Returns what the model writes about each text of a batch."""

    @abstractmethod
    def questions(self, tasks: list[Task]) -> list[list[Question]]:
        """Returns each task's questions."""

    async def write(self, tasks: Sequence[Task]) -> list[list[Question]]:
        return await asyncio.to_thread(self.questions, list(tasks))

    def outputs(self, texts: Sequence[str]) -> list[list[Any]]:
        """Returns what the model writes about each text. Texts of similar length share a batch."""
        size = self.settings["batch"]
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        result: dict[int, list[Any]] = {}
        with self._lock:
            for first in range(0, len(order), size):
                self._parts = self._parts or self.load()
                part = order[first : first + size]
                result.update(zip(part, self.read(*self._parts, [texts[i] for i in part]), strict=True))
        return [result[i] for i in range(len(texts))]


class Beams(ModelWriter):
    """A model that writes `n` questions per entity by beam search."""

    padding: Mapping[str, Any] = {}  # how the tokenizer pads and truncates
    searching: Mapping[str, Any] = {}  # further settings of the beam search

    @abstractmethod
    def prompt(self, task: Task, entity: Entity) -> str:
        """Returns the text that the model reads."""

    def questions(self, tasks: list[Task]) -> list[list[Question]]:
        result: list[list[Question]] = [[] for _ in tasks]
        places = wanted(tasks)
        ranked = self.outputs([self.prompt(tasks[i], entity) for i, entity in places])
        for (i, entity), options in zip(places, ranked, strict=True):
            result[i] += questions(tasks[i], entity, options)
        return result

    def read(self, tokenizer: Any, model: Any, texts: list[str]) -> list[list[tuple[str, float]]]:
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
