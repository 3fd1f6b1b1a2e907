"""Loads any Hugging Face checkpoint that classifies pairs into entailment, neutral and contradiction."""

from __future__ import annotations

import functools
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from arena.core.errors import InputError, MissingPart
from bots import hf_load
from bots.quiet import quiet
from judges.base import CLASSES

if TYPE_CHECKING:
    import numpy as np
    import torch

log = logging.getLogger("arena")

SIGNS = {"entailment": "entail", "neutral": "neutral", "contradiction": "contradict"}
# The labels of Dialogue NLI; in other models these words name sentiments.
DIALOGUE_NLI = {"entailment": "positive", "neutral": "neutral", "contradiction": "negative"}
SHORT = {"float32": "fp32", "bfloat16": "bf16", "float16": "fp16"}
APART = 0.03  # the largest change of a probability that a faster number type may cause
SAMPLE = 16
PROBES = (
    ("I have two kids.", "I have three kids."),
    ("I have two kids.", "My son and my daughter are at school."),
    ("I work at a daycare center.", "I work with young children."),
    ("I live in Paris.", "I have never been to France."),
    ("My cats are called snow and winter.", "They are called winter."),
    ("I am a vegetarian.", "I had a steak for dinner."),
    ("I love to read.", "I enjoy books."),
    ("I drive a red car.", "I do not like dancing."),
    ("My mother is a nurse.", "My mother works in a hospital."),
    ("I never smoke.", "I smoke ten cigarettes a day."),
    ("I am forty years old.", "I was born last year."),
    ("It rained all day in Oslo and we stayed at home.", "The weather was bad."),
)


@dataclass(frozen=True)
class Folder:
    """What is known about a checkpoint without reading its weights."""

    source: hf_load.Source
    commit: str | None
    revision: str
    order: tuple[int, int, int]
    config: Any


def look(
    model: str, revision: str | None, labels: Sequence[str] | None, dialogue_nli: bool = False
) -> Folder:
    """Find the checkpoint, its revision and the order of its classes; raise if the classes' meaning is unclear."""
    from transformers import AutoConfig

    source = hf_load.locate(model)
    if source.gguf:
        raise InputError(
            f"The judge's model '{model}' is a GGUF file: give a Hugging Face folder or hub name."
        )
    weights = hf_load.weights_revision(source, revision)
    commit = weights if source.hub else None
    try:
        config = AutoConfig.from_pretrained(source.folder, revision=commit or "main")
    except Exception as error:  # loaders raise what they like
        raise InputError(
            f"The configuration of the judge's model '{model}' cannot be read: {first_line(error)}; "
            "give a checkpoint of a sequence classifier."
        ) from error
    order = label_order(model, dict(config.id2label), getattr(config, "label2id", None), labels, dialogue_nli)
    return Folder(source, commit, weights, order, config)


def first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0].rstrip(".")


def label_order(
    model: str,
    names: Mapping[int, str],
    backward: Mapping[str, int] | None,
    given: Sequence[str] | None,
    dialogue_nli: bool = False,
) -> tuple[int, int, int]:
    """Return the indices of entailment, neutral and contradiction among the outputs."""
    cure = "say which it is with `labels: [contradiction, neutral, entailment]` in the order of its outputs"
    if given is not None:
        if sorted(given) != sorted(CLASSES) or len(names) != 3:
            raise InputError(
                f"`labels` of '{model}' must name {', '.join(CLASSES)} once each, for three outputs."
            )
        return tuple(list(given).index(name) for name in CLASSES)  # type: ignore[return-value]
    shown = ", ".join(str(names[index]) for index in sorted(names))
    if len(names) != 3:
        raise InputError(
            f"'{model}' has {len(names)} classes ({shown}): a judge needs three, of an NLI model."
        )
    if backward and any(backward.get(name, index) != index for index, name in names.items()):
        raise InputError(
            f"id2label and label2id of '{model}' disagree about the order of its classes: {cure}."
        )
    for signs in (SIGNS, DIALOGUE_NLI) if dialogue_nli else (SIGNS,):
        places = {
            name: [index for index, label in names.items() if sign in str(label).lower()]
            for name, sign in signs.items()
        }
        if all(len(indices) == 1 for indices in places.values()):
            return tuple(places[name][0] for name in CLASSES)  # type: ignore[return-value]
    raise InputError(f"'{model}' calls its classes {shown}, which does not tell what they mean: {cure}.")


