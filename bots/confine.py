"""Confines this process before it loads an untrusted model.

No restriction can be undone. A bot's own process imports this module before everything else, so the module only
uses the standard library.
"""

from __future__ import annotations

import ctypes
import os
import resource
import sys
from pathlib import Path
from typing import Any

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
NO_NEW_PRIVILEGES = 38  # of prctl
NETWORK = ("socket.connect", "socket.bind", "socket.sendto", "socket.sendmsg", "socket.getaddrinfo")
PROGRAMS = (
    "os.exec",
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "os.system",
    "pty.spawn",
    "subprocess.Popen",
)

refused: list[str] = []  # running code from a pickle, which no harmless model attempts


class Refused(PermissionError):
    """The process attempted something that it may not do."""


def close_network() -> str | None:
    """Disconnects this process from every network, including localhost.

    Returns a sentence if the kernel does not allow it. Python's sockets are closed in any case. Call this function
    before any thread starts.
    """
    _refuse(NETWORK, "it wanted to use the network")
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    user, group = os.getuid(), os.getgid()
    if not hasattr(libc, "unshare"):
        return "this system cannot take the network away from one program"
    if libc.unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0:
        _keep_identity(user, group)
        return None
    if libc.unshare(CLONE_NEWNET) == 0:  # as root without user namespaces
        return None
    return f"the kernel does not let a program give up its network ({os.strerror(ctypes.get_errno())})"


def _keep_identity(user: int, group: int) -> None:
    for name, content in (
        ("uid_map", f"{user} {user} 1"),
        ("setgroups", "deny"),
        ("gid_map", f"{group} {group} 1"),
    ):
        try:
            Path(f"/proc/self/{name}").write_text(content)
        except OSError:
            return  # the kernel's own user is unchanged, so files stay readable


def parents_keys() -> str | None:
    """Returns a sentence if the kernel lets this process read its parent's environment variables."""
    try:
        Path(f"/proc/{os.getppid()}/environ").read_bytes()
    except OSError:
        return None
    return "it can read the environment variables of the arena's own process, with the keys in them"


def limit_memory(limit: int) -> str | None:
    """Limits the process's memory to this many bytes. Returns a sentence if the system does not enforce the limit."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if not sys.platform.startswith("linux"):
        return "this system does not limit a program's memory"
    try:
        resource.setrlimit(resource.RLIMIT_DATA, (limit, limit))
    except (OSError, ValueError) as error:
        return f"the system does not limit a program's memory ({error})"
    return None


def physical_memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def forbid_pickles() -> None:
    """Prevents pickles from running code: unpickling cannot look up any class or function.

    torch's weights-only reader has its own unpickler, which only knows tensors.
    """
    _refuse(("pickle.find_class",), "it holds a pickle that wants to run code")


def forbid_programs() -> None:
    _refuse(PROGRAMS, "it wanted to start a program")


def _refuse(events: tuple[str, ...], what: str) -> None:
    watched = frozenset(events)

    def hook(event: str, args: tuple[Any, ...]) -> None:  # noqa: ARG001
        if event in watched:
            if event == "pickle.find_class" and what not in refused:
                refused.append(what)
            raise Refused(what)

    sys.addaudithook(hook)
