"""Writes questions by an embedded language model with a small trained adapter.

`arena train questions` trains the adapter. No adapter is shipped: the setting `adapter` names its folder.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.core import extras
from arena.core.errors import InputError, MissingPart
from arena.core.types import Entity
from bots import hf_load
from bots.weights.catalogue import PREFIX
from inquirer.base import Part, Task
from inquirer.build import fingerprint
from inquirer.person import swap
from inquirer.questions.generated import Beams, checked, context

REVISION = "embedded-1"
DEFAULTS: Mapping[str, Any] = {"adapter": None, "model": "smollm2-135m", "n": 5, "batch": 8, "max_tokens": 32}


def prompt(sentence: str, answer: str) -> str:
    """Returns the prompt in the format of the adapter's training: sentence and answer in the second person."""
    return f"Sentence: {sentence}\nAnswer: {answer}\nQuestion:"


def base_model(name: str) -> tuple[Any, Any]:
    """Returns tokenizer and model, from a folder in the usual layout or by an embedded model's name."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = Path(name).expanduser()
    if not folder.is_dir():
        folder = hf_load.converted(hf_load.locate(f"{PREFIX}{name}"))
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer, model


class Adapted(Beams):
    """A base model with an adapter."""

    padding: Mapping[str, Any] = {"padding_side": "left"}

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self._folder = Path(str(settings["adapter"])).expanduser()
        weights = self._folder / "adapter_model.safetensors"
        if not weights.is_file():
            raise MissingPart(
                f"{self._folder} holds no adapter (adapter_model.safetensors): train one with "
                "'arena train questions', or use 'questions: rules'."
            )
        weights_hash = hashlib.sha256(weights.read_bytes()).hexdigest()[:12]
        chosen = fingerprint({k: v for k, v in settings.items() if k != "adapter"})
        extras.require("peft", "The question writer 'embedded' needs")
        super().__init__(settings, f"{REVISION}-{chosen}-{weights_hash}")

    def prompt(self, task: Task, entity: Entity) -> str:
        sentence, start, end = context(task, entity)
        return prompt(swap(sentence), swap(sentence[start:end]))

    def load(self) -> tuple[Any, Any]:
        from peft import PeftModel

        tokenizer, model = base_model(str(self.settings["model"]))
        self.searching = {"pad_token_id": tokenizer.pad_token_id}
        return tokenizer, PeftModel.from_pretrained(model, str(self._folder)).eval()


def _adapted(settings: Mapping[str, Any]) -> Adapted:
    """Creates the writer.

    `adapter` is the folder that the training command wrote; `model` is the adapter's base model.
    """
    full = checked(settings, DEFAULTS, "embedded")
    if not full["adapter"]:
        raise InputError(
            "The question writer 'embedded' needs 'adapter': a folder made by 'arena train questions'."
        )
    return Adapted(full)


create = Part(_adapted, "an adapter that 'arena train questions' wrote", ("peft",))
