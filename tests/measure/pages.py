"""How long pages take with a million inquiries and a million findings, and the next item with 100,000 in the queue."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
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
    "launch": "Dialogues per pair",
    "bot": "Its worst contradictions",
    "transcripts&check=history": "messages in",
    "transcripts&dialogue=k77": "Messages that contradict",
    "label&rater=Ann&form=finding": "Are both statements about the speaker?",
    "organiser&form=finding": "in the queue",
}
ITEMS = 60
PEOPLE, EACH = 20, 25


def summarised(file: Path) -> None:
    """As the program leaves a database after a run."""
    from db import Database, connect, summaries

    summaries.summarise(Database(connect(f"sqlite:///{file}")), 1)


def main(part: str = "") -> None:
    """All parts, or one of them. With MEASURE_FOLDER set, databases are kept there and taken from there."""
    if (reason := missing()) is not None:
        print(reason)
        return
    parts = {"shows": shows, "under_way": under_way, "items": items, "at_once": at_once}
    with contextlib.ExitStack() as stack:
        kept = os.environ.get("MEASURE_FOLDER")
        folder = Path(kept or stack.enter_context(tempfile.TemporaryDirectory()))
        for name, measure in parts.items():
            if part in ("", name):
                print(f"{name}: load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
                measure(folder)


def million(folder: Path) -> Path:
    """A million inquiries and a million findings of 250,000 dialogues between 50 bots, packed as after a run."""
    file = folder / "million.db"
    if not file.exists():
        played, asked = generate(file, 50, 100)
        summarised(file)
        print(f"{asked:,} inquiries of {played:,} dialogues, {findings(file, 1_000_000):,} findings")
    return file


def hundred_thousand(folder: Path) -> Path:
    """A queue of so many inquiries, and one of as many findings."""
    file = folder / "queue.db"
    if not file.exists():
        _, asked = generate(file, 10, 250)
        print(f"{asked:,} inquiries and {findings(file, 100_000):,} findings to label")
    return file


def findings(file: Path, number: int) -> int:
    """Ten messages in each dialogue, and what the check `history` made of those of the bot under test."""
    base = sqlite3.connect(file, isolation_level=None)
    base.execute("PRAGMA synchronous = OFF")
    base.execute("BEGIN")
    dialogues = [id for (id,) in base.execute("SELECT id FROM dialogues ORDER BY id LIMIT ?", [number // 4])]
    talk = [f"I have {n + 2} dogs and live in town {n % 7}." for n in range(10)]
    base.executemany(
        'INSERT INTO messages (dialogue, "index", seat, text, hash, parent) VALUES (?, ?, ?, ?, ?, ?)',
        (
            (id, at, at % 2, talk[at], f"h{id}.{at}", f"h{id}.{at - 1}" if at else None)
            for id in dialogues
            for at in range(10)
        ),
    )
    evidence = {
        at: f'{{"earlier": "{talk[at - 2]}", "later": "{talk[at]}", "message": {at - 2}, "pairs": 2}}'
        for at in (3, 5, 7, 9)
    }
    rows = (
        (1, "history", 2, id, at, ((id * 7 + at * 13) % 100) / 100, evidence[at])
        for id in dialogues
        for at in (3, 5, 7, 9)
    )
    base.executemany(
        "INSERT INTO message_verdicts (judge, check_name, method, dialogue, message, contradiction, evidence)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        rows,
    )
    base.execute("COMMIT")
    base.close()
    return 4 * len(dialogues)


def shows(folder: Path) -> None:
    """First visit after the server's start, then again, each in a page of its own."""
    file = million(folder)
    server = Server(f"sqlite:///{file}", folder / "state")
    browser = Browser()
    try:
        browser.open(server, "launch")  # the browser has the program's scripts from here on
        for page, mark in MARKS.items():
            seconds = []
            used = cpu(server)
            for _ in range(4):
                began = time.perf_counter()
                name, _, more = page.partition("&")
                browser.driver.get(f"{server.url}/{name}?tournament=big&token={TOKEN}&{more}")
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


def under_way(folder: Path) -> None:
    """The same pages once people have labelled, while another tournament is played into the same database."""
    file = Path(shutil.copy(million(folder), folder / "under-way.db"))
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
        file.unlink()


def queued(file: Path, form: str) -> float:
    """Seconds that the order of all items takes to work out."""
    from arena.labelling import work as labelling
    from arena.labelling.schemas import SCHEMAS
    from db import Repository, connect

    desk = labelling.desk(Repository(connect(f"sqlite:///{file}")), SCHEMAS[form])
    began = time.perf_counter()
    labelling.queue(desk.waiting("big"), desk.task("big"))
    return time.perf_counter() - began


