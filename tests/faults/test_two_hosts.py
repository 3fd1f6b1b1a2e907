"""Two hosts play one tournament on the PostgreSQL of the first; the link between them is cut and restored."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy import select

from arena.config.resolve import parse
from db import Repository, connect
from db.health import examine
from db.session import reading
from db.tables import DIALOGUES
from tests.support import plugin
from tests.support.postgres import Server, binaries
from tests.support.tournaments import STEADY, exported, play, store, text
from tests.support.two_hosts import HERE, SecondHost, Unavailable, second_host

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture
def host() -> Iterator[SecondHost]:
    try:
        with second_host() as collected:
            yield collected
    except Unavailable as reason:
        pytest.skip(str(reason))


@pytest.fixture
def server(host: SecondHost) -> Iterator[Server]:
    folder = binaries()
    if folder is None:
        pytest.skip("PostgreSQL's server is not installed (Debian: apt-get install postgresql)")
    built = Server(folder, HERE)
    try:
        yield built
    finally:
        built.remove()


def wait(until: Callable[[], bool], what: str, seconds: float = 200.0) -> None:
    end = time.monotonic() + seconds
    while not until():
        assert time.monotonic() < end, f"waited in vain until {what}"
        time.sleep(0.1)


def holders(repository: Repository) -> set[str]:
    """The hosts that have dialogues under way."""
    with reading(repository.engine) as connection:
        owners = connection.scalars(select(DIALOGUES.c.owner).where(DIALOGUES.c.owner.is_not(None))).all()
    return {str(owner).partition("|")[0] for owner in owners}


@pytest.mark.parametrize("killed", [False, True], ids=["restored", "and the second host dies"])
def test_a_link_that_is_cut_loses_and_doubles_nothing(
    host: SecondHost, server: Server, tmp_path: Path, killed: bool
) -> None:
    source = text(STEADY, "  - {name: slow, adapter: latency, seconds: 0.05}", dialogues=100, turns=8)
    with plugin.installed(tmp_path):
        tournament = parse(source)
        (tmp_path / "t.yaml").write_text(source)
        url = server.url("two_hosts")
        repository = Repository(connect(url.replace(HERE, "127.0.0.1")))
        words = [sys.executable, "-m", "arena", "run", str(tmp_path / "t.yaml"), "--db", url]
        words += ["--concurrency", "4"]
        there = subprocess.Popen(host.words(words), stderr=subprocess.PIPE, text=True)
        wait(lambda: host.name in holders(repository), "the second host plays")
        here = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        wait(lambda: len(holders(repository)) == 2, "both hosts play")
        host.cut()
        over = repository.over(tournament.info.id)[0]
        wait(lambda: repository.over(tournament.info.id)[0] >= over + 20, "the first host plays on alone")
        if killed:
            there.kill()
            there.wait()
        host.restore()
        assert here.wait(300) == 0, here.communicate()[1]
        assert killed or there.wait(300) == 0, there.communicate()[1]
        local = store(tmp_path, "local.db")
        play(local, source)
    assert exported(repository, tournament.info.id) == exported(local, tournament.info.id)
    assert all(check.ok for check in examine(repository))
    repository.close()
