"""SIGKILLs of a run on Ray and PostgreSQL that plays and judges, one bot and one judge of it paid by call.

In turn its driver, a worker node, an actor, the database and the head die. KILLS sets how many in all (default 5),
TARGETS=actor,head which.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from db import Repository, connect
from db.health import examine
from tests.faults.test_budget import source, spent
from tests.support.billing import Billing, billing
from tests.support.postgres import Server, binaries
from tests.support.ray_actors import actors
from tests.support.tournaments import exported, play, store

KEPT = Path("build/kills_ray")  # both exports, if they differ
GIVES_UP = 60.0  # seconds after which a run without a head is ended by its user


class Cluster:
    """A head and a worker node; nothing of it is in this process."""

    def __init__(self) -> None:
        from ray.cluster_utils import Cluster as Nodes

        node = {"num_cpus": 2, "object_store_memory": 10**8}
        self.nodes = Nodes(initialize_head=True, head_node_args=node)
        self.worker = self.nodes.add_node(**node)
        self.headless = False

    def kill_worker(self) -> None:
        self.nodes.remove_node(self.worker, allow_graceful=False)
        self.worker = self.nodes.add_node(num_cpus=2, object_store_memory=10**8)

    def kill_head(self) -> None:
        self.nodes.remove_node(self.nodes.head_node, allow_graceful=False)
        self.headless = True

    def kill_actor(self) -> None:
        for pid in actors("BotHost")[:1]:
            os.kill(pid, signal.SIGKILL)

    def end(self) -> None:
        for node in list(self.nodes.worker_nodes):
            self.nodes.remove_node(node, allow_graceful=False)
        if not self.headless:
            self.kill_head()


class Run:
    """The command, started again whenever it has ended without having done its work."""

    def __init__(self, folder: Path, url: str, server: Billing) -> None:
        self.folder, self.url, self.server = folder, url, server
        self.cluster = Cluster()
        self.process: subprocess.Popen[bytes] | None = None
        self.starts = 0

    def going(self) -> bool:
        """Whether there is work left; starts it where nobody is at it."""
        if self.process is not None and self.process.poll() == 0:
            return False
        if self.process is None or self.process.poll() is not None:
            words = ["run", "t.yaml", "--db", self.url, "--engine", "ray", "--retry-failed"]
            words += ["--address", self.cluster.nodes.address]
            self.process = subprocess.Popen(
                [sys.executable, "-m", "arena", *words],
                cwd=self.folder,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            self.starts += 1
        return True

    def works(self, calls: int) -> bool:
        """Waits until it has made some calls."""
        until = time.monotonic() + 300
        while self.going() and time.monotonic() < until:
            if self.server.calls >= calls:
                return True
            time.sleep(0.02)
        return False

    def kill_driver(self) -> None:
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def kill_head(self) -> None:
        assert self.process is not None
        self.cluster.kill_head()
        try:
            self.process.wait(GIVES_UP)
        except subprocess.TimeoutExpired:
            self.kill_driver()
        self.cluster.end()
        self.cluster = Cluster()


def main() -> None:
    folder = binaries()
    if folder is None:
        print("not measured: PostgreSQL's server is not installed")
        return
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ["RAY_raylet_start_wait_time_s"] = "180"  # noqa: SIM112 - Ray spells it so; for busy machines
    os.environ["RAY_worker_niceness"] = "0"  # noqa: SIM112 - not last in the queue of a busy machine
    postgres = Server(folder)
    try:
        with tempfile.TemporaryDirectory() as name, billing(seconds=0.1) as server:
            print(_killed(Path(name), postgres, server, int(os.environ.get("KILLS", "5"))), flush=True)
    finally:
        postgres.remove()


def _killed(folder: Path, postgres: Server, server: Billing, kills: int) -> dict[str, Any]:
    bot = f'bot: {{adapter: openai, model: m, base_url: "{server.url}", price_out: 2.0, backoff: 0}}'
    text = source(
        server,
        "{max_cost: 100}\nchecks: [inquiry, history]",
        dialogues=20 + 10 * kills,
        judges=f"lexical, {{judge: llm, both: false, {bot}}}",
    )
    (folder / "t.yaml").write_text(text)
    url = postgres.url(f"k{uuid.uuid4().hex[:8]}")
    run = Run(folder, url, server)

    def restart_database() -> None:
        postgres.stop("immediate")
        postgres.start()

    targets: list[tuple[str, Callable[[], None]]] = [
        ("driver", run.kill_driver),
        ("worker node", lambda: run.cluster.kill_worker()),
        ("actor", lambda: run.cluster.kill_actor()),
        ("database", restart_database),
        ("head", run.kill_head),
    ]
    if wanted := os.environ.get("TARGETS"):
        targets = [target for target in targets if target[0] in wanted.split(",")]
    killed: Counter[str] = Counter()
    for number in range(kills):
        if not run.works(server.calls + 15):
            break
        name, kill = targets[number % len(targets)]
        kill()
        killed[name] += 1
    while run.going():
        time.sleep(0.2)
    run.cluster.end()
    billed, cost = server.calls, server.cost()
    again = sum(times - 1 for times in Counter(server.seen).values())
    repository, calm = Repository(connect(url)), store(folder, "calm.db")
    account = spent(repository, text)
    tournament, _ = play(calm, text)
    exports = {"killed": exported(repository, tournament.info.id), "calm": exported(calm, tournament.info.id)}
    if exports["killed"] != exports["calm"]:
        KEPT.mkdir(parents=True, exist_ok=True)
        for name, lines in exports.items():
            (KEPT / f"{name}.jsonl").write_text(lines, encoding="utf-8")
    return {
        "killed": dict(killed),
        "starts": run.starts,
        "equal": exports["killed"] == exports["calm"],
        "healthy": all(check.ok for check in examine(repository)),
        "calls billed": billed,
        "billed twice": again,
        "lost": account.lost.calls,
        "billed": round(cost, 6),
        "account": round(account.cost, 6),
    }
