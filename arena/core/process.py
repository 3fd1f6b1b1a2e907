"""Who plays a dialogue: a name for this process, and a look whether another one still lives."""

from __future__ import annotations

import os
import socket
import uuid
from pathlib import Path

LEASE_SECONDS = 120.0


def state_and_start(pid: int) -> tuple[str, str] | None:
    """A process's state letter, and when it started; None where the system does not say, or there is none."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return fields[0], fields[19]
    except (OSError, IndexError):
        return None


def _started(pid: int) -> str | None:
    """When a process started, so that a pid given out again is not mistaken for the old one."""
    known = state_and_start(pid)
    return None if known is None else known[1]


def this_process(host: str | None = None) -> str:
    """host|pid|start|unique"""
    pid = os.getpid()
    return f"{host or socket.gethostname()[:40]}|{pid}|{_started(pid) or '-'}|{uuid.uuid4().hex[:8]}"


def is_dead(owner: str) -> bool:
    """Whether it certainly lives no more; a process on another host has its lease to show for it."""
    try:
        host, pid, start, _ = owner.split("|")
    except ValueError:
        return True
    if host != socket.gethostname()[:40]:
        return False
    if start != "-" and Path("/proc").is_dir():
        return _started(int(pid)) != start
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False
