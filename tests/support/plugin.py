"""A package of plug-ins made on the spot, found by entry points in this process and in every child."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from arena.core import plugins

BOTS = '''
import asyncio, logging, mmap, os, signal, time
from pydantic import BaseModel, ConfigDict
from bots.base import Reply
from bots.scripted import adapter as scripted
from bots.simple import SimpleAdapter


class Latency:
    """A scripted bot behind a slow wire that takes few calls at once."""

    def __init__(self, settings):
        self.bot = scripted.create({"sheet_seed": settings["sheet_seed"], "fickleness": 0.3}, None)
        self.seconds = settings["seconds"]
        self.gate = asyncio.Semaphore(settings["at_once"])

    async def reply(self, requests):
        return list(await asyncio.gather(*(self.one(r) for r in requests)))

    async def one(self, request):
        async with self.gate:
            await asyncio.sleep(self.seconds)
        return (await self.bot.reply([request]))[0]

    async def close(self):
        pass


class Crashing(Latency):
    """Takes its process with it at every so many calls."""

    def __init__(self, settings):
        super().__init__(settings)
        self.left = settings["calls"]

    async def one(self, request):
        self.left -= 1
        if self.left <= 0:
            os._exit(1)
        return await super().one(request)


class Obedient:
    """Does what it is told, as code from a stranger might."""

    def __init__(self, settings):
        self.port = settings["port"]

    async def reply(self, requests):
        replies = [await asyncio.to_thread(self.obey, r.history[-1].text) for r in requests]
        return [one if isinstance(one, Reply) else Reply(one) for one in replies]

    def obey(self, order):
        if order == "die":
            os.kill(os.getpid(), 9)
        if order == "fill":
            return f"{len(bytearray(8 << 30))} bytes"
        if order == "environment":
            return " ".join(f"{key}={value}" for key, value in sorted(os.environ.items()))
        if order == "connect":
            import ctypes  # below Python's own sockets, where no hook of Python's is asked
            libc = ctypes.CDLL(None, use_errno=True)
            handle = libc.socket(2, 1, 0)
            there = (2).to_bytes(2, "little") + self.port.to_bytes(2, "big") + bytes((127, 0, 0, 1)) + bytes(8)
            if libc.connect(handle, there, 16) == 0:
                return "connected"
            return os.strerror(ctypes.get_errno())
        if order == "share":
            shared = mmap.mmap(-1, 3 << 30)  # of which RLIMIT_DATA knows nothing
            for start in range(0, 3 << 30, 4096):
                shared[start] = 1
            time.sleep(60)
        if order == "multiply":
            for _ in range(5):
                if os.fork() == 0:
                    held = bytes(b"x" * (400 << 20))
                    time.sleep(60)
            time.sleep(60)
        if order.startswith("leave"):
            if os.fork() == 0:
                if order == "leave for good":
                    os.setsid()
                time.sleep(15)
                os._exit(0)
            os._exit(3)
        if order == "stop":
            os.kill(os.getpid(), signal.SIGSTOP)
        if order == "read the keys":
            with open(f"/proc/{os.getppid()}/environ", "rb") as file:
                return f"{len(file.read())} bytes"
        if order == "lie":
            for handle in range(3, 20):
                try:
                    os.write(handle, b'{"id": [], "replies": []}\\n')
                except OSError:
                    pass
        if order == "log":
            for number in range(5000):
                logging.getLogger("arena").warning("message %d", number)
        if order == "cost":
            return Reply("x", cost=1e999)
        if order == "count":
            return Reply("x", tokens_in=10 ** 300)
        if order == "facts":
            return Reply("x", facts={"a": 1e999})
        if order == "deep":
            facts = {}
            for _ in range(400):
                facts = {"a": facts}
            return Reply("x", facts=facts)
        if order == "print":
            print('{"id": 1, "replies": []}', flush=True)
        if order == "nonsense":
            return float("nan")
        return "as you say: " + order

    async def close(self):
        pass


class ObedientSettings(BaseModel):
    port: int = 0


class Missing:
    """A bot whose model is not here."""

    def __init__(self, settings):
        from arena.core.errors import MissingPart
        raise MissingPart("There is no model here: fetch it.")


class MissingSettings(BaseModel):
    model: str


class LatencySettings(BaseModel):
    model_config = ConfigDict(extra="forbid")
    seconds: float = 0.05
    at_once: int = 1000
    sheet_seed: int = 0


class CrashingSettings(LatencySettings):
    calls: int = 50
    seconds: float = 0.001


class Adapter(SimpleAdapter):
    def __init__(self, made, settings):
        self.made, self.Settings = made, settings
        self.what = made.__doc__

    def revision(self, settings):
        return "1"

    def create(self, settings, run):
        return self.made(self.Settings.model_validate(
            {k: settings[k] for k in self.Settings.model_fields if k in settings}).model_dump())


class Absent(Adapter):
    def available(self, settings=None):
        return False, "its weights are not here, fetch them with 'arena models fetch absent'."


class AbsentPart:
    """An extractor, writer or judge whose model is not here."""

    Settings = MissingSettings
    shorthand = None

    def __init__(self, command):
        self.command = command

    def __call__(self, settings):
        raise AssertionError("made, although it is not available")

    create = __call__

    def revision(self, settings):
        return "1"

    def available(self, settings=None):
        return False, f"its model is not here, fetch it with '{self.command}'."


absent = Absent(Missing, MissingSettings)
absent_extractor = AbsentPart("arena models fetch extractor")
absent_writer = AbsentPart("arena models fetch writer")
absent_judge = AbsentPart("arena models fetch absent")
latency = Adapter(Latency, LatencySettings)
crashing = Adapter(Crashing, CrashingSettings)
missing = Adapter(Missing, MissingSettings)
obedient = Adapter(Obedient, ObedientSettings)
'''


def write(folder: Path) -> Path:
    """The package as pip would have installed it."""
    (folder / "arena_test_plugins.py").write_text(BOTS)
    info = folder / "arena_test_plugins-1.0.dist-info"
    info.mkdir(exist_ok=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: arena-test-plugins\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        "[arena.bots]\nlatency = arena_test_plugins:latency\ncrashing = arena_test_plugins:crashing\n"
        "missing = arena_test_plugins:missing\nobedient = arena_test_plugins:obedient\n"
        "absent = arena_test_plugins:absent\n"
        "[arena.entities]\nabsent = arena_test_plugins:absent_extractor\n"
        "[arena.questions]\nabsent = arena_test_plugins:absent_writer\n"
        "[arena.judges]\nabsent = arena_test_plugins:absent_judge\n"
    )
    return folder


@contextmanager
def installed(folder: Path) -> Iterator[None]:
    """On the path of this process and of those it starts."""
    write(folder)
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(folder), before]))
    sys.path.insert(0, str(folder))
    plugins._found.cache_clear()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        sys.modules.pop("arena_test_plugins", None)
        plugins._found.cache_clear()
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before
