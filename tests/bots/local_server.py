"""A small HTTP/1.1 server on 127.0.0.1 whose answers a test decides, down to the bytes."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

Answer = tuple[int, dict[str, str], bytes]


@dataclass
class Call:
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


def ok(value: Any, status: int = 200, **headers: str) -> Answer:
    return status, headers, json.dumps(value).encode()


def completion(text: str | None, **more: Any) -> Answer:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    return ok({"choices": [choice], "usage": {"prompt_tokens": 10, "completion_tokens": 2}} | more)


@dataclass
class Server:
    """`handle` gives (status, headers, body), or raw bytes to send as they are before hanging up."""

    handle: Callable[[Call], Awaitable[Answer | bytes]]
    port: int = 0
    talks: set[asyncio.Task[None]] = field(default_factory=set)
    calls: list[Call] = field(default_factory=list)
    arrivals: list[float] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = asyncio.current_task()
        assert talk is not None
        self.talks.add(talk)
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                self.arrivals.append(time.monotonic())
                first, *rest = head.decode("latin-1").strip().split("\r\n")
                headers = {k.lower(): v for k, v in (line.split(": ", 1) for line in rest)}
                body = await reader.readexactly(int(headers.get("content-length", 0)))
                call = Call(first.split()[1], headers, body)
                self.calls.append(call)
                answer = await self.handle(call)
                if isinstance(answer, bytes):
                    writer.write(answer)
                    break
                status, extra, content = answer
                lines = [f"HTTP/1.1 {status} X", f"Content-Length: {len(content)}"]
                lines += [f"{key}: {value}" for key, value in extra.items()]
                writer.write("\r\n".join(lines).encode() + b"\r\n\r\n" + content)
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            pass
        finally:
            writer.close()
            self.talks.discard(talk)


@asynccontextmanager
async def serve(handle: Callable[[Call], Awaitable[Answer | bytes]]) -> AsyncIterator[Server]:
    server = Server(handle)
    listening = await asyncio.start_server(server.talk, "127.0.0.1", 0, backlog=1024)
    server.port = listening.sockets[0].getsockname()[1]
    try:
        yield server
    finally:
        listening.close()
        for talk in list(server.talks):
            talk.cancel()
        await asyncio.gather(*server.talks, return_exceptions=True)


def main() -> None:
    """As a process of its own: prints its port, answers, and at the end of input when calls arrived."""
    import sys

    async def answer(call: Call) -> Answer:
        return completion(f"you said {call.json['messages'][-1]['content']}")

    async def run() -> None:
        async with serve(answer) as server:
            print(server.port, flush=True)
            await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
            print(json.dumps(server.arrivals), flush=True)

    asyncio.run(run())


if __name__ == "__main__":
    main()
