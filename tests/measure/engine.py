"""The engine with the larger models: against llama.cpp's own server, the same file, slots and threads.

python -m tests.measure engine; models, turns and dialogues by ARENA_MODELS, ARENA_TURNS, ARENA_DIALOGUES.
llama.cpp comes with `pip install xllamacpp`. Whoever does not play is stopped, so that it takes no processor.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from arena.bench.generation import bot
from arena.bench.talk import TOKENS, Talk, play_turns, saying
from bots import registry, weights
from bots.base import Bot, RunOptions
from bots.batching import DialogueCounter

MODELS = os.environ.get("ARENA_MODELS", "qwen2.5-coder-0.5b qwen2.5-coder-1.5b").split()
TURNS = int(os.environ.get("ARENA_TURNS", "4"))
DIALOGUES = int(os.environ.get("ARENA_DIALOGUES", "32"))
CONTEXT = 1024  # tokens of each of llama.cpp's slots
SERVER = """
import sys, xllamacpp
params = xllamacpp.CommonParams()
params.model.path, params.port, params.verbosity, streams = sys.argv[1], 0, 0, int(sys.argv[2])
params.n_parallel, params.n_ctx = streams, streams * int(sys.argv[4])
params.cpuparams.n_threads = params.cpuparams_batch.n_threads = int(sys.argv[3])
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


class Competitor:
    """A bot, its dialogues, and the process that does the work (None: this one)."""

    def __init__(self, name: str, player: Bot, process: int | None) -> None:
        self.name = name
        self.player = player
        self.process = process
        self.talks = [Talk(f"{name}{n}", n) for n in range(DIALOGUES)]
        self.replies: list[int] = []
        self.seconds: list[float] = []
        self.cpu: list[float] = []
        self.company = DialogueCounter()
        player.attend(self.company)

    async def play(self) -> None:
        with awake(self.process):
            begun, used = time.perf_counter(), processor(self.process)
            with self.company.dialogues(DIALOGUES):
                self.replies.append(await play_turns(self.talks, saying(self.player)))
            self.seconds.append(time.perf_counter() - begun)
            self.cpu.append(processor(self.process) - used)

    def facts(self) -> dict[str, Any]:
        return {
            "replies": sum(self.replies),
            "replies_per_second": round(sum(self.replies) / sum(self.seconds), 3),
            "replies_per_processor_second": round(sum(self.replies) / sum(self.cpu), 3),
            "seconds_each_turn": [round(one, 1) for one in self.seconds],
            "peak_mb": round(memory(self.process)),
        }


@contextmanager
def awake(process: int | None) -> Iterator[None]:
    if process is None:
        yield
        return
    os.kill(process, signal.SIGCONT)
    try:
        yield
    finally:
        os.kill(process, signal.SIGSTOP)


def processor(process: int | None) -> float:
    """Processor seconds that the process has used."""
    fields = Path(f"/proc/{process or 'self'}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(process: int | None) -> float:
    lines = Path(f"/proc/{process or 'self'}/status").read_text().splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:"))


@contextmanager
def llama(file: Path, threads: int) -> Iterator[tuple[str, int]]:
    """The server's address and process."""
    words = [sys.executable, "-c", SERVER, str(file), str(DIALOGUES), str(threads), str(CONTEXT)]
    process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process.stdout.readline().strip(), process.pid
    finally:
        process.kill()
        process.wait()


async def against_llama(name: str) -> dict[str, Any]:
    """Both play the same kind of talk, a turn of one after a turn of the other."""
    import torch

    threads = torch.get_num_threads()
    with llama(weights.need(name), threads) as (address, process):
        served = {
            "model": "m",
            "base_url": f"{address}/v1",
            "max_concurrency": DIALOGUES,
            "timeout": 7200,
            "decoding": {"max_tokens": TOKENS, "top_p": 0.9, "temperature": 1.0},
            "body": {"ignore_eos": True, "cache_prompt": True},
        }
        theirs = registry.create(registry.spec("llama", "openai", served), RunOptions())
        ours = bot("auto", DIALOGUES, f"{weights.PREFIX}{name}")
        competitors = [Competitor("engine", ours, None), Competitor("llama", theirs, process)]
        os.kill(process, signal.SIGSTOP)
        for turn in range(TURNS):
            for one in competitors if turn % 2 else reversed(competitors):
                await one.play()
                print(f"   turn {turn + 1} of {TURNS}: {one.name} {one.seconds[-1]:.1f} s", flush=True)
        engine, other = (one.facts() for one in competitors)
        engine["stats"] = dict(ours.stats())
        for one in competitors:
            await one.player.close()
    return {
        "model": name,
        "threads": threads,
        "load": [round(one, 1) for one in os.getloadavg()],
        "engine": engine,
        "llama": other,
        "ratio": round(engine["replies_per_second"] / other["replies_per_second"], 2),
        "ratio_by_processor": round(
            engine["replies_per_processor_second"] / other["replies_per_processor_second"], 2
        ),
    }


def main() -> None:
    try:
        import xllamacpp  # noqa: F401
    except ImportError:
        print("llama.cpp's server is not installed: pip install xllamacpp")
        return
    for name in MODELS:
        print(json.dumps(asyncio.run(against_llama(name))), flush=True)
