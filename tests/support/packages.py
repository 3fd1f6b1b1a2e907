"""Installs a package of plug-ins for one test, without pip."""

from __future__ import annotations

import sys
import tomllib
from importlib import invalidate_caches
from pathlib import Path

import pytest

from arena.core import plugins


def write_metadata(folder: Path, into: Path | None = None) -> None:
    """What `pip install -e` does for the entry points of the project in `folder`."""
    project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
    info = (into or folder) / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n"
    )
    lines = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{name} = {value}" for name, value in points.items()))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


def install(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Into this process, until the test ends."""
    write_metadata(folder)
    # not syspath_prepend: it asks pkg_resources, which may be ParlAI's stand-in by now
    monkeypatch.setattr(sys, "path", [str(folder), *sys.path])
    invalidate_caches()
    plugins._found.cache_clear()
