"""Writes questions by an embedded language model with a trained adapter, which reads the whole message.

The model itself chooses what to ask. A question's score is the estimated probability that a person would find it
appropriate, from how likely the question is to the model.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from arena.core.types import Entity, Kind, Question
from inquirer.base import Task
from inquirer.encoded_score import logit
from inquirer.entities.rules import kind_of
from inquirer.language.tokens import tokens
from inquirer.questions.adapter import WEIGHTS, adapted
from inquirer.questions.generated import ModelWriter
from inquirer.questions.message_format import KINDS, NONE, Line, parsed, prompt

REVISION = "embedded-message-1"
RULE = "embedded"
WANTED = (Kind.WH, *KINDS.values())
UNSCORED = (0.0, 0.0, 0.0)  # of an adapter whose questions were never read
DIGITS = 2  # fewer than a processor's rounding can change


@dataclass(frozen=True, slots=True)
class Written:
    """A line of the model, its mean log probability per token, and the probability that there is a question."""

    line: Line
    likelihood: float
    something: float


class MessageWriter(ModelWriter):
    """A base model with an adapter that reads whole messages."""

    calibrated = True

    def __init__(self, settings: Mapping[str, Any], folder: Path, revision: str) -> None:
        super().__init__(settings, f"{REVISION}-{revision}")
        self.gaps_only = bool(settings["gaps_only"])
        self._folder = folder
        self._weights = tuple(score_weights(folder))

    def load(self) -> tuple[Any, Any]:
        return adapted(str(self.settings["model"]), self._folder)

    def questions(self, tasks: list[Task]) -> list[list[Question]]:
        wanted = [i for i, task in enumerate(tasks) if set(task.kinds) & set(WANTED)]
        written = self.lines([tasks[i].utterance for i in wanted])
        result: list[list[Question]] = [[] for _ in tasks]
        for i, lines in zip(wanted, written, strict=True):
            result[i] = sorted(self._questions(tasks[i], lines), key=lambda q: -q.score)
        return result

    def _questions(self, task: Task, lines: Sequence[Written]) -> Iterator[Question]:
        for written in lines:
            question = located(task, written.line)
            if question and question.kind in task.kinds:
                yield replace(question, score=self._score(written))

    def _score(self, written: Written) -> float:
        intercept, *weights = self._weights
        if not any(weights):
            return round(written.something * math.exp(written.likelihood), DIGITS)
        values = facts(written)
        total = intercept + sum(w * v for w, v in zip(weights, values, strict=True))
        return round(1 / (1 + math.exp(-total)), DIGITS)

    def lines(self, messages: Sequence[str]) -> list[list[Written]]:
        """Returns what the model writes about each message."""
        return self.outputs([prompt(message) for message in messages])

    def read(self, tokenizer: Any, model: Any, texts: list[str]) -> list[list[Written]]:
        import torch

        inputs = tokenizer(texts, return_tensors="pt", padding=True, padding_side="left")
        with torch.inference_mode():
            out = model.generate(
                input_ids=inputs["input_ids"], attention_mask=inputs["attention_mask"], do_sample=False,
                max_new_tokens=self.settings["max_tokens"], return_dict_in_generate=True, output_logits=True,
                stopping_criteria=[_Enough(tokenizer, inputs["input_ids"].shape[1], self.settings["n"])],
                pad_token_id=tokenizer.pad_token_id,
            )  # fmt: skip
        ids = out.sequences[:, inputs["input_ids"].shape[1] :]
        likely = [
            step.float().log_softmax(-1).gather(1, ids[:, place, None])
            for place, step in enumerate(out.logits)
        ]
        chosen = torch.cat(likely, dim=1)
        none = tokenizer(NONE, add_special_tokens=False)["input_ids"][0]
        nothing = out.logits[0].float().softmax(-1)[:, none].tolist()
        return [
            _scored_lines(tokenizer, row, values, 1 - none_chance)[: self.settings["n"]]
            for row, values, none_chance in zip(ids.tolist(), chosen.tolist(), nothing, strict=True)
        ]


class _Enough:
    """Stops a row of the batch as soon as it has enough complete lines."""

    def __init__(self, tokenizer: Any, start: int, lines: int) -> None:
        self._tokenizer, self._start, self._lines = tokenizer, start, lines

    def __call__(self, ids: Any, *_: Any, **__: Any) -> Any:
        import torch

        texts = self._tokenizer.batch_decode(ids[:, self._start :], skip_special_tokens=True)
        return torch.tensor([text.count("\n") >= self._lines for text in texts])


def _scored_lines(
    tokenizer: Any, ids: Sequence[int], values: Sequence[float], something: float
) -> list[Written]:
    """Splits the model's tokens into lines, each with the mean log probability of its tokens."""
    lines, begun = [], 0
    for place, token in enumerate(ids):
        ends = token == tokenizer.eos_token_id or "\n" in tokenizer.decode([token])
        if ends or place == len(ids) - 1:
            own = values[begun : place + 1]
            text = tokenizer.decode(ids[begun : place + 1], skip_special_tokens=True)
            lines += [Written(line, sum(own) / len(own), something) for line in parsed(text)]
            begun = place + 1
        if token == tokenizer.eos_token_id:
            break
    return lines


def located(task: Task, line: Line) -> Question | None:
    """Returns the line as a question of the task, or None if its answer is not in the utterance."""
    start = task.utterance.find(line.answer)
    if start < 0:
        return None
    end = start + len(line.answer)
    same = [e for e in task.entities if (e.start, e.end) == (start, end)]
    words = tokens(line.answer)
    kind = kind_of(words) if words else "NP"
    entity = same[0] if same else Entity(line.answer, kind, start, end, 0, len(task.utterance))
    asks = KINDS.get(line.kind, Kind.WH)
    expected = line.answer if asks is Kind.WH else line.kind
    return Question(
        line.question, entity, asks, expected=expected, rule=RULE, single_answer=line.kind != "many",
        span=(start, end),
    )  # fmt: skip


def facts(written: Written) -> tuple[float, float]:
    """Returns what the score is made from: the model's likelihoods of the line, and of asking anything."""
    return written.likelihood, logit(written.something)


def score_weights(folder: Path) -> Sequence[float]:
    """Returns the intercept and the weights of the score."""
    settings = json.loads((folder / "arena.json").read_text(encoding="utf-8"))
    return [float(weight) for weight in settings.get("score", UNSCORED)]


def weights_hash(folder: Path) -> str:
    """Returns a hash of the adapter and of the weights of its score."""
    hashed = hashlib.sha256((folder / WEIGHTS).read_bytes())
    settings = folder / "arena.json"
    if settings.is_file():
        hashed.update(settings.read_bytes())
    return hashed.hexdigest()[:12]
