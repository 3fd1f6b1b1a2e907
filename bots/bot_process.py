"""A process that answers for a bot. What it says is untrusted data."""

from __future__ import annotations

import json
import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from math import isfinite
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from arena.core import errors
from arena.core.errors import ArenaError, BotError, BotRefused, InputError, MissingPart
from arena.core.safe_text import clean
from bots import group
from bots.base import Reply, ReplyRequest

log = logging.getLogger("arena.bots")

MOST_FACTS = 100_000  # maximal bytes of a reply's facts
DEEPEST_FACTS = 20  # maximal levels of nested facts
MOST = 10**12  # maximal tokens or cost of a reply
LOOK = 1.0  # seconds between two looks at a process's memory
MOST_LOGGED = 200  # maximal messages of a process that are shown
LONGEST_LINE = 64 << 20  # maximal bytes of one answer from the process
CLASSES: Mapping[str, type[ArenaError]] = {
    name: getattr(errors, name) for name in ("InputError", "MissingPart", "BotError", "BotRefused")
}


class BotProcess:
    """A started process that answers for a bot. It has its own session.

    With `outlives`, it is no child of this process either, so that no signal reaches it; it ends when its input
    ends. Otherwise it ends with all processes that it started in its session. `memory` limits them together.
    """

    def __init__(
        self,
        name: str,
        program: str,
        order: Mapping[str, Any],
        environment: Mapping[str, str],
        *,
        outlives: bool = False,
        memory: int | None = None,
        failures: Mapping[str, type[ArenaError]] = CLASSES,
    ) -> None:
        self._name = name
        self._memory = memory
        self._failures = failures
        self._waiting: dict[int, tuple[int, Future[list[Reply]]]] = {}
        self._lock, self._ending = threading.Lock(), threading.Lock()
        self._number = self._logged = 0
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self.dead = False
        self._nonsense = self._too_large = False
        self.notes: list[str] = []
        self._child = subprocess.Popen(
            [sys.executable, "-m", program],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            start_new_session=True,
        )
        threading.Thread(target=self._write, name=f"to-{name}", daemon=True).start()
        self._reader = threading.Thread(target=self._read, name=f"from-{name}", daemon=True)
        try:
            self._send(order)
            self._wait_until_ready()
            if outlives:
                self._child.wait()  # the child has forked a process without a parent and ends
        except BaseException:
            self.end()
            raise
        self._reader.start()
        if not outlives:
            threading.Thread(target=self._watch, name=f"watch-{name}", daemon=True).start()

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
        self._send({"id": number, "requests": [_plain(request) for request in requests]})
        return future

    def end(self) -> None:
        self._kill()
        self._lines.put(None)
        if not self._reader.is_alive() and self._child.stdout is not None:
            self._child.stdout.close()

    def leave(self, seconds: float) -> None:
        """Ends the input. Calls in progress may take longer than this method waits for them."""
        self._lines.put(None)
        self._reader.join(seconds)

    def _send(self, message: Mapping[str, Any]) -> None:
        self._lines.put(json.dumps(message).encode() + b"\n")

    def _write(self) -> None:
        """Writes in a thread of its own: a process that does not read must not hold up the caller."""
        stream = self._child.stdin
        assert stream is not None
        try:
            while (line := self._lines.get()) is not None:
                stream.write(line)
                stream.flush()
        except (OSError, ValueError):  # it has closed its input or has gone
            self._bury()
        with suppress(OSError, ValueError):
            stream.close()

    def _kill(self) -> None:
        """Kills the process with everything in its session. One that outlives the run is not killed."""
        with self._ending:
            if self._child.returncode is None:
                with suppress(ProcessLookupError):  # not reaped yet, so that the number is still its own
                    os.killpg(self._child.pid, signal.SIGKILL)
            self._child.wait()

    def _watch(self) -> None:
        """Waits for the process's end, and ends it if its session takes more memory than it may have."""
        while not group.ended(self._child, LOOK):
            if self._memory is not None and group.memory(self._child.pid, self._memory) > self._memory:
                self._too_large = True
                break
        self._kill()
        self._reader.join(LOOK)  # what it said last; a process that left the session may hold its output open
        self._bury()

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
                notes = message["ready"] if isinstance(message["ready"], list) else []
                self.notes = [clean(str(note)[:1000])[:200] for note in notes[:4]]
                return
            self._log(message)
        group.ended(self._child, LOOK)  # a process that ends is seen to end by its output first
        self._kill()
        raise MissingPart(
            f"The process of the bot '{self._name}' died while its model was loading{self.why}: "
            "try a smaller model, or give it more with resources: {memory: BYTES}."
        )

    def _read(self) -> None:
        while (message := self._receive()) is not None:
            if "log" in message:
                self._log(message)
                continue
            id = message.get("id")
            with self._lock:
                number, future = self._waiting.pop(id if isinstance(id, int) else -1, (0, None))
            if future is None or future.done():
                continue
            try:
                future.set_result(self._replies(message, number))
            except ArenaError as error:
                future.set_exception(error)
        self._bury()
        if self._child.stdout is not None:
            self._child.stdout.close()

    def _replies(self, message: Mapping[str, Any], number: int) -> list[Reply]:
        if "failed" in message:
            raise self._failure(message["failed"])
        try:
            replies = [self._reply(value) for value in message["replies"]]
        except (KeyError, TypeError, ValueError, OverflowError, AttributeError, RecursionError):
            replies = []
        if len(replies) != number:
            raise BotError(f"The process of the bot '{self._name}' answered with nonsense.", "protocol")
        return replies

    def _reply(self, value: Mapping[str, Any]) -> Reply:
        counts = {name: max(0, int(value[name])) for name in ("tokens_in", "tokens_out", "dropped")}
        error = self._failure(value["error"]) if value["error"] is not None else None
        text = value["text"] if isinstance(value["text"], str) else ""
        cost = max(0.0, float(value["cost"]))
        if max(cost, *counts.values()) > MOST or not isfinite(cost):
            raise ValueError("no bot needs that much")
        return Reply(text, cost=cost, facts=_facts(value["facts"]), error=error, **counts)

    def _failure(self, value: Any, loading: bool = False) -> ArenaError:
        """Returns the process's error as an exception of its original class."""
        failure = value if isinstance(value, dict) else {}
        text = clean(str(failure.get("text", "no reason given"))[:6000])[:600]
        reason = str(failure.get("reason") or "raised")[:64]
        kind = failure.get("kind")
        if kind == "Refused":
            text = f"The bot '{self._name}' was stopped: {text}; set `trusted: true` for it if you trust its origin."
            return InputError(text) if loading else BotRefused(text, "untrusted")
        if reason == "memory":
            text = _memory_sentence(self._name)
            return MissingPart(text) if loading else BotError(text, "memory")
        error = self._failures.get(str(kind))
        if error is not None and issubclass(error, BotError):
            return error(text, reason)
        if error is not None:
            return error(text)
        raised = f"The bot '{self._name}' raised {text}"
        return MissingPart(f"{raised}: check its settings.") if loading else BotError(f"{raised}.", reason)

    def _log(self, message: Mapping[str, Any]) -> None:
        if "log" not in message:
            return
        self._logged += 1
        if self._logged < MOST_LOGGED:
            log.warning("%s", clean(str(message["log"])[:5000])[:500])
        elif self._logged == MOST_LOGGED:
            log.warning("The bot '%s' logs too much: its further messages are left out.", self._name)

    def _bury(self) -> None:
        """Makes all waiting requests fail with an error."""
        with self._lock:
            self.dead = True
            waiting, self._waiting = self._waiting, {}
        self._kill()
        self._lines.put(None)
        for _, future in waiting.values():
            if not future.done():
                future.set_exception(self._died())

    def _died(self) -> BotError:
        if self._too_large:
            return BotError(_memory_sentence(self._name), "memory")
        return BotError(f"The process of the bot '{self._name}' died{self.why}.", "died")


def _memory_sentence(name: str) -> str:
    return f"The bot '{name}' needs more memory than it may have: raise resources.memory."


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
        text = json.dumps(value, ensure_ascii=False, allow_nan=False).encode("utf-8")
    except UnicodeEncodeError:
        return {}
    storable = len(text) <= MOST_FACTS and b"\\u0000" not in text and _levels(value) <= DEEPEST_FACTS
    return dict(value) if storable else {}


def _levels(value: Any) -> int:
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, list) else ()
    return 1 + max(map(_levels, inner), default=0)


def _refuse(number: str) -> None:
    raise ValueError(f"{number} is not a number of JSON")


def this_program() -> dict[str, str]:
    """Returns the environment in which a new process runs the same program."""
    here = str(Path(__file__).parents[1])
    paths = [here, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    return {"PYTHONPATH": os.pathsep.join(paths), "PYTHONUNBUFFERED": "1"}
