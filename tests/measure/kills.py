"""SIGKILLs at random instants: a tournament of scripted bots, and one that pays by call, on SQLite and PostgreSQL.

KILLS sets how many of each (default 50). The Ray part is in `cluster`.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from pathlib import Path

from db import Repository, connect
from db.health import examine
from tests.faults.test_budget import source, spent
from tests.support.billing import billing
from tests.support.killing import kill_and_resume
from tests.support.postgres import Server, binaries


def main() -> None:
    kills = int(os.environ.get("KILLS", "50"))
    with tempfile.TemporaryDirectory() as folder:
        print("scripted bots, SQLite:", kill_and_resume(Path(folder), kills=kills, dialogues=600), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        print("paid by call, SQLite:", paid(Path(folder), f"sqlite:///{folder}/arena.db", kills), flush=True)
    found = binaries()
    if found is None:
        print("paid by call, PostgreSQL: not measured, its server is not installed")
        return
    server = Server(found)
    try:
        with tempfile.TemporaryDirectory() as folder:
            url = server.url(f"k{uuid.uuid4().hex[:8]}")
            print("paid by call, PostgreSQL:", paid(Path(folder), url, kills), flush=True)
    finally:
        server.remove()


def paid(folder: Path, url: str, kills: int) -> dict[str, object]:
    """While playing and judging with a paid judge; then the account against the server's own count."""
    draw = random.Random(1)
    with billing(seconds=0.01) as server:
        bot = f'bot: {{adapter: openai, model: m, base_url: "{server.url}", price_out: 2.0, backoff: 0}}'
        text = source(server, "{max_cost: 100}", dialogues=40, judges=f"{{judge: llm, both: false, {bot}}}")
        (folder / "t.yaml").write_text(text)
        command = [sys.executable, "-m", "arena", "run", "t.yaml", "--db", url, "--concurrency", "20"]
        killed = 0
        while True:
            process = subprocess.Popen(
                command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            calls, until = server.calls, time.monotonic() + 60
            while killed < kills and process.poll() is None and time.monotonic() < until:
                if server.calls > calls + draw.randrange(12):
                    process.send_signal(signal.SIGKILL)
                    killed += 1
                    break
                time.sleep(0.003)
            if process.wait() == 0:
                break
        repository = Repository(connect(url))
        account = spent(repository, text)
        again = sum(times - 1 for times in Counter(server.seen).values())
        healthy = all(check.ok for check in examine(repository))
        progress = repository.progress(repository.find("r1").id)
        repository.engine.dispose()
    return {
        "kills": killed,
        "done": f"{progress.done} of {progress.planned}",
        "calls billed": server.calls,
        "billed twice": again,  # under way at a kill
        "billed": round(server.cost(), 3),
        "account": round(account.cost, 3),
        "healthy": healthy,
    }
