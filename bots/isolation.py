"""Runs a bot in its own process, without network and with a memory limit. If the process dies, the run continues."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from typing import Any

from arena.core import errors
from arena.core.errors import ArenaError, BotError, BotRefused, InputError, MissingPart
from arena.core.safe_text import clean
from arena.core.types import BotSpec
from bots import confine
from bots.base import Reply, ReplyRequest, RunOptions

log = logging.getLogger("arena.bots")

RESTARTS = 3  # restarts of a process that died
MOST_FACTS = 100_000  # maximal bytes of a reply's facts
LONGEST_LINE = 64 << 20  # maximal bytes of one answer from the process
SHARE = (
    0.75  # of the machine's memory that an isolated bot may fill, unless `resources.memory` says otherwise
)
# The environment variables that the process gets: no keys, no passwords, no database.
ENVIRONMENT = (
    "PATH",
    "HOME",
    "LANG",
    "LC_ALL",
    "TMPDIR",
    "VIRTUAL_ENV",
    "XDG_CACHE_HOME",
    "ARENA_CACHE",
    "HF_HOME",
    "HF_HUB_CACHE",
    "PARLAI_DATAPATH",
    "OMP_NUM_THREADS",
    "MKL_NUM_THREADS",
    "CUDA_VISIBLE_DEVICES",
    "LD_LIBRARY_PATH",
)
CLASSES: Mapping[str, type[ArenaError]] = {
    name: getattr(errors, name) for name in ("InputError", "MissingPart", "BotError", "BotRefused")
}


class IsolatedBot:
    """A bot in its own process.

    The constructor starts the process and loads the bot. A process that dies is restarted a few times.
    """

    def __init__(self, spec: BotSpec, run: RunOptions, *, strict: bool) -> None:
        settings = {key: value for key, value in spec.settings.items() if key not in ("isolate", "resources")}
        memory = (spec.settings.get("resources") or {}).get("memory")
        self._name = spec.name
        self._order = {
            "adapter": spec.adapter,
            "settings": settings,
            "run": {
                "deterministic": run.deterministic,
                "batch": run.batch,
                "wait": run.wait,
                "cache_bytes": run.cache_bytes,
            },
            "strict": strict,
            "network_off": True,
            "memory": int(memory or SHARE * confine.physical_memory()),
        }
        self._restarts = 0
        self._starting = threading.Lock()
        self._closed = False
        self._process = self._start()
        for note in self._process.notes:
            log.warning("The bot '%s' is isolated, except that %s.", self._name, note)

    async def reply(self, requests: Sequence[ReplyRequest]) -> list[Reply]:
        process = self._process
        if process.dead:
            process = await asyncio.to_thread(self._again, process)
        return await asyncio.wrap_future(process.ask(requests))

    async def close(self) -> None:
        self._closed = True
        await asyncio.to_thread(self._process.end)

    def _again(self, dead: BotProcess) -> BotProcess:
        with self._starting:
            if self._process is not dead:
                return self._process
            if self._closed or self._restarts >= RESTARTS:
                raise BotRefused(
                    f"The process of the bot '{self._name}' has died {self._restarts + 1} times"
                    f"{dead.why}; try the bot alone with 'arena bots try'.",
                    "died",
                )
            self._restarts += 1
            dead.end()
            self._process = self._start()
            return self._process

    def _start(self) -> BotProcess:
        return BotProcess(self._name, "bots.sandbox", self._order, _environment())


class BotProcess:
    """A started process that answers for a bot.

    With `outlives`, the process has its own session and is no child of this process, so that no signal reaches it.
    It ends when its input ends.
    """

    def __init__(
        self,
        name: str,
        program: str,
        order: Mapping[str, Any],
        environment: Mapping[str, str],
        *,
        outlives: bool = False,
        failures: Mapping[str, type[ArenaError]] = CLASSES,
    ) -> None:
        self._name = name
        self._failures = failures
        self._waiting: dict[int, tuple[int, Future[list[Reply]]]] = {}
        self._lock = threading.Lock()
        self._number = 0
        self.dead = False
        self._nonsense = False
        self.notes: list[str] = []
        self._child = subprocess.Popen(
            [sys.executable, "-m", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=outlives,
        )
        try:
            self._send(order)
            self._wait_until_ready()
            if outlives:
                self._child.wait()  # the child has forked a process without a parent and ends
        except BaseException:
            self.end()
            raise
        self._reader = threading.Thread(target=self._read, name=f"isolated-{name}", daemon=True)
        self._reader.start()

    @property
    def why(self) -> str:
        """The reason why the process ended, as far as its exit status shows it."""
        if self._nonsense:
            return " (it answered with nonsense)"
        code = self._child.poll()
        if code is None or code == 0:
            return ""
        if code == -9:
            return " (killed, perhaps for want of memory)"
        return f" (signal {-code})" if code < 0 else f" (exit status {code})"

    def ask(self, requests: Sequence[ReplyRequest]) -> Future[list[Reply]]:
        future: Future[list[Reply]] = Future()
        with self._lock:
            if self.dead:
                future.set_exception(self._died())
                return future
            self._number += 1
            number = self._number
            self._waiting[number] = len(requests), future
        try:
            self._send({"id": number, "requests": [_plain(request) for request in requests]})
        except OSError:
            self._bury()
        return future

    def end(self) -> None:
        self._child.kill()
        self._child.wait()
        for stream in (self._child.stdin, self._child.stdout):
            if stream is not None:
                with suppress(OSError):
                    stream.close()

    def leave(self, seconds: float) -> None:
        """Ends the input. Calls in progress may take longer than this method waits for them."""
        with self._lock, suppress(OSError):
            if self._child.stdin is not None:
                self._child.stdin.close()
        self._reader.join(seconds)

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._child.stdin is not None
        line = json.dumps(message).encode() + b"\n"
        with self._lock:
            self._child.stdin.write(line)
            self._child.stdin.flush()

    def _receive(self) -> Mapping[str, Any] | None:
        """Returns the next message, or None at the end. The message is untrusted data."""
        assert self._child.stdout is not None
        try:
            line = self._child.stdout.readline(LONGEST_LINE)
            message = json.loads(line, parse_constant=_refuse) if line.endswith(b"\n") else None
        except (OSError, ValueError, RecursionError):
            self._nonsense = True
            return None
        return message if isinstance(message, dict) else None

    def _wait_until_ready(self) -> None:
        while (message := self._receive()) is not None:
            if "failed" in message:
                raise self._failure(message["failed"], loading=True)
            if "ready" in message:
                self.notes = [clean(str(note))[:200] for note in message["ready"]][:3]
                return
            self._log(message)
        self._child.wait()
        raise MissingPart(
            f"The process of the bot '{self._name}' died while its model was loading{self.why}: "
            "try a smaller model, or give it more with resources: {memory: BYTES}."
        )

    def _read(self) -> None:
        while (message := self._receive()) is not None:
            if "log" in message:
                self._log(message)
                continue
            with self._lock:
                number, future = self._waiting.pop(message.get("id", -1), (0, None))
            if future is None or future.done():
                continue
            try:
                future.set_result(self._replies(message, number))
            except ArenaError as error:
                future.set_exception(error)
        self._bury()

    def _replies(self, message: Mapping[str, Any], number: int) -> list[Reply]:
        if "failed" in message:
            raise self._failure(message["failed"])
        try:
            replies = [self._reply(value) for value in message["replies"]]
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError):
            replies = []
        if len(replies) != number:
            raise BotError(f"The process of the bot '{self._name}' answered with nonsense.", "protocol")
        return replies

    def _reply(self, value: Mapping[str, Any]) -> Reply:
        counts = {name: max(0, int(value[name])) for name in ("tokens_in", "tokens_out", "dropped")}
        error = self._failure(value["error"]) if value["error"] is not None else None
        text = value["text"] if isinstance(value["text"], str) else ""
        cost = max(0.0, float(value["cost"]))
        return Reply(text, cost=cost, facts=_facts(value["facts"]), error=error, **counts)

    def _failure(self, value: Any, loading: bool = False) -> ArenaError:
        """Returns the process's error as an exception of its original class."""
        failure = value if isinstance(value, dict) else {}
        text = clean(str(failure.get("text", "no reason given")))[:600]
        reason = str(failure.get("reason") or "raised")[:64]
        kind = failure.get("kind")
        if kind == "Refused":
            text = f"The bot '{self._name}' was stopped: {text}; set `trusted: true` for it if you trust its origin."
            return InputError(text) if loading else BotRefused(text, "untrusted")
        if reason == "memory":
            text = f"The bot '{self._name}' needs more memory than it may have: raise resources.memory."
            return MissingPart(text) if loading else BotError(text, "memory")
        error = self._failures.get(str(kind))
        if error is not None and issubclass(error, BotError):
            return error(text, reason)
        if error is not None:
            return error(text)
        raised = f"The bot '{self._name}' raised {text}"
        return MissingPart(f"{raised}: check its settings.") if loading else BotError(f"{raised}.", reason)

    def _log(self, message: Mapping[str, Any]) -> None:
        if "log" in message:
            log.warning("%s", clean(str(message["log"]))[:500])

    def _bury(self) -> None:
        """Makes all waiting requests fail with an error."""
        with self._lock:
            self.dead = True
            waiting, self._waiting = self._waiting, {}
        self._child.kill()
        self._child.wait()
        for _, future in waiting.values():
            if not future.done():
                future.set_exception(self._died())

    def _died(self) -> BotError:
        return BotError(f"The process of the bot '{self._name}' died{self.why}.", "died")


def _plain(request: ReplyRequest) -> dict[str, Any]:
    return {
        "dialogue": request.dialogue,
        "history": [[line.text, line.mine] for line in request.history],
        "seed": request.seed,
        "fork": request.fork,
        "knowledge": request.knowledge,
        "persona": request.persona,
    }


def _facts(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns the facts if a database can store them, else no facts."""
    try:
        text = json.dumps(value, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError:
        return {}
    return {} if len(text) > MOST_FACTS or b"\\u0000" in text else dict(value)


def _refuse(number: str) -> None:
    raise ValueError(f"{number} is not a number of JSON")


def _environment() -> dict[str, str]:
    known = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
    return known | this_program() | {"HF_HUB_OFFLINE": "1"}


def this_program() -> dict[str, str]:
    """Returns the environment in which a new process runs the same program."""
    here = str(Path(__file__).parents[1])
    paths = [here, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {"PYTHONPATH": os.pathsep.join(paths), "PYTHONUNBUFFERED": "1"}
