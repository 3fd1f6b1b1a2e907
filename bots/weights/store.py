"""Finds weights on this machine and verifies them against the catalogue."""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Literal

from arena.core.errors import MissingPart
from bots.weights.catalogue import Entry, File, find
from bots.weights.manifest import hash_of

State = Literal["here", "damaged", "absent"]


def cache_folder() -> Path:
    """Returns the folder of converted and fetched models: ARENA_CACHE, or the user's cache folder."""
    chosen = os.environ.get("ARENA_CACHE")
    if chosen:
        return Path(chosen).expanduser()
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base).expanduser() if base else Path.home() / ".cache") / "consistency-arena"


@contextmanager
def writing(place: Path) -> Iterator[None]:
    """Creates the folder. If that fails, raises an error of one sentence."""
    try:
        place.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        raise MissingPart(
            f"Models cannot be stored in {place} ({error.strerror or error}): make room there, "
            "or set ARENA_CACHE to a folder that can be written."
        ) from error


def folder(entry: Entry) -> Path:
    """Returns the folder for the entry's fetched files."""
    return cache_folder() / "models" / entry.name


def located(entry: Entry, file: File) -> Path | None:
    """Finds the file, either fetched or in an installed package. Only the path and the size are checked."""
    earlier = f"{file.sha256[:16]}.gguf"  # the file's name in earlier versions
    candidates = [folder(entry) / file.name, folder(entry) / earlier]
    packaged = installed(entry)
    if packaged is not None:
        candidates.append(packaged / file.name)
    return next((path for path in candidates if _size(path) == file.bytes), None)


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def installed(entry: Entry) -> Path | None:
    """Returns the folder of the files in an installed package. The package is not imported."""
    if len(entry.wheels) != 1:
        return None
    wheel = entry.wheels[0]
    inside = entry.archive or str(Path(wheel.member).parent)
    return _in_package(wheel.name, wheel.version, f"{inside}/{entry.main.name}")


@lru_cache
def _in_package(name: str, version: str, member: str) -> Path | None:
    try:
        package = importlib.metadata.distribution(name)
    except importlib.metadata.PackageNotFoundError:
        return None
    return Path(str(package.locate_file(member))).parent if package.version == version else None


def state(entry: Entry, *, verify: bool = False) -> State:
    """Returns whether the files are present. With `verify`, also checks every byte."""
    paths = [(file, located(entry, file)) for file in entry.files]
    if any(path is None for _, path in paths):
        return "absent"
    if verify and any(path is not None and hash_of(path) != file.sha256 for file, path in paths):
        return "damaged"
    return "here"


def verified(entry: Entry, file: File) -> Path:
    """Returns the verified file, or raises MissingPart with the remedy."""
    path = located(entry, file)
    if path is None:
        raise MissingPart(
            f"The model '{entry.name}' is not on this machine: fetch it with `arena models fetch {entry.name}`."
        )
    if hash_of(path) != file.sha256:
        raise MissingPart(
            f"The file '{path.name}' of the model '{entry.name}' is damaged (its hash is wrong): "
            f"fetch it again with `arena models fetch {entry.name}`."
        )
    return path


def need(name: str) -> Path:
    """Returns the verified file of a model that has a single file, else the folder of its verified files."""
    entry = find(name)
    paths = [verified(entry, file) for file in entry.files]
    if len(paths) == 1:
        return paths[0]
    if len({path.parent for path in paths}) > 1:
        raise MissingPart(
            f"The model '{name}' is only partly in an installed package: fetch it with `arena models fetch {name}`."
        )
    return paths[0].parent
