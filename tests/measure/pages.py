"""How long pages take to show with a million inquiries, and the next item with 100,000 in the queue."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests.measure.millions import generate
from tests.support import plugin
from tests.support.tournaments import text
from tests.ui.browser import TOKEN, Browser, Server, missing, until

MARKS = {
    "leaderboard": "95% interval",
    "transcripts": "searched",
    "releases": "Two judged tournaments",
    "label": "Start labelling",
    "organiser": "in the queue",
    "chat": "Meet a bot",
    "launch": "Dialogues a pair",
}
ITEMS = 60


def summarised(file: Path) -> None:
    """As the program leaves a database after a run."""
    from db import connect, summaries

    summaries.summarise(connect(f"sqlite:///{file}"), 1)


def main(bots: int = 50, dialogues: int = 100) -> None:
    if (reason := missing()) is not None:
        print(reason)
        return
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "million.db"
        played, asked = generate(file, bots, dialogues)
        summarised(file)
        print(f"{asked:,} inquiries of {played:,} dialogues, {bots} bots")
        shows(file, Path(folder))
        under_way(file, Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "queue.db"
        _, asked = generate(file, 10, 250)
        print(f"a queue of {asked:,}, made in {queued(file):.2f} s")
        items(file, Path(folder))


def shows(file: Path, folder: Path) -> None:
    """First visit after the server's start, then again, each in a page of its own."""
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    server = Server(f"sqlite:///{file}", folder / "state")
    browser = Browser()
    try:
        browser.open(server, "launch")  # the browser has the program's scripts from here on
        for page, mark in MARKS.items():
            seconds = []
            used = cpu(server)
            for _ in range(4):
                began = time.perf_counter()
                browser.driver.get(f"{server.url}/{page}?tournament=big&token={TOKEN}")
                browser.sees(mark, 120)
                seconds.append(time.perf_counter() - began)
                browser.settle()
            print(
                f"{page}: first {seconds[0]:.2f} s, then {statistics.median(seconds[1:]):.2f} s; "
                f"{(cpu(server) - used) / 4:.2f} s of the server's CPU a visit"
            )
        for view in ("Pairs", "τ and distance", "Kinds and entities", "Stability"):
            browser.open(server, "leaderboard", tournament="big")
            began = time.perf_counter()
            browser.click(view)
            print(f"leaderboard, {view}: {time.perf_counter() - began - 0.4:.2f} s")
    finally:
        browser.close()
        server.stop()


def under_way(file: Path, folder: Path) -> None:
    """The same pages once people have labelled, while another tournament is played into the same database."""
    label(file)
    slow = [f"  - {{name: s{n}, adapter: latency, seconds: 0.05, sheet_seed: {n}}}" for n in range(3)]
    (folder / "other.yaml").write_text(text(*slow, dialogues=1000, turns=6))
    with plugin.installed(folder):
        call = ["run", str(folder / "other.yaml"), "--db", f"sqlite:///{file}", "--concurrency", "8"]
        other = subprocess.Popen([sys.executable, "-m", "arena", *call], stderr=subprocess.DEVNULL)
    server = Server(f"sqlite:///{file}", folder / "state")
    browser = Browser()
    try:
        browser.open(server, "launch")
        for page in ("leaderboard", "transcripts", "organiser"):
            seconds = []
            for _ in range(5):
                began = time.perf_counter()
                browser.driver.get(f"{server.url}/{page}?tournament=big&token={TOKEN}")
                browser.sees(MARKS[page], 120)
                seconds.append(time.perf_counter() - began)
                browser.settle()
            print(
                f"{page}, with labels and another tournament under way: first {seconds[0]:.2f} s, "
                f"then {statistics.median(seconds[1:]):.2f} s"
            )
        assert other.poll() is None, "the other tournament was over too soon"
    finally:
        other.terminate()
        other.wait()
        browser.close()
        server.stop()


def queued(file: Path) -> float:
    """Seconds that the order of all items takes to work out."""
    from arena.labelling import work as labelling
    from db import connect

    desk = labelling.desk(connect(f"sqlite:///{file}"))
    began = time.perf_counter()
    labelling.queue(desk.waiting("big"), desk.task("big"))
    return time.perf_counter() - began


def label(file: Path, number: int = 3000) -> None:
    from arena.core.types import Label
    from db import connect
    from db.labels import Labels

    said = [
        Label(
            f"q{1 + n * 300}",
            "inquiry",
            "aih",
            f"p{k}",
            {"appropriate": True, "relevant": n % 9 > 0, "contradicts": n % 3 > 0},
        )
        for n in range(number // 3)
        for k in range(3)
    ]
    Labels(connect(f"sqlite:///{file}")).put(said, 0.0)


def cpu(server: Server) -> float:
    """Seconds of CPU that the server has used: unlike the clock, they do not depend on who else works here."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def items(file: Path, folder: Path) -> None:
    """From the third key of an item to the next item, as the browser sees it."""
    server = Server(f"sqlite:///{file}", folder / "state")
    browser = Browser()
    try:
        browser.open(server, "launch")
        began = time.perf_counter()
        browser.open(server, "label", tournament="big", rater="Ann")
        browser.sees("It was asked", 120)
        print(f"first item: {time.perf_counter() - began:.1f} s")
        seconds = []
        for _ in range(ITEMS):
            shown = subject(browser)
            for key, state in (("1", "what was said? Yes"), ("4", "to the question? Yes")):
                browser.press(key)
                browser.sees(state)
            began = time.perf_counter()
            browser.press("8")
            until(lambda shown=shown: subject(browser) not in ("", shown), 30, "the next item")  # type: ignore[misc]
            seconds.append(time.perf_counter() - began)
        ordered = sorted(seconds)
        print(
            f"key to next item over {ITEMS} items: median {statistics.median(ordered):.2f} s, "
            f"95% {ordered[int(0.95 * ITEMS)]:.2f} s, longest {ordered[-1]:.2f} s"
        )
    finally:
        browser.close()
        server.stop()


def subject(browser: Browser) -> str:
    found = browser.run(
        "const b=document.querySelector('[class*=\"_contradicts_7\"]');"
        "return b ? [...b.classList].find(c => c.endsWith('_contradicts_7')) : ''"
    )
    return str(found)


if __name__ == "__main__":
    main()
