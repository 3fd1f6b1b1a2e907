"""Measures the cost of orchestrator and database, with bots that answer at once."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.config.resolve import parse
from arena.play.options import Options
from arena.play.progress import State
from arena.play.runner import run

FILE = """
release: bench
turns: 15
dialogues_per_pair: {each}
bots:
  - {{name: steady, adapter: scripted}}
  - {{name: moody, adapter: scripted, fickleness: 0.3, sheet_seed: 1}}
inquirer: {{entities: rules, questions: rules}}
judges: [truth]
"""


@dataclass
class Watch:
    """Records this process's memory when given numbers of dialogues are reached."""

    marks: list[int]
    rss: dict[int, float] = field(default_factory=dict)

    def update(self, state: State) -> None:
        while self.marks and state.over >= self.marks[0]:
            self.rss[self.marks.pop(0)] = rss_mb()

    def note(self, sentence: str) -> None:
        """Ignore the note."""


def rss_mb() -> float:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def measure(dialogues: int = 10_000) -> dict[str, Any]:
    """Measure the replies per second stored in SQLite, and the memory after a tenth of the dialogues and at the end."""
    from db import Repository, connect

    with tempfile.TemporaryDirectory() as folder:
        store = Repository(connect(f"sqlite:///{folder}/bench.db"))
        tournament = parse(FILE.format(each=dialogues // 4))
        watch = Watch([dialogues // 10, dialogues])
        begun = time.perf_counter()
        tally = run(store, tournament, Options(judge=False), watcher=watch)
        played = time.perf_counter() - begun
        size = Path(folder, "bench.db").stat().st_size / 2**20
        store.close()
    return {
        "dialogues": dialogues,
        "replies": tally.replies,
        "replies_per_second": round(tally.replies / played, 1),
        "rss_mb_at_1000": round(watch.rss.get(dialogues // 10, 0.0), 1),
        "rss_mb_at_10000": round(watch.rss.get(dialogues, 0.0), 1),
        "database_mb": round(size, 1),
    }
