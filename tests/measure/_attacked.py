"""The commands of one revision, as somebody who attacks them uses them."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
SECONDS = 25  # of processor time, after which a command hangs
PATIENCE = 600.0  # seconds by the clock, on a machine that does other things too
KEY = "sk-canary/5f2e9b71aa"
PLAIN = "bots: [{name: steady, adapter: scripted}]\njudges: [truth]\ninquirer: false\nturns: 2\ndialogues_per_pair: 2\n"
PAID = """
release: r1
turns: 4
dialogues_per_pair: {dialogues}
bots:
  - {{name: paid, adapter: openai, model: m, base_url: "{url}", price_out: 2.0, backoff: 0, retries: 0, {more}
     decoding: {{max_tokens: 1000}}, max_concurrency: 200}}
  - {{name: steady, adapter: scripted}}
pairs: [[steady, paid]]
inquirer: {{entities: rules, questions: rules}}
judges: [lexical]
budget: {budget}
limits: {{retries: 0}}
"""


HANGS = (-signal.SIGXCPU, -signal.SIGKILL)


class Attacked:
    """The commands of one revision, in a folder of their own."""

    def __init__(self, revision: Path, folder: Path) -> None:
        self.revision, self.folder = revision, folder

    def run(
        self, *words: str, memory: int | None = None, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        """What became of a command; one that hangs is killed."""
        return self._call(["-m", "arena", *words], memory, environment)

    def script(self, text: str, *words: str) -> subprocess.CompletedProcess[str]:
        """What became of a program that imports this revision."""
        return self._call(["-c", text, *words], None, {})

    def start(self, *words: str, **environment: str) -> subprocess.Popen[str]:
        """A command that somebody else ends."""
        return subprocess.Popen(
            [sys.executable, "-m", "arena", *words], cwd=self.folder, env=self._surroundings(environment),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip

    def _surroundings(self, more: Mapping[str, str]) -> dict[str, str]:
        own = {"PYTHONPATH": str(self.revision), "MY_KEY": KEY, "COLUMNS": "200"}
        own["ARENA_CACHE"] = str(self.folder / "cache")
        return {**os.environ, **own, **more}

    def _call(
        self, words: Sequence[str], memory: int | None, environment: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        def limit() -> None:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            if memory is not None:
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

        try:
            return subprocess.run(
                [sys.executable, *words], cwd=self.folder, env=self._surroundings(environment),
                capture_output=True, text=True, errors="replace", timeout=PATIENCE, preexec_fn=limit,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, HANGS[0], "", "")

    def write(self, name: str, text: str) -> str:
        (self.folder / name).write_text(text, encoding="utf-8", newline="")
        return name

    def play(self, text: str, *words: str, **more: int) -> subprocess.CompletedProcess[str]:
        return self.run("run", self.write("t.yaml", text), "--db", "sqlite:///arena.db", *words, **more)

    def all_bytes(self) -> bytes:
        return b"".join(
            path.read_bytes() for path in self.folder.iterdir() if path.is_file() and path.name != "t.yaml"
        )
