"""Background runs: `arena run` in its own process session, with its file, log and exit code in a folder.

Runs are recorded in a folder on this machine and not in a table, because process ids, logs and files are local
while the database may be shared with other machines.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any

from arena.core.errors import InputError
from arena.core.hashing import digest
from arena.core.process import state_and_start

STARTING = 20.0  # seconds that a process has to record its id
TAIL = 20_000  # bytes that are read from the end of a log


class State(StrEnum):
    STARTING = "starting"
    RUNNING = "running"
    STOPPING = "stopping"
    DONE = "done"
    FAILED_DIALOGUES = "done, some dialogues failed"
    REFUSED = "refused"
    STOPPED = "stopped"
    DIED = "died"


ALIVE = (State.STARTING, State.RUNNING, State.STOPPING)
_BY_CODE = {0: State.DONE, 1: State.FAILED_DIALOGUES, 2: State.REFUSED, 130: State.STOPPED}


def default_state(environment: Mapping[str, str] = os.environ) -> Path:
    base = environment.get("XDG_STATE_HOME") or str(Path.home() / ".local" / "state")
    return Path(base) / "consistency-arena" / "runs"


@dataclass(frozen=True, slots=True)
class Run:
    """One launched tournament. `starts` counts the first start and every resume."""

    id: str
    folder: Path
    tournament: str
    release: str
    created: float
    starts: int
    state: State
    code: int | None

    @property
    def alive(self) -> bool:
        return self.state in ALIVE

    @property
    def file(self) -> Path:
        return self.folder / "tournament.yaml"

    def log(self) -> str:
        """The end of the run's output."""
        try:
            with (self.folder / "log.txt").open("rb") as log:
                log.seek(0, os.SEEK_END)
                log.seek(max(0, log.tell() - TAIL))
                return log.read().decode("utf-8", "replace")
        except FileNotFoundError:
            return ""

    def last_line(self) -> str:
        lines = [line for line in self.log().splitlines() if line.strip()]
        return lines[-1] if lines else ""


class Runs:
    """The runs on one database that were started on this machine."""

    def __init__(self, folder: Path, db: str) -> None:
        self._folder = folder
        self._db = _anchored(db)
        self._mark = digest("db", self._db)[:16]

    def start(self, text: str, tournament: str, release: str, arguments: Sequence[str] = ()) -> Run:
        """Write the tournament file and start a process for it. Starting the same tournament twice yields one run."""
        for run in self.list():
            if run.tournament == tournament:
                return run if run.alive else self.resume(run.id)
        id = f"{time.strftime('%Y%m%d-%H%M%S')}-{uuid.uuid4().hex[:6]}"
        folder = self._folder / id
        folder.mkdir(parents=True, mode=0o700)
        (folder / "tournament.yaml").write_text(text, encoding="utf-8")
        facts = {
            "db": self._mark,
            "tournament": tournament,
            "release": release,
            "created": time.time(),
            "arguments": list(arguments),
        }
        write_json(folder / "run.json", facts)
        self._spawn(folder)
        return self.get(id)

    def resume(self, id: str, *, retry_failed: bool = False) -> Run:
        """Play the remaining dialogues with the same tournament file."""
        run = self.get(id)
        if not run.alive:
            facts = read_json(run.folder / "run.json")
            arguments = [a for a in facts["arguments"] if a != "--retry-failed"]
            facts["arguments"] = [*arguments, "--retry-failed"] if retry_failed else arguments
            facts["starts"] = run.starts + 1
            facts["last_start"] = time.time()
            write_json(run.folder / "run.json", facts)
            for name in ("exit.json", "process.json", "stopping"):
                (run.folder / name).unlink(missing_ok=True)
            self._spawn(run.folder)
        return self.get(id)

    def cancel(self, id: str, *, now: bool = False) -> None:
        """Ask the run to end after storing what is finished. `now` kills the whole process session at once."""
        run = self.get(id)
        process = read_json(run.folder / "process.json")
        if not run.alive or not process:
            return
        (run.folder / "stopping").touch()
        try:
            if now:
                os.killpg(process["pid"], signal.SIGKILL)
            else:
                os.kill(process["pid"], signal.SIGTERM)
        except ProcessLookupError:
            return

    def list(self) -> list[Run]:
        """All runs, newest first."""
        if not self._folder.is_dir():
            return []
        runs = []
        for folder in sorted(self._folder.iterdir(), reverse=True):
            facts = read_json(folder / "run.json")
            if facts.get("db") == self._mark:
                runs.append(_run(folder, facts))
        return runs

    def get(self, id: str) -> Run:
        folder = self._folder / Path(id).name
        facts = read_json(folder / "run.json")
        if not facts or facts.get("db") != self._mark:
            raise InputError(f"There is no run '{id}' on this database; look at the list of runs.")
        return _run(folder, facts)

    def _spawn(self, folder: Path) -> None:
        with (folder / "log.txt").open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "arena.cli.detached", str(folder)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                env={**os.environ, "ARENA_DB": self._db, "PYTHONUNBUFFERED": "1"},
            )
        record_process(folder, process.pid)
        # If nothing waits for it, a process that has ended would look alive
        threading.Thread(target=process.wait, daemon=True).start()


def _anchored(url: str) -> str:
    """Return the database URL with an absolute path, so that a run can be resumed from any folder."""
    from db.session import parse

    parsed = parse(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database and parsed.database != ":memory:":
        parsed = parsed.set(database=str(Path(parsed.database).resolve()))
    return parsed.render_as_string(hide_password=False)


def _run(folder: Path, facts: Mapping[str, Any]) -> Run:
    state, code = _state(folder, facts)
    return Run(
        folder.name,
        folder,
        facts["tournament"],
        facts["release"],
        facts["created"],
        facts.get("starts", 1),
        state,
        code,
    )


def _state(folder: Path, facts: Mapping[str, Any]) -> tuple[State, int | None]:
    if (ended := _ended(folder)) is not None:
        return ended
    process = read_json(folder / "process.json")
    if not process:
        young = time.time() - facts.get("last_start", facts["created"]) < STARTING
        return (State.STARTING if young else State.DIED), None
    if not _lives(process["pid"], process["started"]):
        return _ended(folder) or (State.DIED, None)  # it may have ended since the first look
    return (State.STOPPING if (folder / "stopping").exists() else State.RUNNING), None


def _ended(folder: Path) -> tuple[State, int] | None:
    left = read_json(folder / "exit.json")
    if not left:
        return None
    code = int(left["code"])
    return _BY_CODE.get(code, State.DIED), code


def _lives(pid: int, started: str | None) -> bool:
    """Whether the same process is still running and not a zombie."""
    if started is None:
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return False
        except PermissionError:
            return True
        return True
    status = state_and_start(pid)
    return status is not None and status[1] == started and status[0] not in ("Z", "X")


def record_process(folder: Path, pid: int) -> None:
    """Record the process id. The parent does so first, because the process may start slowly; then the process
    itself does.
    """
    status = state_and_start(pid)
    write_json(folder / "process.json", {"pid": pid, "started": status[1] if status else None})


def write_json(path: Path, facts: Mapping[str, Any]) -> None:
    half = path.with_suffix(f".{os.getpid()}.half")
    half.write_text(json.dumps(facts), encoding="utf-8")
    half.replace(path)


def read_json(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