def label(file: Path, number: int = 3000) -> None:
    from arena.core.types import Label
    from db import Database, connect
    from db.labels import Labels

    labels = [
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
    Labels(Database(connect(f"sqlite:///{file}"))).put(labels, 0.0)


def cpu(server: Server) -> float:
    """Seconds of CPU that the server has used: unlike the clock, they do not depend on who else works here."""
    fields = Path(f"/proc/{server.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def items(folder: Path) -> None:
    """From the last key of an item to the next item, as the browser sees it."""
    file = hundred_thousand(folder)
    for form in ("aih", "finding"):
        print(f"{form}: the queue made in {queued(file, form):.2f} s")
        keys_of_items(file, folder, form)


def keys_of_items(file: Path, folder: Path, form: str) -> None:
    keys, last, mark = {
        "aih": ((("1", "what was said? Yes"), ("4", "to the question? Yes")), "8", "It was asked"),
        "finding": ((("1", "about the speaker? Yes"),), "5", "The bot said later"),
    }[form]
    server = Server(f"sqlite:///{file}", folder / "state")
    browser = Browser()
    try:
        browser.open(server, "launch")
        began = time.perf_counter()
        rater = f"Ann-{time.time():.0f}"
        browser.driver.get(f"{server.url}/label?tournament=big&rater={rater}&form={form}&token={TOKEN}")
        browser.sees(mark, 120)
        print(f"{form}, first item: {time.perf_counter() - began:.1f} s")
        browser.settle()
        seconds = []
        used = cpu(server)
        for _ in range(ITEMS):
            shown = subject(browser)
            for key, state in keys:
                browser.press(key)
                browser.sees(state)
            began = time.perf_counter()
            browser.press(last)
            until(lambda shown=shown: subject(browser) not in ("", shown), 30, "the next item")  # type: ignore[misc]
            seconds.append(time.perf_counter() - began)
        used = (cpu(server) - used) / ITEMS
        print(f"{form}, key to next item over {ITEMS} items: {spread(seconds)}; {used:.2f} s of CPU an item")
    finally:
        browser.close()
        server.stop()


def subject(browser: Browser) -> str:
    result = browser.run(
        "const b=document.querySelector('[class*=\"_contradicts_\"]');"
        "return b ? [...b.classList].find(c => c.includes('_contradicts_')) : ''"
    )
    return str(result)


def spread(seconds: list[float]) -> str:
    ordered = sorted(seconds)
    return (
        f"median {statistics.median(ordered):.2f} s, 95% {ordered[int(0.95 * len(ordered))]:.2f} s, "
        f"longest {ordered[-1]:.2f} s"
    )


def at_once(folder: Path) -> None:
    for form in ("aih", "finding"):
        people_at_once(hundred_thousand(folder), form)


def people_at_once(file: Path, name: str) -> None:
    """Twenty people at the desk, each in a thread as the page server has them; no answer may be missing at the end."""
    from arena.core.types import Label
    from arena.labelling import work as labelling
    from arena.labelling.schemas import SCHEMAS
    from db import Repository, connect
    from db.labels import Labels

    form = SCHEMAS[name]
    store = Repository(connect(f"sqlite:///{file}"))
    desk = labelling.desk(store, form)
    queue = labelling.queue(desk.waiting("big"), desk.task("big"))
    before = {(label.subject, label.person) for label in Labels(store).of(None, name)}
    given: list[tuple[str, str]] = []
    seconds: list[float] = []
    gate = threading.Barrier(PEOPLE)

    def work(person: str) -> None:
        gate.wait()
        for _ in range(EACH):
            began = time.perf_counter()
            item = desk.next(queue, person, form.complete, 3, time.time())
            assert item is not None
            seconds.append(time.perf_counter() - began)
            for question in form.asked:
                began = time.perf_counter()
                label = Label(item, desk.subject_type, name, person, {question.name: True})
                desk.answer(label, form.complete, time.time())
                seconds.append(time.perf_counter() - began)
            given.append((item, person))

    threads = [threading.Thread(target=work, args=(f"many{n:02}",)) for n in range(PEOPLE)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    stored = [label for label in Labels(store).of(None, name) if (label.subject, label.person) not in before]
    lost = {*given} - {(label.subject, label.person) for label in stored if form.complete(label.values)}
    assert len(given) == PEOPLE * EACH and not lost and len(stored) == len(given), (len(given), lost)
    print(
        f"{name}: {PEOPLE} people, {EACH} items each, at once: none of {len(given)} labels lost or twice; "
        f"one write or hand-out {spread(seconds)}"
    )


if __name__ == "__main__":
    main()
