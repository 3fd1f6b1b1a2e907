"""Writes questions by an embedded language model with a small trained adapter.

`arena train questions` trains an adapter that reads whole messages; one is shipped. Earlier versions trained adapters
that read a sentence and its answer; the setting `adapter` may name the folder of either kind.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.core.errors import MissingPart
from arena.core.types import Entity
from inquirer.base import Part, Task, complete
from inquirer.build import fingerprint
from inquirer.person import swap
from inquirer.questions.adapter import WEIGHTS, adapted, source
from inquirer.questions.generated import Beams, context
from inquirer.questions.message_writer import MessageWriter, weights_hash

REVISION = "embedded-1"
FORMAT = "arena.json"  # beside an adapter that reads whole messages
SHIPPED = Path(__file__).parents[1] / "weights" / "writer"
DEFAULTS: Mapping[str, Any] = {
    "adapter": None, "model": "qwen2.5-coder-0.5b", "n": 2, "batch": 8, "max_tokens": 64, "gaps_only": False,
}  # fmt: skip
OF_SENTENCES: Mapping[str, Any] = {
    "adapter": None, "model": "smollm2-135m", "n": 5, "batch": 8, "max_tokens": 32,
}  # fmt: skip


def prompt(sentence: str, answer: str) -> str:
    """Returns the prompt in the format of the adapter's training: sentence and answer in the second person."""
    return f"Sentence: {sentence}\nAnswer: {answer}\nQuestion:"


class Adapted(Beams):
    """A base model with an adapter that reads a sentence and its answer."""

    padding: Mapping[str, Any] = {"padding_side": "left"}

    def __init__(self, settings: Mapping[str, Any], folder: Path, revision: str) -> None:
        self._folder = folder
        super().__init__(settings, f"{REVISION}-{revision}")

    def prompt(self, task: Task, entity: Entity) -> str:
        sentence, start, end = context(task, entity)
        return prompt(swap(sentence), swap(sentence[start:end]))

    def load(self) -> tuple[Any, Any]:
        tokenizer, model = adapted(str(self.settings["model"]), self._folder)
        self.searching = {"pad_token_id": tokenizer.pad_token_id}
        return tokenizer, model


def _adapted(settings: Mapping[str, Any]) -> Adapted | MessageWriter:
    """Creates the writer.

    `adapter` is the folder that the training command wrote, and `model` is the adapter's base model. Without
    `adapter`, the shipped one writes.
    """
    folder = Path(str(settings.get("adapter") or SHIPPED)).expanduser()
    weights = folder / WEIGHTS
    if not weights.is_file():
        raise MissingPart(
            f"{folder} holds no adapter ({WEIGHTS}): train one with "
            "'arena train questions', or use 'questions: rules'."
        )
    reads_messages = (folder / FORMAT).is_file()
    defaults = DEFAULTS if reads_messages else OF_SENTENCES
    full = complete("question writer 'embedded'", settings, defaults)
    chosen = fingerprint({k: v for k, v in full.items() if k != "adapter"})
    if reads_messages:
        return MessageWriter(full, folder, f"{chosen}-{weights_hash(folder)}")
    return Adapted(full, folder, f"{chosen}-{hashlib.sha256(weights.read_bytes()).hexdigest()[:12]}")


create = Part(
    _adapted,
    "an adapter on an embedded language model, which reads whole messages",
    needs=lambda writer: source(str(writer.settings["model"])),
)
