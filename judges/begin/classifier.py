"""A fine-tuned encoder that reads (evidence and previous turn, response), with three or five classes."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arena.core.errors import InputError, MissingPart
from judges.begin.taxonomy import FIVE, THREE
from judges.checkpoint import first_line

LONGEST = 192
TOKENS = 4096
SEPARATOR = " || "


def context(knowledge: str, previous: str) -> str:
    """Return the paper's input: the evidence, followed by the previous turn."""
    return f"{knowledge}{SEPARATOR}{previous}" if previous else knowledge


def labels_of(config: Any, folder: str) -> tuple[str, ...]:
    """Return the labels of the taxonomy in the order of the model's outputs."""
    names = [str(config.id2label[number]).lower().replace("_", "-") for number in sorted(config.id2label)]
    known = [{str(label) for label in FIVE}, set(THREE)]
    if set(names) not in known or len(set(names)) != len(names):
        raise InputError(
            f"The classes of {folder} are {', '.join(names)}: a BEGIN classifier has {', '.join(FIVE)} "
            f"or {', '.join(THREE)}."
        )
    return tuple(names)


@dataclass(frozen=True)
class Trained:
    """A classifier in a model folder from `arena train begin`, or any checkpoint with the same classes."""

    folder: Path

    @property
    def revision(self) -> str:
        from bots import hf_load

        return hf_load.weights_revision(hf_load.locate(str(self.folder)), None)

    @functools.cached_property
    def labels(self) -> tuple[str, ...]:
        return labels_of(self._parts[1].config, str(self.folder))

    @functools.cached_property
    def _parts(self) -> tuple[Any, Any]:
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        try:
            tokenizer = AutoTokenizer.from_pretrained(self.folder)
            model = AutoModelForSequenceClassification.from_pretrained(self.folder)
        except Exception as error:  # loaders raise what they like
            raise MissingPart(
                f"The BEGIN classifier {self.folder} cannot be read: {first_line(error)}; "
                "train one with `arena train begin --out FOLDER`."
            ) from error
        return tokenizer, model.eval()

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[list[float]]:
        """Return the class probabilities of each (context, response), computed in batches of similar length."""
        import torch

        from bots.encoders.tokens import batches

        tokenizer, model = self._parts
        if not pairs:
            return []
        encoded = tokenizer(
            [first for first, _ in pairs],
            [second for _, second in pairs],
            truncation="longest_first",
            max_length=LONGEST,
        )
        rows: list[list[float]] = [[] for _ in pairs]
        with torch.inference_mode():
            for batch in batches([len(ids) for ids in encoded["input_ids"]], TOKENS):
                part = {key: [values[index] for index in batch] for key, values in encoded.items()}
                logits = model(**tokenizer.pad(part, return_tensors="pt")).logits
                for index, row in zip(batch, logits.float().softmax(-1).tolist(), strict=True):
                    rows[index] = row
        return rows
