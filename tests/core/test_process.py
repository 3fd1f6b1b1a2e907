"""Who holds a dialogue, and whether that one still lives."""

from __future__ import annotations

import os
import socket
import subprocess
import sys

import pytest

from arena.core import process as owner
from arena.core.process import is_dead, this_process

HERE = socket.gethostname()[:40]


def test_a_name_tells_host_process_and_start() -> None:
    host, pid, start, unique = this_process().split("|")
    assert (host, pid) == (HERE, str(os.getpid()))
    assert start == (owner._started(os.getpid()) or "-") and len(unique) == 8
    assert this_process("elsewhere").startswith("elsewhere|") and this_process() != this_process()


def test_the_start_is_the_kernels_even_behind_an_odd_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Field 22 of /proc/PID/stat; the name in brackets may hold brackets and blanks."""
    rest = " ".join(["S", *map(str, range(4, 53))])
    for name in ("(python)", "(a) b 1 (c)", "())"):
        monkeypatch.setattr(owner.Path, "read_text", lambda path, name=name: f"77 {name} {rest}")
        assert owner._started(77) == "22"
    for odd in ("", "77 (python) S 4 5", "77"):
        monkeypatch.setattr(owner.Path, "read_text", lambda path, odd=odd: odd)
        assert owner._started(77) is None


@pytest.mark.parametrize("length", [39, 40, 41, 90])
def test_hosts_whose_names_are_long_know_themselves(length: int, monkeypatch: pytest.MonkeyPatch) -> None:
    host = "".join(chr(97 + n % 26) for n in range(length))
    monkeypatch.setattr(owner.socket, "gethostname", lambda: host)
    assert this_process().split("|")[0] == host[:40] and len(this_process()) <= 80
    assert is_dead(f"{host[:40]}|{os.getpid()}|1|abcdefgh")
    assert not is_dead(this_process()) and not is_dead(f"{host[:38]}|{os.getpid()}|1|abcdefgh")


def test_whoever_lives_is_not_gone() -> None:
    assert not is_dead(this_process())


def test_a_process_that_ended_is_gone() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert is_dead(f"{HERE}|{ended.pid}|123|abcdefgh") and is_dead(f"{HERE}|{ended.pid}|-|abcdefgh")


@pytest.mark.skipif(owner._started(os.getpid()) is None, reason="needs /proc")
def test_a_pid_given_out_again_is_another_process() -> None:
    start = owner._started(os.getpid())
    assert start is not None and start.isdigit() and int(start) > 0
    assert is_dead(f"{HERE}|{os.getpid()}|{int(start) + 1}|abcdefgh")
    assert not is_dead(f"{HERE}|{os.getpid()}|{start}|abcdefgh")


def test_a_process_on_another_host_is_left_to_its_lease() -> None:
    assert not is_dead("elsewhere|1|1|abcdefgh")


@pytest.mark.parametrize("odd", ["", "nobody", "a|b|c", "a|b|c|d|e"])
def test_a_name_that_is_none_is_nobody(odd: str) -> None:
    assert is_dead(odd)


def test_without_proc_the_pid_alone_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    answers: dict[int, type[OSError] | None] = {1: PermissionError, 2: ProcessLookupError, 3: None}

    def kill(pid: int, number: int) -> None:
        assert number == 0, "looking must not kill"
        if (error := answers[pid]) is not None:
            raise error

    monkeypatch.setattr(owner.os, "kill", kill)
    monkeypatch.setattr(owner.Path, "is_dir", lambda _: False)
    assert [is_dead(f"{HERE}|{pid}|7|abcdefgh") for pid in (1, 2, 3)] == [False, True, False]
