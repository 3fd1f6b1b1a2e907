"""A cluster of three nodes and PostgreSQL: the same results as on one machine, whatever dies."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.config.resolve import parse
from arena.core.errors import StoreError
from arena.play.options import Options
from arena.play.progress import Silent
from arena.play.runner import run
from db import Repository, connect
from db.health import examine
from db.ledger import Lost
from tests.faults.test_budget import source as paid_source
from tests.faults.test_budget import spent
from tests.faults.test_paid_calls import judge
from tests.support.billing import billing
from tests.support.postgres import Server
from tests.support.ray_actors import actors
from tests.support.tournaments import MOODY, STEADY, exported, play, store, text

pytestmark = [pytest.mark.slow, pytest.mark.timeout(400)]
pytest.importorskip("ray", reason="Ray is not installed: pip install 'consistency-arena[ray]'")


@pytest.fixture
def repository(postgres: Server) -> Iterator[Repository]:
    opened = Repository(connect(postgres.url(f"r{uuid.uuid4().hex[:12]}")))
    yield opened
    opened.close()


def meanwhile(
    repository: Repository, tournament: str, done: int, act: Callable[[], None]
) -> threading.Thread:
    """Acts once so many dialogues are over."""

    def wait() -> None:
        until = time.monotonic() + 120
        while time.monotonic() < until:
            try:
                if repository.over(tournament)[0] >= done:
                    return act()
            except StoreError:
                pass
            time.sleep(0.05)

    thread = threading.Thread(target=wait)
    thread.start()
    return thread


def play_on(cluster: Any, repository: Repository, source: str, after: int = 0, act: Any = None) -> str:
    tournament = parse(source)
    thread = meanwhile(repository, tournament.info.id, after, act) if act else None
    run(repository, tournament, Options(), watcher=Silent(), engine="ray", address=cluster.address)
    if thread:
        thread.join()
    return tournament.info.id


def same_as_local(repository: Repository, id: str, source: str, folder: Path) -> None:
    local = store(folder, "local.db")
    play(local, source)
    assert exported(repository, id) == exported(local, id)
    assert all(check.ok for check in examine(repository))


def test_the_export_is_byte_for_byte_that_of_one_machine(
    cluster: Any, repository: Repository, tmp_path: Path
) -> None:
    source = text(dialogues=4)
    id = play_on(cluster, repository, source)
    same_as_local(repository, id, source, tmp_path)


def test_a_node_that_dies_in_the_middle_of_play_loses_nothing(
    cluster: Any, repository: Repository, tmp_path: Path
) -> None:
    slow = "  - {name: slow, adapter: latency, seconds: 0.02}"
    source = text(STEADY, slow, dialogues=40, turns=6)
    victim = cluster.add_node(num_cpus=2, object_store_memory=10**8)
    id = play_on(cluster, repository, source, 20, lambda: cluster.remove_node(victim, allow_graceful=False))
    same_as_local(repository, id, source, tmp_path)


def test_an_actor_that_crashes_every_50th_call_is_restarted_and_nothing_is_lost(
    cluster: Any, repository: Repository, tmp_path: Path
) -> None:
    source = text("  - {name: crashing, adapter: crashing, calls: 50}", MOODY, dialogues=4, turns=4)
    id = play_on(cluster, repository, source)
    calm = text("  - {name: crashing, adapter: crashing, calls: 1000000}", MOODY, dialogues=4, turns=4)
    progress = repository.progress(id)
    assert (progress.done, progress.failed) == (16, 0)
    local = store(tmp_path, "local.db")
    tournament, _ = play(local, calm)
    answers = [[m.text for m in record.messages] for record in repository.records(id)]
    assert answers == [[m.text for m in record.messages] for record in local.records(tournament.info.id)]


def test_the_database_may_restart(
    cluster: Any, repository: Repository, postgres: Server, tmp_path: Path
) -> None:
    def restart() -> None:
        postgres.stop("immediate")
        time.sleep(1)
        postgres.start()

    slow = "  - {name: slow, adapter: latency, seconds: 0.02}"
    source = text(STEADY, slow, dialogues=40, turns=6)
    id = play_on(cluster, repository, source, 20, restart)
    same_as_local(repository, id, source, tmp_path)


@pytest.mark.parametrize("kind", ["BotHost", "JudgeHost", "node"])
def test_a_call_that_is_paid_for_outlives_its_worker(
    kind: str, cluster: Any, repository: Repository, tmp_path: Path
) -> None:
    """Ray ends the children of a worker that ends: 76 of 1,336 calls were billed twice."""
    killed: list[int] = []
    node = cluster.add_node(num_cpus=2, object_store_memory=10**8)
    with billing(seconds=0.2) as server:
        source = paid_source(server, "{max_cost: 100}", dialogues=20, judges=judge(server))

        def kill() -> None:
            victim = "BotHost" if kind == "node" else kind
            until = time.monotonic() + 60
            while not killed and time.monotonic() < until:
                killed.extend(actors(victim))
            if kind == "node":
                cluster.remove_node(node, allow_graceful=False)
            else:
                for pid in killed:
                    os.kill(pid, signal.SIGKILL)

        id = play_on(cluster, repository, source, 2, kill)
        if kind != "node":
            cluster.remove_node(node)
        assert killed and max(Counter(server.seen).values()) == 1
        account = spent(repository, source)
        assert account.lost == Lost() and account.cost == pytest.approx(server.cost())
        same_as_local(repository, id, source, tmp_path)


def test_an_unknown_address_is_one_sentence(tmp_path: Path) -> None:
    """In a process of its own: this one may be connected to a cluster already."""
    (tmp_path / "lines.txt").write_text("I have two dogs.\n")
    words = ["inquire", str(tmp_path / "lines.txt"), "--engine", "ray", "--address", "127.0.0.1:1"]
    done = subprocess.run([sys.executable, "-m", "arena", *words], capture_output=True, text=True)
    assert done.returncode == 2 and done.stdout == ""
    assert re.fullmatch(
        r"Error: The Ray cluster 127.0.0.1:1 cannot be reached .*", done.stderr.splitlines()[-1]
    )
    assert "Traceback" not in done.stderr
