"""The processes of actors on clusters that this process starts; no other cluster's.

Import this before a cluster starts: its processes are known by their environment.
"""

from __future__ import annotations

import os
import uuid
from pathlib import Path

MARK = "ARENA_ACTORS"
os.environ[MARK] = uuid.uuid4().hex


def actors(kind: str) -> list[int]:
    processes = [entry for entry in Path("/proc").iterdir() if entry.name.isdecimal() and _is(entry, kind)]
    return sorted(int(entry.name) for entry in processes)


def _is(process: Path, kind: str) -> bool:
    try:
        if not (process / "cmdline").read_bytes().startswith(f"ray::{kind}".encode()):
            return False
        return f"{MARK}={os.environ[MARK]}".encode() in (process / "environ").read_bytes()
    except OSError:
        return False
