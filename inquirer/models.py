"""Chooses the Stanza models: the full models if they were fetched, else the small models that are shipped."""

from __future__ import annotations

from pathlib import Path

from arena.core import extras
from arena.core.errors import MissingPart
from bots.weights.store import cache_folder

SHIPPED = Path(__file__).parent / "weights" / "stanza"
NAME = "stanza-en"
PROCESSORS = "tokenize,ner"
NEEDED = ("tokenize", "ner")
NEEDING = "Stanza's models need"


def full() -> Path:
    """Returns the folder of the full models."""
    return cache_folder() / "stanza"


def complete(folder: Path) -> bool:
    """Whether the folder has all files that Stanza needs."""
    return (folder / "resources.json").is_file() and all(
        any((folder / "en" / part).glob("*.pt")) for part in NEEDED
    )


def facts() -> dict[str, str | bool | None]:
    """Returns the full models as a row of `arena models list`."""
    return {
        "name": NAME,
        "about": "Stanza's full English models for the inquirer; without them small ones that are shipped do",
        "licence": "Apache-2.0",
        "terms": "https://stanfordnlp.github.io/stanza/",
        "megabytes": None,  # unknown: the hub decides
        "present": complete(full()),
    }


def folder() -> Path:
    """Returns the folder of the models in use."""
    if complete(full()):
        return full()
    if complete(SHIPPED):
        return SHIPPED
    raise MissingPart(
        "No Stanza models are on this machine: run 'arena models fetch stanza-en', or use 'entities: rules'."
    )


def fetch() -> Path:
    """Downloads Stanza's own English models and returns their folder."""
    stanza, target = extras.need("stanza", NEEDING), full()
    target.mkdir(parents=True, exist_ok=True)
    try:
        stanza.download("en", model_dir=str(target), processors=PROCESSORS, verbose=False)
    except Exception as error:  # errors of requests, the hub and archives
        what = " ".join(str(error).split()) or type(error).__name__
        raise MissingPart(
            f"Stanza's English models could not be fetched ({what[:120]}): "
            f"check the network, or copy them to {target}."
        ) from error
    if not complete(target):
        raise MissingPart(f"The models in {target} are incomplete: delete the folder and fetch them again.")
    return target
