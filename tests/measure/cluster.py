"""Several processes on one PostgreSQL tournament, and 100 slow bots: speed-up and share of what bots allow."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.support import plugin
from tests.support.postgres import Server, binaries
from tests.support.tournaments import text


def main() -> None:
    folder = binaries()
    if folder is None:
        print("PostgreSQL is not installed (Debian: apt-get install postgresql)")
        return
    server = Server(folder)
    try:
        with tempfile.TemporaryDirectory() as place, plugin.installed(Path(place)):
            for dialogues in (60, 240):
                print(
                    f"speed-up of three processes, {dialogues} dialogues:",
                    speed_up(server, Path(place), dialogues),
                )
            print("100 bots at 50 ms:", hundred(Path(place)))
    finally:
        server.remove()


def speed_up(server: Server, folder: Path, dialogues: int) -> dict[str, float]:
    """The same tournament by one process and by three, four dialogues at once each; the programs' start counts."""
    slow = "  - {name: slow, adapter: latency, seconds: 0.05}"
    file = folder / "slow.yaml"
    file.write_text(text(slow, turns=10, dialogues=dialogues))
    seconds = {n: _processes(file, server.url(f"speed{dialogues}_{n}"), n) for n in (1, 3)}
    return {"one": seconds[1], "three": seconds[3], "ratio": seconds[1] / seconds[3]}


def _processes(file: Path, url: str, number: int) -> float:
    from db import connect

    connect(url).dispose()
    call = [sys.executable, "-m", "arena", "run", str(file), "--db", url, "--concurrency", "4"]
    begun = time.perf_counter()
    runs = [subprocess.Popen(call, stderr=subprocess.DEVNULL) for _ in range(number)]
    assert all(run.wait() == 0 for run in runs)
    return time.perf_counter() - begun


def hundred(folder: Path, dialogues: int = 10_000) -> dict[str, float]:
    """Each bot takes one call at a time, 20 a second: 2,000 replies a second in all are allowed."""
    bots = [
        f"  - {{name: b{n}, adapter: latency, seconds: 0.05, at_once: 1, sheet_seed: {n}}}"
        for n in range(100)
    ]
    file = folder / "hundred.yaml"
    file.write_text(
        text(*bots, turns=3, dialogues=max(1, dialogues // 10_000), more="limits: {reply_seconds: 3000}")
    )
    call = [sys.executable, "-m", "arena", "run", str(file), "--db", f"sqlite:///{folder / 'h.db'}", "--json"]
    done = subprocess.run([*call, "--concurrency", "2000"], capture_output=True, text=True, check=True)
    facts = json.loads(done.stdout)
    rate = facts["replies_per_second"]
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    return {"replies_per_second": rate, "share_of_allowed": rate / 2000, "peak_rss_mb": memory}
