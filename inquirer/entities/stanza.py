"""Extracts entities with Stanza: named entities, and the grammar's entities."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arena.core import extras
from arena.core.errors import InputError, MissingPart
from arena.core.types import Entity
from inquirer import models
from inquirer.base import Part, complete, hash_of_files
from inquirer.entities import rules
from inquirer.entities.rules import merged, safe
from inquirer.threads import one_thread

REVISION = "stanza-2"
BATCH = 128


class Stanza:
    """A Stanza pipeline for tokens and named entities, loaded at the first use."""

    def __init__(self, folder: Path, batch: int = BATCH) -> None:
        self.folder = folder
        self.batch = batch
        self.revision = f"{REVISION}-{rules.REVISION}-{hash_of_files(folder, 'en/**/*.pt')}"
        self._pipeline: Any = None
        self._lock = threading.Lock()  # Stanza's pipelines are not thread-safe

    async def extract(self, utterances: Sequence[str]) -> list[list[Entity]]:
        return await asyncio.to_thread(self._extract, list(utterances))

    def _extract(self, utterances: list[str]) -> list[list[Entity]]:
        names = self._named([safe(text) for text in utterances])
        return [merged(text, spans) for text, spans in zip(utterances, names, strict=True)]

    def _named(self, texts: list[str]) -> list[list[tuple[int, int, str]]]:
        result: list[list[tuple[int, int, str]]] = [[] for _ in texts]
        spoken = [i for i, text in enumerate(texts) if any(c.isalnum() for c in text)]
        with self._lock:
            pipeline = self._loaded()
            from stanza.models.common.doc import Document

            spoken.sort(key=lambda i: len(texts[i]))
            with one_thread():
                for first in range(0, len(spoken), self.batch):
                    part = spoken[first : first + self.batch]
                    documents = pipeline.bulk_process([Document([], text=texts[i]) for i in part])
                    for i, document in zip(part, documents, strict=True):
                        result[i] = _spans(document)
        return result

    def _loaded(self) -> Any:
        if self._pipeline is None:
            stanza = extras.need("stanza", models.NEEDING)
            try:
                self._pipeline = stanza.Pipeline(
                    "en", dir=str(self.folder), download_method=None, processors=models.PROCESSORS,
                    logging_level="ERROR", verbose=False, use_gpu=None,
                    tokenize_batch_size=128, ner_batch_size=128,
                )  # fmt: skip
            except Exception as error:  # damaged or foreign files may raise any error
                raise MissingPart(
                    f"The Stanza models in {self.folder} do not load ({type(error).__name__}): "
                    "delete the folder and run 'arena models fetch stanza-en', or use 'entities: rules'."
                ) from error
            _skip_loss(self._pipeline)
        return self._pipeline


def _skip_loss(pipeline: Any) -> None:
    """Skips the slow part of the loss, which Stanza computes with each prediction and only its training needs."""
    for trainer in pipeline.processors["ner"].trainers:
        for loss in getattr(trainer.model, "crits", ()):
            loss.crf_log_norm = lambda scores, *_: scores.new_zeros(len(scores))


def _spans(document: Any) -> list[tuple[int, int, str]]:
    return [(entity.start_char, entity.end_char, entity.type) for entity in document.ents]


def _stanza(settings: Mapping[str, Any]) -> Stanza:
    """Creates the extractor. `folder` names other Stanza models; `batch` is how many utterances go in at once."""
    full = complete("entity extractor 'stanza'", settings, {"folder": None, "batch": BATCH})
    if full["folder"] is None:
        return Stanza(models.folder(), full["batch"])
    path = Path(str(full["folder"])).expanduser()
    if not models.complete(path):
        raise InputError(f"{path} holds no Stanza models: it needs resources.json and en/tokenize, en/ner.")
    return Stanza(path, full["batch"])


create = Part(_stanza, "Stanza's named entities and the grammar", ("stanza", "torch"))
