"""Checks what works on this machine; each failed check names its fix."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from arena.core import extras, plugins, shadowing
from arena.core.errors import ArenaError
from arena.core.health import HealthCheck

REQUIRED = ("torch", "transformers", "stanza", "streamlit", "sqlalchemy")
PARLAI = "pip install --no-deps parlai==1.7.2"  # its own pins contradict those of the other libraries
OPTIONAL = {library: extras.command(library) for library in extras.EXTRAS} | {"parlai": PARLAI}


def examine(db: str | None) -> Iterator[HealthCheck]:
    """Runs all checks, each independent of the others."""
    good = sys.version_info >= (3, 11)
    yield HealthCheck("python", good, platform.python_version(), "use Python 3.11 or newer")
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


def _own_package(name: str) -> HealthCheck:
    sentence = shadowing.problem(name)
    cure = "install consistency-arena into an environment of its own"
    return HealthCheck(f"package {name}", sentence is None, sentence or "is the arena's own", cure)


def _library(name: str) -> HealthCheck:
    try:
        return HealthCheck(name, True, version(name), needed=name not in OPTIONAL)
    except PackageNotFoundError:
        cure = OPTIONAL.get(name, f"pip install {name}")
        return HealthCheck(name, False, "not installed", cure, needed=name not in OPTIONAL)


def _weights() -> Iterator[HealthCheck]:
    """Verifies every byte of the fetched files and names damaged ones."""
    from bots import weights

    for entry in weights.entries().values():
        facts = f"{entry.megabytes} MB, {entry.licence}, sha256 {entry.main.sha256[:12]}…"
        state = weights.state(entry, verify=True)
        words = {"here": "here", "damaged": "damaged", "absent": "not here"}[state]
        yield HealthCheck(
            f"weights {entry.name}",
            state == "here" or (state == "absent" and not entry.needed),
            f"{words} ({facts})",
            f"arena models fetch {entry.name}",
            needed=entry.needed or state == "damaged",
        )


def _disk() -> HealthCheck:
    free = shutil.disk_usage(".").free / 2**30
    return HealthCheck("disk", free > 1, f"{free:.1f} GiB free here", "free some space")


def _plugin(group: str, name: str) -> HealthCheck:
    label = f"{plugins.NOUNS[group]} {name}"
    try:
        part: Any = plugins.load(group, name)
        ok, detail = plugins.works(part) if hasattr(part, "available") else (True, "loads")
    except ArenaError as error:
        return HealthCheck(label, False, str(error), "see the sentence before", needed=False)
    return HealthCheck(label, ok, detail if ok else "not available", "" if ok else detail, needed=False)


def _database(db: str | None) -> HealthCheck:
    from db import connect
    from db.session import parse

    try:
        url = parse(db)
        if url.get_backend_name() == "sqlite" and not _exists(str(url.database)):
            return HealthCheck("database", True, f"{url.database} will be made by the first run")
        connect(db, create=False, read_only=True).dispose()
    except ArenaError as error:
        return HealthCheck("database", False, str(error), "see the sentence before")
    return HealthCheck("database", True, url.render_as_string(hide_password=True))


def _exists(path: str) -> bool:
    from pathlib import Path

    return Path(path).is_file()
