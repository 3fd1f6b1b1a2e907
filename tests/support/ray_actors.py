"""The processes of actors on a cluster that this process started; no other cluster's."""

from __future__ import annotations

import os
from pathlib import Path


def actors(kind: str) -> list[int]:
    processes = [entry for entry in Path("/proc").iterdir() if entry.name.isdecimal() and _is(entry, kind)]
    return sorted(int(entry.name) for entry in processes if os.getpid() in _above(entry))


def _is(process: Path, kind: str) -> bool:
    try:
        return (process / "cmdline").read_bytes().startswith(f"ray::{kind}".encode())
    except OSError:
        return False


def _above(process: Path) -> list[int]:
    """The processes that it descends from."""
    above: list[int] = []
    while process.name != "0":
        try:
            parent = (process / "stat").read_text().rsplit(")", 1)[1].split()[1]
        except OSError:
            break
        above.append(int(parent))
        process = process.parent / parent
    return above
