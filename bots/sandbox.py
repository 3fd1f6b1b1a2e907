"""The process of an isolated bot. It restricts itself, loads the bot, and answers JSON lines until its input ends.

`bots.isolation` starts it as `python -m bots.sandbox`, reads its output as data and never unpickles it.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping
from typing import IO, TYPE_CHECKING, Any

from bots import confine

if TYPE_CHECKING:
    from bots.base import Bot, Reply, ReplyRequest

inside = False  # whether this process is a sandbox


def main() -> None:
    global inside
    inside = True
    output = private_output()
    order: dict[str, Any] = json.loads(sys.stdin.buffer.readline())
    notes = [confine.close_network() if order["network_off"] else None]
    notes.append(confine.parents_keys())
    if order["memory"]:
        notes.append(confine.limit_memory(order["memory"]))
    if order["strict"]:
        confine.forbid_pickles()
    forward_logs(output)
    try:
        bot = _create(order)
        if confine.refused:
            raise confine.Refused
    except BaseException as error:
        output.say({"failed": error_of(error)})
        output.leave(0)
    output.say({"ready": [note for note in notes if note]})
    try:
        asyncio.run(_answer(bot, output))
    finally:
        output.leave(0)


class Output:
    """The channel to the arena: one JSON document per line."""

    def __init__(self, stream: IO[bytes]) -> None:
        self.stream = stream
        self.lock = threading.Lock()

    def say(self, message: Mapping[str, Any]) -> None:
        with self.lock:
            try:
                self.stream.write(json.dumps(message).encode() + b"\n")
                self.stream.flush()
            except OSError:
                os._exit(1)  # the reader has gone

    def leave(self, code: int) -> None:
        """Exits at once, without waiting for a model that still runs in another thread."""
        os._exit(code)


def private_output() -> Output:
    """Redirects stdout for everything that prints, so that printed text cannot be taken for an answer."""
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return Output(stream)


def _create(order: Mapping[str, Any]) -> Bot:
    from bots import registry
    from bots.base import RunOptions

    if order["strict"]:
        _weights_only()
        confine.forbid_programs()
    return registry.adapter(order["adapter"]).create(order["settings"], RunOptions(**order["run"]))


def _weights_only() -> None:
    """Makes torch.load read tensors only, whatever arguments it gets."""
    import torch

    from arena.core.errors import ArenaError, InputError

    load = torch.load

    def weights_only(file: Any, *args: Any, **more: Any) -> Any:
        from pickle import UnpicklingError

        more.pop("pickle_module", None)
        more["weights_only"] = True
        name = getattr(file, "name", file)
        try:
            return load(file, *args, **more)
        except (ArenaError, MemoryError, OSError):
            raise
        except Exception as error:  # a damaged file may raise any error; torch would advise to trust it
            if isinstance(error, UnpicklingError) and "nsupported" in str(error):
                raise untrusted(name) from None
            raise InputError(f"The file {name} is damaged or not a model: fetch it again.") from None

    torch.load = weights_only


def untrusted(file: object) -> Exception:
    from arena.core.errors import InputError

    return InputError(
        f"The file {file} holds more than weights, and loading it could run anything that its author wrote into it: "
        "set `trusted: true` for this bot if you trust its origin."
    )


async def _answer(bot: Bot, output: Output) -> None:
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes] = asyncio.Queue()

    def read() -> None:
        for line in sys.stdin.buffer:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        # The arena has closed its end or died, so that no further answer is needed.
        output.leave(0)

    threading.Thread(target=read, daemon=True).start()
    tasks: set[asyncio.Task[None]] = set()
    while True:
        task = loop.create_task(answer_one(bot, json.loads(await lines.get()), output))
        tasks.add(task)
        task.add_done_callback(tasks.discard)


async def answer_one(
    bot: Bot,
    message: Mapping[str, Any],
    output: Output,
    before: Callable[[], Awaitable[None]] | None = None,
) -> None:
    """Answers one message. `before` runs before the answer is sent."""
    requests = [_request(value) for value in message["requests"]]
    try:
        replies = await bot.reply(requests)
        if before is not None:
            await before()
        if confine.refused:
            raise confine.Refused
        answer: dict[str, Any] = {"replies": [_reply(reply) for reply in replies]}
    except BaseException as error:
        answer = {"failed": error_of(error)}
    output.say({"id": message["id"], **answer})


def _request(value: Mapping[str, Any]) -> ReplyRequest:
    from bots.base import Line, ReplyRequest

    history = tuple(Line(text, mine) for text, mine in value["history"])
    return ReplyRequest(**{**value, "history": history})


def _reply(reply: Reply) -> dict[str, Any]:
    return reply.without_error() | {"error": error_of(reply.error) if reply.error is not None else None}


def error_of(error: BaseException) -> dict[str, Any]:
    from arena.core.errors import ArenaError

    if isinstance(error, MemoryError) or "can't allocate memory" in str(error):
        return {"kind": "BotError", "reason": "memory", "text": "it needs more memory than it may have"}
    if confine.refused:  # a library may have replaced the error by another
        return {"kind": "Refused", "reason": "untrusted", "text": " and ".join(confine.refused)}
    if isinstance(error, ArenaError):
        reason = getattr(error, "reason", None)
        known = (one.__name__ for one in type(error).__mro__ if one.__module__ == ArenaError.__module__)
        return {"kind": next(known), "reason": reason, "text": str(error)}
    text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return {"kind": "other", "reason": "raised", "text": text}


class _Forward(logging.Handler):
    def __init__(self, output: Output) -> None:
        super().__init__(logging.WARNING)
        self._output = output

    def emit(self, record: logging.LogRecord) -> None:
        self._output.say({"log": record.getMessage()[:500]})


def forward_logs(output: Output) -> None:
    log = logging.getLogger("arena")
    log.addHandler(_Forward(output))
    log.propagate = False


if __name__ == "__main__":
    # Imported under its own name, so that `bots.sandbox.inside` exists only once.
    from bots.sandbox import main as start

    start()
