"""`make install` asks for the CPU build of torch first, and takes the other where that is not to be had."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CPU, ANY = "requirements-torch-cpu.txt", "requirements-torch.txt"
FILES = ("Makefile", "pyproject.toml", "requirements.lock", CPU, ANY, "requirements-nodeps.txt")
PIP = """#!/bin/sh
echo "pip $*" >> "{log}"
case "$*" in {refused}) echo "no such thing" >&2; exit 1;; esac
"""
PYTHON = """#!/bin/sh
echo "python $*" >> "{log}"
exit {status}
"""


def install(folder: Path, *, refused: str = "nothing", imports: bool = True) -> tuple[int, list[str], str]:
    """Runs the recipe with a pip that writes down what it is asked for: exit code, its calls, what was said."""
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    log, programs = folder / "log", folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name, script in (("pip", PIP), ("python", PYTHON)):
        text = script.format(log=log, refused=refused, status=0 if imports else 1)
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)
    done = subprocess.run(["make", "install"], cwd=folder, capture_output=True, text=True, check=False)
    calls = [line for line in log.read_text().splitlines() if line.startswith("pip")]
    return done.returncode, calls, done.stdout + done.stderr


def asked(calls: list[str]) -> list[str]:
    """What each call of pip was for."""
    return [re.sub(r".* ", "", call) for call in calls]


REST = ["requirements.lock", "requirements-nodeps.txt", "."]


def test_the_cpu_build_is_taken_where_it_is_to_be_had(tmp_path: Path) -> None:
    code, calls, output = install(tmp_path)
    assert code == 0 and asked(calls) == [CPU, *REST]
    assert all("--require-hashes" in call for call in calls if " -r " in call)
    assert (tmp_path / ".venv" / ".installed").exists() and "CUDA build" not in output


def test_without_it_the_other_build_is_taken(tmp_path: Path) -> None:
    code, calls, output = install(tmp_path, refused=f'*"{CPU}"*')
    assert code == 0 and asked(calls) == [CPU, ANY, *REST]
    assert "no such thing" not in output  # the first attempt is no failure
    assert all("--require-hashes" in call for call in calls if " -r " in call)


def test_a_build_that_needs_nvidias_libraries_gets_them_and_it_is_said(tmp_path: Path) -> None:
    code, calls, output = install(tmp_path, refused=f'*"{CPU}"*', imports=False)
    pinned = re.search(r"^torch==\S+", (ROOT / ANY).read_text(), re.M)
    assert pinned and code == 0 and asked(calls) == [CPU, ANY, *REST, pinned[0]]
    assert "NVIDIA's libraries come without hashes" in output


def test_neither_build_is_a_failure_that_is_told(tmp_path: Path) -> None:
    code, calls, output = install(tmp_path, refused='*"requirements-torch"*')
    assert code != 0 and asked(calls) == [CPU, ANY] and "no such thing" in output
    assert not (tmp_path / ".venv" / ".installed").exists()


def test_what_is_installed_is_not_installed_again(tmp_path: Path) -> None:
    install(tmp_path)
    before = (tmp_path / "log").read_text()
    assert subprocess.run(["make", "install"], cwd=tmp_path, check=False).returncode == 0
    assert (tmp_path / "log").read_text() == before


@pytest.mark.parametrize("file", [CPU, ANY])
def test_both_files_pin_the_same_version(file: str) -> None:
    pins = {re.match(r"torch==([0-9.]+)", line) for line in (ROOT / file).read_text().splitlines()} - {None}
    assert {pin[1] for pin in pins if pin} == {"2.13.0"}
