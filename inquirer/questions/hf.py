"""Writes questions by a sequence-to-sequence checkpoint."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arena.core.errors import InputError, MissingPart
from arena.core.types import Entity
from inquirer.base import Part, Task, complete, hash_of_files
from inquirer.build import fingerprint
from inquirer.questions.generated import Beams, context

REVISION = "hf-1"
FORMATS = ("highlight", "answer-context", "text2text")
DEFAULTS: Mapping[str, Any] = {
    "model": None, "format": "highlight", "prefix": None, "n": 5, "batch": 16, "max_tokens": 40,
    "highlight": "<hl>",
    "revision": None,
}  # fmt: skip


def marked(text: str, start: int, end: int, form: str, highlight: str, prefix: str | None) -> str:
    """Returns the model's input with the answer marked as the checkpoint expects."""
    answer = text[start:end]
    if form == "highlight":
        body = f"{text[:start]}{highlight} {answer} {highlight}{text[end:]}"
        return f"{'generate question: ' if prefix is None else prefix}{body}"
    if form == "answer-context":
        return f"{prefix or ''}answer: {answer} context: {text}"
    return f"{prefix or ''}{text} [SEP] {answer}"


class Generator(Beams):
    """An encoder-decoder model from a folder or the hub."""

    padding: Mapping[str, Any] = {"truncation": True, "max_length": 512}

    def __init__(self, settings: Mapping[str, Any]) -> None:
        folder = Path(str(settings["model"])).expanduser()
        # weights from the hub are pinned by their revision
        weights = hash_of_files(folder, "*") if folder.is_dir() else "hub"
        super().__init__(settings, f"{REVISION}-{fingerprint(settings)}-{weights}")
        self.searching = {"early_stopping": settings["n"] > 1}

    def prompt(self, task: Task, entity: Entity) -> str:
        form = self.settings
        return marked(*context(task, entity), form["format"], form["highlight"], form["prefix"])

    def load(self) -> tuple[Any, Any]:
        from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

        name, revision = self.settings["model"], self.settings["revision"]
        try:
            tokenizer = AutoTokenizer.from_pretrained(name, revision=revision)
            model = AutoModelForSeq2SeqLM.from_pretrained(name, revision=revision)
        except Exception as error:  # loaders may raise any error
            raise MissingPart(
                f"The question model '{name}' does not load ({' '.join(str(error).split())[:120]}): "
                "give the folder of a sequence-to-sequence checkpoint, or a name that the model hub knows."
            ) from error
        return tokenizer, model.eval()


def _generator(settings: Mapping[str, Any]) -> Generator:
    """Creates the writer.

    `model` is a folder or hub name, `format` says how the answer is marked, and `n` is the number of questions per
    entity.
    """
    full = complete("question writer 'hf'", settings, DEFAULTS)
    if not full["model"]:
        raise InputError(
            "The question writer 'hf' needs 'model': the folder or hub name of a sequence-to-sequence "
            "checkpoint."
        )
    if full["format"] not in FORMATS:
        raise InputError(
            f"The format of the question writer 'hf' must be one of {', '.join(FORMATS)}, not {full['format']!r}."
        )
    return Generator(full)


create = Part(_generator, "a sequence-to-sequence checkpoint", ("transformers",))
