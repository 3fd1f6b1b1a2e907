"""The processes of one session: whether its leader has ended, and how much memory all of them have."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PROCESSES = Path("/proc")
STEP = 0.05  # seconds between two looks at whether the leader has ended
OWN = ("RssAnon:", "RssShmem:", "VmSwap:")  # memory that is not merely a file's


def ended(leader: subprocess.Popen[bytes], seconds: float) -> bool:
    """Waits until the leader has ended, but not longer than this.

    It is not reaped where the system allows it, so that its number is not another process's.
    """
    if not hasattr(os, "waitid"):
        with suppress(subprocess.TimeoutExpired):
            leader.wait(seconds)
        return leader.returncode is not None
    until = time.monotonic() + seconds
    while True:
        try:
            if os.waitid(os.P_PID, leader.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None:
                return True
        except ChildProcessError:  # reaped elsewhere
            return True
        if time.monotonic() >= until:
            return False
        time.sleep(STEP)


def memory(leader: int, enough: int) -> int:
    """Returns the bytes that the leader's session has. Where the kernel does not tell, 0.

    Pages that several processes share are counted once, which takes longer and happens only above `enough`.
    """
    members = list(_members(leader))
    total = sum(_bytes(process / "status", OWN) for process in members)
    if total <= enough or len(members) < 2:
        return total
    return sum(
        _bytes(process / "smaps_rollup", ("Pss_Anon:", "Pss_Shmem:", "SwapPss:")) for process in members
    )


def _members(leader: int) -> Iterator[Path]:
    for process in PROCESSES.glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        if len(fields) > 3 and int(fields[3]) == leader:
            yield process


def _bytes(file: Path, names: tuple[str, ...]) -> int:
    try:
        lines = file.read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) << 10 for line in lines if line.startswith(names))
