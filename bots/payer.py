"""The process of a bot that is paid by call. It ends after its last call, even if the run was killed before.

`bots.paid` starts it as `python -m bots.payer`. It is not a child process, because Ray ends the children of a
worker that ends.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import pickle
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from arena.core.types import BotSpec
from bots import paid, registry
from bots.accounts import Account
from bots.base import Bot, RunOptions
from bots.sandbox import Output, answer_one, error_of, forward_logs, private_output


class Lasting(Output):
    """An output that ignores errors after its reader has gone. Paid replies are stored in any case."""

    def say(self, message: Mapping[str, Any]) -> None:
        with suppress(OSError, ValueError), self.lock:
            self.stream.write(json.dumps(message).encode() + b"\n")
            self.stream.flush()


def main() -> None:
    if os.fork():
        os._exit(0)
    paid.inside = True
    output = Lasting(private_output().stream)
    order = json.loads(sys.stdin.buffer.readline())
    forward_logs(output)
    try:
        account: Account = pickle.loads(base64.b64decode(order["account"]))  # from the run that started this
        run = RunOptions(**order["run"], account=account, keep_replies=True)
        bot = registry.create(BotSpec(*order["spec"]), run)
    except BaseException as error:
        output.say({"failed": error_of(error)})
        output.leave(0)
    output.say({"ready": []})
    try:
        asyncio.run(serve(bot, account, output))
    finally:
        output.leave(0)


async def serve(bot: Bot, account: Account, output: Output) -> None:
    """Answers messages until the input ends, and then finishes the calls in progress."""
    loop = asyncio.get_running_loop()
    lines: asyncio.Queue[bytes | None] = asyncio.Queue()

    def read() -> None:
        for line in sys.stdin.buffer:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, None)

    threading.Thread(target=read, daemon=True).start()
    tasks: set[asyncio.Task[None]] = set()
    while (line := await lines.get()) is not None:
        task = loop.create_task(answer_one(bot, json.loads(line), output, account.stored))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
    account.stop()
    await asyncio.gather(*tasks, return_exceptions=True)
    await bot.close()
    await account.close()


if __name__ == "__main__":
    # Imported under its own name, so that each class exists only once.
    from bots.payer import main as start

    start()
