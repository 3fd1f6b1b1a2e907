"""A second host on this machine: a network namespace with a name of its own, and a link that can be cut."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

HERE, THERE = "10.213.77.1", "10.213.77.2"  # of a net that nobody else should use


class Unavailable(Exception):
    """Why there can be no second host here."""


class SecondHost:
    """Reached at THERE, and reaches this host at HERE, while the link is up."""

    def __init__(self) -> None:
        number = os.getpid() % 100_000
        self.name, self._here, self._there = f"arena-{number}", f"ar{number}a", f"ar{number}b"

    def words(self, command: Sequence[str]) -> list[str]:
        """The command, run over there."""
        host = f'hostname {self.name}; exec "$0" "$@"'
        return ["ip", "netns", "exec", self.name, "unshare", "--uts", "sh", "-c", host, *command]

    def cut(self) -> None:
        _ip("link", "set", self._here, "down")

    def restore(self) -> None:
        _ip("link", "set", self._here, "up")

    def _build(self) -> None:
        _ip("netns", "add", self.name)
        _ip("link", "add", self._here, "type", "veth", "peer", "name", self._there, "netns", self.name)
        _ip("addr", "add", f"{HERE}/24", "dev", self._here)
        inside = ("-n", self.name)
        _ip(*inside, "addr", "add", f"{THERE}/24", "dev", self._there)
        for device in (self._there, "lo"):
            _ip(*inside, "link", "set", device, "up")
        self.restore()

    def _remove(self) -> None:
        with suppress(Unavailable):
            _ip("netns", "del", self.name)  # and the link with it


@contextmanager
def second_host() -> Iterator[SecondHost]:
    """Raises Unavailable where the system does not allow it."""
    if os.getuid() != 0:
        raise Unavailable("network namespaces need root")
    if shutil.which("ip") is None or shutil.which("unshare") is None:
        raise Unavailable("network namespaces need the commands ip and unshare")
    host = SecondHost()
    try:
        host._build()
        yield host
    finally:
        host._remove()


def _ip(*words: str) -> None:
    done = subprocess.run(["ip", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unavailable(f"'ip {' '.join(words)}' failed: {done.stderr.strip()}")
