"""Checks what works on this machine; each check that fails names its fix."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from arena.core import extras, plugins, shadowing
from arena.core.errors import ArenaError

REQUIRED = ("torch", "transformers", "stanza", "streamlit", "sqlalchemy")
PARLAI = "pip install --no-deps parlai==1.7.2"  # its own pins contradict those of the other libraries
OPTIONAL = {library: extras.command(library) for library in extras.EXTRAS} | {"parlai": PARLAI}


@dataclass(frozen=True, slots=True)
class Check:
    """`needed` is false for what only some users want."""

    name: str
    ok: bool
    detail: str
    cure: str = ""
    needed: bool = True


def examine(db: str | None) -> Iterator[Check]:
    """One check after the other, each independent of the rest."""
    good = sys.version_info >= (3, 11)
    yield Check("python", good, platform.python_version(), "use Python 3.11 or newer")
    for name in (*REQUIRED, *OPTIONAL):
        yield _library(name)
    for name in shadowing.PACKAGES:
        yield _own_package(name)
    yield _disk()
    yield from _weights()
    for group in plugins.NOUNS:
        for name in plugins.names(group):
            yield _plugin(group, name)
    yield _database(db)


def _own_package(name: str) -> Check:
    sentence = shadowing.problem(name)
    cure = "install consistency-arena into an environment of its own"
    return Check(f"package {name}", sentence is None, sentence or "is the arena's own", cure)


def _library(name: str) -> Check:
    try:
        return Check(name, True, version(name), needed=name not in OPTIONAL)
    except PackageNotFoundError:
        cure = OPTIONAL.get(name, f"pip install {name}")
        return Check(name, False, "not installed", cure, needed=name not in OPTIONAL)


def _weights() -> Iterator[Check]:
    """Every byte of what was fetched is read: a damaged file is told by its name."""
    from bots import weights

    for entry in weights.entries().values():
        facts = f"{entry.megabytes} MB, {entry.licence}, sha256 {entry.main.sha256[:12]}…"
        state = weights.state(entry, verify=True)
        words = {"here": "here", "damaged": "damaged", "absent": "not here"}[state]
        yield Check(
            f"weights {entry.name}",
            state == "here" or (state == "absent" and not entry.needed),
            f"{words} ({facts})",
            f"arena models fetch {entry.name}",
            needed=entry.needed or state == "damaged",
        )


def _disk() -> Check:
    free = shutil.disk_usage(".").free / 2**30
    return Check("disk", free > 1, f"{free:.1f} GiB free here", "free some space")


def _plugin(group: str, name: str) -> Check:
    label = f"{plugins.NOUNS[group]} {name}"
    try:
        found: Any = plugins.load(group, name)
        available = getattr(found, "available", None)
        ok, detail = available() if callable(available) else (True, "loads")
    except ArenaError as error:
        return Check(label, False, str(error), "see the sentence before", needed=False)
    return Check(label, ok, detail if ok else "not available", "" if ok else detail, needed=False)


def _database(db: str | None) -> Check:
    from db import connect
    from db.session import parse

    try:
        url = parse(db)
        if url.get_backend_name() == "sqlite" and not _exists(str(url.database)):
            return Check("database", True, f"{url.database} will be made by the first run")
        connect(db, create=False, read_only=True).dispose()
    except ArenaError as error:
        return Check("database", False, str(error), "see the sentence before")
    return Check("database", True, url.render_as_string(hide_password=True))


def _exists(path: str) -> bool:
    from pathlib import Path

    return Path(path).is_file()
