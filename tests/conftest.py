"""What all tests share: the folder of public data sets, and databases of both kinds."""

from __future__ import annotations

import os
import socket
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.postgres import Server, binaries

LOOPBACK = ("127.", "::1", "localhost", "0.0.0.0")


@pytest.fixture(autouse=True, scope="session")
def closed_network() -> Iterator[None]:
    """No test reaches beyond this machine: connecting anywhere else fails at once."""
    own = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None)} | _own()
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        inside = self.family == socket.AF_UNIX or self.type == socket.SOCK_DGRAM
        host = str(address[0]) if isinstance(address, tuple) else ""
        if not (inside or host.startswith(LOOPBACK) or host in own):
            raise OSError(f"tests have no network: {host}")
        real(self, address)

    socket.socket.connect = connect  # type: ignore[method-assign]
    yield
    socket.socket.connect = real  # type: ignore[method-assign]


def _own() -> set[str]:
    """The address that others know this machine by; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return set()
        return {str(probe.getsockname()[0])}


@pytest.fixture(scope="session")
def arena_data() -> Path:
    """The data sets, or a skip that says how to give them."""
    folder = Path(os.environ.get("ARENA_DATA") or Path(__file__).parents[2] / "shared" / "data")
    if not folder.is_dir():
        pytest.skip("no data sets here: set ARENA_DATA to the folder that holds them")
    return folder


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    """A running server, or a skip that says what to install."""
    folder = binaries()
    if folder is None:
        pytest.skip("PostgreSQL's server is not installed (Debian: apt-get install postgresql)")
    server = Server(folder)
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database, once of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'arena.db'}"
    url: str = request.getfixturevalue("postgres").url(f"t{uuid.uuid4().hex[:12]}")
    return url
