"""Identifies the process that plays a dialogue, and checks whether such a process is still alive."""

from __future__ import annotations

import os
import socket
import uuid
from pathlib import Path

LEASE_SECONDS = 120.0


def state_and_start(pid: int) -> tuple[str, str] | None:
    """Return a process's state letter and start time from /proc; None if they are not available."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        return fields[0], fields[19]
    except (OSError, IndexError):
        return None


def _started(pid: int) -> str | None:
    """Return when a process started, which tells a reused pid apart; None if it has ended or is a zombie."""
    known = state_and_start(pid)
    return None if known is None or known[0] in "ZX" else known[1]


def this_process(host: str | None = None) -> str:
    """Identify this process as `host|pid|start|unique`."""
    pid = os.getpid()
    return f"{host or socket.gethostname()[:40]}|{pid}|{_started(pid) or '-'}|{uuid.uuid4().hex[:8]}"


def is_dead(owner: str) -> bool:
    """Whether the process has certainly ended.

    A process on another host counts as alive until its lease expires.
    """
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