class Checkpoint:
    """Maps pairs to probabilities of entailment, neutral and contradiction, in batches of similar length."""

    def __init__(
        self,
        folder: Folder,
        *,
        joined: str = "pair",
        precision: str = "auto",
        tokens: int = 4096,
        device: str = "auto",
    ) -> None:
        self.folder = folder
        self.joined = joined
        self.precision = precision
        self.tokens = tokens
        self.device = device
        self._model: Any = None
        self.used = ""
        """The number type of the loaded model; empty until the weights are read."""

    told = False
    statement_shift = 0.0

    @property
    def revision(self) -> str:
        return self.folder.revision

    def score(self, pairs: Sequence[tuple[str, str]]) -> np.ndarray[Any, Any]:
        """Return an array of shape (n, 3) with the probabilities of each pair, in the order of the pairs."""
        if not pairs:
            return _none()
        self._model = self._model or self._made(pairs)
        return _probabilities(self._model, self.encoded(pairs), self._padding, self.folder.order, self.tokens)

    def scores(self, pairs: Sequence[tuple[str, str]]) -> tuple[np.ndarray[Any, Any], None]:
        """Return `score(pairs)` and None.

        Published checkpoints do not predict whether an answer keeps to its question.
        """
        return self.score(pairs), None

    def encoded(self, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        """Tokenise the pairs, truncated to the model's maximum length."""
        return self._as_aih(pairs) if self.joined == "aih" else self._as_pairs(pairs)

    def _as_pairs(self, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        encoded = self.tokenizer(
            [first for first, _ in pairs],
            [second for _, second in pairs],
            truncation="longest_first",
            max_length=self.longest,
        )
        kinds = encoded.get("token_type_ids") or [None] * len(pairs)
        return [Row(ids, kind) for ids, kind in zip(encoded["input_ids"], kinds, strict=True)]

    def _as_aih(self, pairs: Sequence[tuple[str, str]]) -> list[Row]:
        """Join two texts that were encoded separately: `<s> gold </s><s> answer </s>`.

        This is the input that AIH used, although the model was trained on `<s> gold </s></s> answer </s>`.
        """
        half = self.longest // 2
        parts = [
            self.tokenizer(list(texts), truncation=True, max_length=half)["input_ids"]
            for texts in zip(*pairs, strict=True)
        ]
        return [Row([*first, *second], None) for first, second in zip(*parts, strict=True)]

    @functools.cached_property
    def tokenizer(self) -> Any:
        from transformers import AutoTokenizer

        try:
            return AutoTokenizer.from_pretrained(
                self.folder.source.folder, revision=self.folder.commit or "main", use_fast=True
            )
        except Exception as error:  # loaders raise what they like
            raise MissingPart(
                f"The tokenizer of '{self.folder.source.folder}' cannot be read: {first_line(error)}; "
                "copy its tokenizer files into the folder."
            ) from error

    @functools.cached_property
    def longest(self) -> int:
        config = self.folder.config
        places = int(getattr(config, "max_position_embeddings", 0) or 512)
        # RoBERTa models number positions from the padding index + 1.
        offset = (config.pad_token_id or 0) + 1 if "roberta" in str(config.model_type) else 0
        return min(places - offset, int(min(self.tokenizer.model_max_length, 10**6)), 1024)

    @property
    def _padding(self) -> int:
        return int(self.tokenizer.pad_token_id or 0)

    def _made(self, pairs: Sequence[tuple[str, str]]) -> Any:
        """Load the model in the chosen number type, or in fp32 if the chosen type gives different results.

        The results are compared on fixed test pairs and on a sample of the given pairs.
        """
        device = "cpu" if self.precision == "int8" else hf_load.choose_device(self.device)
        whole = _load(self.folder).to(device)
        chosen = SHORT[hf_load.choose_dtype("auto", device)] if self.precision == "auto" else self.precision
        if chosen == "fp32":
            self.used = "fp32"
            return whole
        sample = pairs[:: max(1, len(pairs) // SAMPLE)]
        rows = self.encoded([*PROBES, *sample])
        exact = _probabilities(whole, rows, self._padding, self.folder.order, self.tokens)
        fast = _faster(whole, chosen)
        near = _probabilities(fast, rows, self._padding, self.folder.order, self.tokens)
        apart = float(abs(exact - near).max())
        if bool((exact.argmax(1) == near.argmax(1)).all()) and apart <= APART:
            self.used = chosen
            return fast
        log.warning(
            "The model '%s' judges differently in %s (a probability moves by %.2f): it runs in fp32.",
            self.folder.source.folder,
            chosen,
            apart,
        )
        self.used = "fp32"
        return _load(self.folder).to(device)


@dataclass(frozen=True, slots=True)
class Row:
    ids: list[int]
    kinds: list[int] | None


def _load(folder: Folder) -> Any:
    import torch
    from transformers import AutoModelForSequenceClassification

    safe = folder.source.hub or any(Path(folder.source.folder).glob("*.safetensors"))
    try:
        with quiet():
            model = AutoModelForSequenceClassification.from_pretrained(
                folder.source.folder,
                revision=folder.commit or "main",
                dtype=torch.float32,
                use_safetensors=True if safe and not folder.source.hub else None,
            )
    except Exception as error:  # loaders raise what they like
        raise MissingPart(
            f"The weights of '{folder.source.folder}' cannot be read: {first_line(error)}; fetch them again."
        ) from error
    return model.eval()


def _faster(model: Any, chosen: str) -> Any:
    import torch

    if chosen != "int8":
        return model.to({"bf16": torch.bfloat16, "fp16": torch.float16}[chosen])
    import warnings

    try:
        from torch.ao.quantization import quantize_dynamic
    except ImportError as error:
        raise MissingPart("This torch has no int8 arithmetic: use `precision: bf16` or `fp32`.") from error
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return quantize_dynamic(model, {torch.nn.Linear}, dtype=torch.qint8)


def _none() -> np.ndarray[Any, Any]:
    import numpy as np

    return np.zeros((0, 3), dtype=np.float32)


def _probabilities(
    model: Any, rows: Sequence[Row], padding: int, order: tuple[int, int, int], tokens: int
) -> np.ndarray[Any, Any]:
    import numpy as np
    import torch

    from bots.encoders.tokens import batches

    result = np.zeros((len(rows), 3), dtype=np.float32)
    device = next(model.parameters()).device
    with torch.inference_mode():
        for batch in batches([len(row.ids) for row in rows], tokens):
            read = _tensors([rows[index] for index in batch], padding)
            logits = model(**{name: tensor.to(device) for name, tensor in read.items()}).logits
            result[batch] = logits.float().softmax(-1)[:, list(order)].cpu().numpy()
    return result


def _tensors(rows: Sequence[Row], padding: int) -> dict[str, torch.Tensor]:
    import torch

    length = max(len(row.ids) for row in rows)
    ids = torch.tensor([row.ids + [padding] * (length - len(row.ids)) for row in rows])
    mask = torch.tensor([[1] * len(row.ids) + [0] * (length - len(row.ids)) for row in rows])
    tensors = {"input_ids": ids, "attention_mask": mask}
    if rows[0].kinds is not None:
        tensors["token_type_ids"] = torch.tensor(
            [[*(row.kinds or ()), *([0] * (length - len(row.ids)))] for row in rows]
        )
    return tensors
