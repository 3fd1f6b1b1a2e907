"""SIGKILLs at random instants, on SQLite and PostgreSQL: playing, judging, labelling, importing, paying by call.

KILLS sets how many of each (default 5); PARTS=sqlite/playing,postgres/paid takes only some. What a killed and
resumed command leaves must be what an undisturbed one leaves, byte for byte, and the account what the server itself
has counted. The Ray part is `kills_ray`.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from db import Repository, connect
from db.health import copy, examine
from db.labels import Labels
from tests.faults.test_budget import source, spent
from tests.support.billing import billing
from tests.support.killing import Stamp, kill_and_compare, until_done, until_it_writes, written
from tests.support.postgres import Server, binaries
from tests.support.tournaments import MOODY, STEADY, exported, play, store, text

ARENA = [sys.executable, "-m", "arena"]
PERSONA = 'persona: "I am Sam, a nurse from Boston. I have two dogs."'
CHECKED = text(
    STEADY.replace("}", f", {PERSONA}}}"),
    MOODY,
    turns=6,
    dialogues=60,
    more="checks: [inquiry, history, persona]",
).replace("judges: [truth]", "judges: [truth, lexical]")


@dataclass(frozen=True)
class Place:
    """An empty database, and a look at whether something was written there."""

    name: str
    url: str
    stamp: Stamp


def main() -> None:
    kills = int(os.environ.get("KILLS", "5"))
    wanted = os.environ.get("PARTS", "").lower().split(",") if os.environ.get("PARTS") else []
    folder = binaries()
    server = None if folder is None else Server(folder)
    if server is None:
        print("PostgreSQL: not measured, its server is not installed")
    try:
        for built in (_sqlite, _postgres):
            for part in (playing, judging, importing, labels_file, labelling, paid):
                if wanted and f"{built.__name__[1:]}/{part.__name__}".lower() not in wanted:
                    continue
                with tempfile.TemporaryDirectory() as name, built(Path(name), server) as place:
                    if place is not None:
                        print(f"{place.name}, {part.__name__}:", part(Path(name), place, kills), flush=True)
    finally:
        if server is not None:
            server.remove()


@contextmanager
def _sqlite(folder: Path, _: Server | None) -> Iterator[Place | None]:
    db = folder / "killed.db"
    yield Place("SQLite", f"sqlite:///{db}", lambda: written(db))


@contextmanager
def _postgres(_: Path, server: Server | None) -> Iterator[Place | None]:
    if server is None:
        yield None
        return
    url = server.url(f"k{uuid.uuid4().hex[:8]}")
    connect(url).dispose()  # with its tables, so that the first write is the command's own
    yield Place("PostgreSQL", url, server.position)


def playing(folder: Path, place: Place, kills: int) -> object:
    """And judging at the same time, under three checks by two judges."""
    return kill_and_compare(folder, place.url, place.stamp, kills, CHECKED, seed=1)


def judging(folder: Path, place: Place, kills: int) -> dict[str, object]:
    calm, killed = store(folder, "calm.db"), Repository(connect(place.url))
    for repository in (calm, killed):
        tournament, _ = play(repository, CHECKED, judge=False)
    words = [*ARENA, "judge", tournament.info.id, "--judge", "lexical", "--db"]
    for check in ("inquiry", "history", "persona"):
        words[-1:-1] = ["--check", check]
    subprocess.run([*words, f"sqlite:///{folder / 'calm.db'}"], check=True, capture_output=True)
    done = until_done([*words, place.url], kills, random.Random(2), place.stamp)
    return _compared(done, killed, calm, tournament.info.id)


def importing(folder: Path, place: Place, kills: int) -> dict[str, object]:
    calm, killed = store(folder, "calm.db"), Repository(connect(place.url))
    tournament, _ = play(calm, CHECKED)
    file = folder / "out.jsonl"
    file.write_text(exported(calm, tournament.info.id), encoding="utf-8", newline="")
    words = [*ARENA, "import", str(file), "--db"]
    span = _seconds([*words, f"sqlite:///{folder / 'other.db'}"])
    done = _until_whole([*words, place.url], kills, random.Random(3), span, place.stamp)
    return _compared(done, killed, calm, tournament.info.id)


def labels_file(folder: Path, place: Place, kills: int) -> dict[str, object]:
    """`arena labels import` of what one person said of each inquiry."""
    calm, killed = store(folder, "calm.db"), Repository(connect(place.url))
    for repository in (calm, killed):
        tournament, _ = play(repository, CHECKED, judge=False)
    calm_url, file = f"sqlite:///{folder / 'calm.db'}", folder / "labels.jsonl"
    _labeller(calm_url, tournament.info.id, "ann")
    words = [*ARENA, "labels", "export", "--format", "jsonl", "--out", str(file), "--db", calm_url]
    subprocess.run(words, check=True, capture_output=True)
    words = [*ARENA, "labels", "import", str(file), "--db"]
    copy(calm, folder / "other.db")
    span = _seconds([*words, f"sqlite:///{folder / 'other.db'}"])
    done = _until_whole([*words, place.url], kills, random.Random(4), span, place.stamp)
    return _compared(done, killed, calm, tournament.info.id)


def labelling(folder: Path, place: Place, kills: int) -> dict[str, object]:
    """What a person was told is stored must be there after the kill, once."""
    calm, killed = store(folder, "calm.db"), Repository(connect(place.url))
    for repository in (calm, killed):
        tournament, _ = play(repository, CHECKED, judge=False)
    id, draw = tournament.info.id, random.Random(5)
    _labeller(f"sqlite:///{folder / 'calm.db'}", id, "ann")
    done = starts = 0
    lost: set[str] = set()
    while True:
        starts += 1
        process = subprocess.Popen(_labelling(place.url, id, "ann"), stdout=subprocess.PIPE, text=True)
        if done < kills:
            until_it_writes(process, place.stamp)
            time.sleep(draw.uniform(0.0, 0.3))
            if process.poll() is None:
                process.send_signal(signal.SIGKILL)
                done += 1
        output = process.communicate()[0].splitlines(keepends=True)
        there = {label.subject for label in Labels(killed).of()}
        lost |= {line.strip() for line in output if line.endswith("\n")} - there
        if process.returncode == 0:
            return {**_compared((done, starts), killed, calm, id), "acknowledged and lost": len(lost)}


def _seconds(words: list[str]) -> float:
    began = time.monotonic()
    subprocess.run(words, check=True, capture_output=True)
    return time.monotonic() - began


def _until_whole(
    words: list[str], kills: int, draw: random.Random, span: float, stamp: Stamp
) -> tuple[int, int]:
    """Kills a command that writes all at its end: before that, last as soon as it writes; then lets it end."""
    killed = starts = 0
    while True:
        starts += 1
        process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if killed + 1 < kills:
            with suppress(subprocess.TimeoutExpired):
                process.wait(draw.uniform(0.3, 0.9) * span)
        elif killed < kills:
            until_it_writes(process, stamp)
        if killed < kills and process.poll() is None:
            process.send_signal(signal.SIGKILL)
            killed += 1
        if process.wait() == 0:
            return killed, starts


def _labelling(url: str, tournament: str, person: str) -> list[str]:
    return [sys.executable, "-m", "tests.support.labeller", url, tournament, person]


def _labeller(url: str, tournament: str, person: str) -> None:
    subprocess.run(_labelling(url, tournament, person), check=True, capture_output=True)


def _compared(done: tuple[int, int], killed: Repository, calm: Repository, id: str) -> dict[str, object]:
    facts = {
        "kills": done[0],
        "starts": done[1],
        "equal": exported(killed, id) == exported(calm, id),
        "healthy": all(check.ok for check in examine(killed)),
    }
    killed.close()
    calm.close()
    return facts


def paid(folder: Path, place: Place, kills: int) -> dict[str, object]:
    """Playing and judging with a paid judge; then the account against the server's own count."""
    draw = random.Random(6)
    with billing(seconds=0.05) as server:
        bot = f'bot: {{adapter: openai, model: m, base_url: "{server.url}", price_out: 2.0, backoff: 0}}'
        source_text = source(
            server, "{max_cost: 100}", dialogues=40, judges=f"{{judge: llm, both: false, {bot}}}"
        )
        (folder / "t.yaml").write_text(source_text)
        words = [*ARENA, "run", str(folder / "t.yaml"), "--db", place.url, "--concurrency", "20"]
        killed = starts = 0
        while True:
            starts += 1
            process = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            calls, more, until = server.calls, draw.randrange(25), time.monotonic() + 120
            while killed < kills and process.poll() is None and time.monotonic() < until:
                if server.calls > calls + more:
                    process.send_signal(signal.SIGKILL)
                    killed += 1
                    break
                time.sleep(0.003)
            if process.wait() == 0:
                break
        billed, cost = server.calls, server.cost()
        again = sum(times - 1 for times in Counter(server.seen).values())
        repository, calm = Repository(connect(place.url)), store(folder, "calm.db")
        account = spent(repository, source_text)
        tournament, _ = play(calm, source_text)
    facts = _compared((killed, starts), repository, calm, tournament.info.id)
    return {
        **facts,
        "calls billed": billed,
        "billed twice": again,
        "lost": account.lost.calls,
        "billed": round(cost, 6),
        "account": round(account.cost, 6),
    }
