"""The types of models that the papers use, from a folder or the hub: T5 question generation, SQuAD 2.0 readers."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arena.core.errors import InputError, MissingPart
from bots import hf_load
from inquirer.base import Part
from judges.q2.parts import Span

ASK_TOKENS, READ_TOKENS = 4096, 4096
LONGEST_ANSWER = 30  # tokens, as in SQuAD's evaluation
STRIDE = 128


def _located(model: str, what: str) -> tuple[hf_load.Source, str]:
    source = hf_load.locate(model)
    if source.gguf:
        raise InputError(f"The {what} '{model}' is a GGUF file: give a Hugging Face folder or hub name.")
    return source, hf_load.weights_revision(source, None)


def _device() -> str:
    return hf_load.choose_device("auto")


def _missing(what: str, model: str, error: BaseException) -> MissingPart:
    first = (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")
    return MissingPart(
        f"The {what} '{model}' cannot be read: {first}; fetch it with `arena models` or name a folder."
    )


@dataclass(frozen=True)
class HubAsker:
    """Text-to-text question generation with beam search; `form` is the input format that the model was trained on."""

    model: str
    form: str = "answer: {answer} context: {context}"
    prefix: str = "question:"

    @property
    def revision(self) -> str:
        return f"asker-{_located(self.model, 'question generator')[1]}-{self.form}"

    @functools.cached_property
    def _parts(self) -> tuple[Any, Any, str]:
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

        source, _ = _located(self.model, "question generator")
        try:
            tokenizer = AutoTokenizer.from_pretrained(source.folder)
            model = AutoModelForSeq2SeqLM.from_pretrained(source.folder)
        except Exception as error:  # loaders raise what they like
            raise _missing("question generator", self.model, error) from error
        device = _device()
        return tokenizer, model.to(device).eval(), device

    def ask(self, tasks: Sequence[tuple[str, Span]], most: int) -> list[list[str]]:
        import torch

        from bots.encoders.tokens import batches

        tokenizer, model, device = self._parts
        inputs = [self.form.format(answer=span.text, context=text) for text, span in tasks]
        if not inputs:
            return []
        encoded = tokenizer(inputs, truncation=True, max_length=512)["input_ids"]
        questions: list[list[str]] = [[] for _ in tasks]
        with torch.inference_mode():
            for batch in batches([len(ids) for ids in encoded], max(1, ASK_TOKENS // most)):
                part = tokenizer.pad({"input_ids": [encoded[index] for index in batch]}, return_tensors="pt")
                out = model.generate(
                    **part.to(device),
                    num_beams=most,
                    num_return_sequences=most,
                    max_new_tokens=64,
                    do_sample=False,
                )
                lines = tokenizer.batch_decode(out, skip_special_tokens=True)
                for at, index in enumerate(batch):
                    generated = lines[at * most : (at + 1) * most]
                    questions[index] = list(
                        dict.fromkeys(line.removeprefix(self.prefix).strip() for line in generated)
                    )
        return questions


@dataclass(frozen=True)
class HubReader:
    """An extractive reader that may give no answer, as in SQuAD 2.0. Long contexts are read in overlapping windows."""

    model: str
    threshold: float = 0.0
    """There is no answer if the score of the empty answer exceeds that of the best span by more than this value."""

    @property
    def revision(self) -> str:
        return f"reader-{_located(self.model, 'reader')[1]}-{self.threshold}"

    @functools.cached_property
    def _parts(self) -> tuple[Any, Any, str]:
        from transformers import AutoModelForQuestionAnswering, AutoTokenizer

        source, _ = _located(self.model, "reader")
        try:
            tokenizer = AutoTokenizer.from_pretrained(source.folder, use_fast=True)
            model = AutoModelForQuestionAnswering.from_pretrained(source.folder)
        except Exception as error:  # loaders raise what they like
            raise _missing("reader", self.model, error) from error
        device = _device()
        return tokenizer, model.to(device).eval(), device

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Span | None]:
        import torch

        from bots.encoders.tokens import batches

        tokenizer, model, device = self._parts
        if not pairs:
            return []
        longest = min(int(tokenizer.model_max_length), 384)
        windows = tokenizer(
            [question for question, _ in pairs],
            [text for _, text in pairs],
            truncation="only_second",
            max_length=longest,
            stride=min(STRIDE, longest // 3),
            return_overflowing_tokens=True,
            return_offsets_mapping=True,
        )
        owners = windows["overflow_to_sample_mapping"]
        best: list[tuple[float, Span | None]] = [(float("-inf"), None) for _ in pairs]
        empty = [float("inf")] * len(pairs)
        names = [name for name in ("input_ids", "attention_mask", "token_type_ids") if name in windows]
        with torch.inference_mode():
            for batch in batches([len(ids) for ids in windows["input_ids"]], READ_TOKENS):
                part = {name: [windows[name][index] for index in batch] for name in names}
                out = model(**tokenizer.pad(part, return_tensors="pt").to(device))
                starts, ends = out.start_logits.float().cpu(), out.end_logits.float().cpu()
                for at, index in enumerate(batch):
                    owner = owners[index]
                    second = [part == 1 for part in windows.sequence_ids(index)]
                    text, offsets = pairs[owner][1], windows["offset_mapping"][index]
                    score, span = _best(starts[at], ends[at], second, offsets, text)
                    empty[owner] = min(empty[owner], float(starts[at][0] + ends[at][0]))
                    if score > best[owner][0]:
                        best[owner] = (score, span)
        return [
            None if none - score > self.threshold else span
            for (score, span), none in zip(best, empty, strict=True)
        ]


def _best(
    starts: Any, ends: Any, second: Sequence[bool], offsets: Sequence[tuple[int, int]], text: str
) -> tuple[float, Span | None]:
    """The span with the highest sum of start score and end score."""
    import torch

    length = len(second)
    inside = torch.tensor(second)
    one = starts[:length].masked_fill(~inside, float("-inf"))
    other = ends[:length].masked_fill(~inside, float("-inf"))
    grid = (one[:, None] + other[None, :]).triu().tril(LONGEST_ANSWER - 1)
    banned = torch.ones(length, length, dtype=torch.bool).triu().tril(LONGEST_ANSWER - 1)
    grid = grid.masked_fill(~banned, float("-inf"))
    cell = int(grid.argmax())
    score = float(grid.flatten()[cell])
    if score == float("-inf"):
        return score, None
    low, high = offsets[cell // length][0], offsets[cell % length][1]
    return score, Span(text[low:high], low, high, score)


def _hub_reader(settings: Mapping[str, Any]) -> HubReader:
    """Create the reader of the entry point `hf`."""
    wrong = sorted(set(settings) - {"model", "threshold"})
    if wrong or not isinstance(settings.get("model"), str):
        raise InputError("The reader 'hf' takes `model` (a folder or hub name) and `threshold`: write these.")
    return HubReader(settings["model"], float(settings.get("threshold", 0.0)))


reader = Part(_hub_reader, "a question-answering checkpoint", ("transformers",))
