"""A real PostgreSQL server for tests, started in a folder of its own and on a free port."""

from __future__ import annotations

import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path


def binaries() -> Path | None:
    """The folder with initdb, wherever the system keeps it."""
    result = shutil.which("initdb")
    if result:
        return Path(result).parent
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return folders[-1].parent if folders else None


def _as_nobody() -> Callable[[], None] | None:
    """PostgreSQL refuses to run as root."""
    if os.getuid() != 0:
        return None
    names = {user.pw_name: user for user in pwd.getpwall()}
    user = names.get("postgres") or names["nobody"]

    def drop() -> None:
        os.setgid(user.pw_gid)
        os.setuid(user.pw_uid)

    return drop


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """Starts at once; `url(name)` makes a fresh database."""

    def __init__(self, folder: Path, address: str = "127.0.0.1") -> None:
        self.address = address  # beside the loopback, for whoever comes over a network
        self.root = Path(tempfile.mkdtemp(prefix="arena-pg-", dir="/tmp"))
        self.data = self.root / "data"
        self.port = free_port()
        self._bin = folder
        self._drop = _as_nobody()
        self.root.chmod(0o777)
        self._call("initdb", "-D", str(self.data), "-U", "arena", "-A", "trust", "--no-sync")
        with (self.data / "pg_hba.conf").open("a") as rules:
            rules.write(f"host all all {address}/24 trust\n")
        self.start()

    def _call(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [str(self._bin / program), *arguments],
            preexec_fn=self._drop,
            cwd=self.root,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "HOME": str(self.root)},
        )

    def start(self) -> None:
        heard = ",".join(dict.fromkeys(["127.0.0.1", self.address]))
        options = f"-p {self.port} -k {self.root} -c listen_addresses={heard} -c fsync=off"
        self._call("pg_ctl", "-D", str(self.data), "-w", "-o", options, "-l", str(self.root / "log"), "start")

    def stop(self, mode: str = "fast") -> None:
        self._call("pg_ctl", "-D", str(self.data), "-w", "-m", mode, "stop")

    def url(self, name: str) -> str:
        import psycopg

        with psycopg.connect(
            f"postgresql://arena@127.0.0.1:{self.port}/postgres", autocommit=True
        ) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return f"postgresql+psycopg://arena@{self.address}:{self.port}/{name}"

    def position(self) -> str:
        """How far its log is written: it changes with every write to any of its databases."""
        import psycopg

        with psycopg.connect(f"postgresql://arena@127.0.0.1:{self.port}/postgres") as connection:
            row = connection.execute("SELECT pg_current_wal_insert_lsn()::text").fetchone()
        return str(row)

    def remove(self) -> None:
        self.stop("immediate")
        shutil.rmtree(self.root, ignore_errors=True)
