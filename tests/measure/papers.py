"""The papers' parts that take minutes: Q² all at once against one pair at a time, its controls, BEGIN, ConsisTest.

python -m tests.measure papers, or one of them: python -m tests.measure.papers q2-speed
"""

from __future__ import annotations

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from arena.validation import q2
from judges.q2.judge import Q2, TAU, Q2Settings, parts
from judges.q2.parts import Options, Parts, Span, Text
from judges.q2.pipeline import scored

ROUNDS = 5
BOT = "embedded:smollm2-135m"
SAMPLES = 300
_ARENA = (sys.executable, "-m", "arena")
DATA = Path(os.environ.get("ARENA_DATA") or Path(__file__).parents[3] / "shared" / "data")


class OneByOne:
    """The same part, a call for each pair."""

    def __init__(self, inner: Any) -> None:
        self.inner = inner
        self.revision = inner.revision

    def find(self, texts: Sequence[str]) -> list[Any]:
        return [self.inner.find([text])[0] for text in texts]

    def ask(self, tasks: Sequence[tuple[str, Span]], most: int) -> list[Any]:
        return [self.inner.ask([task], most)[0] for task in tasks]

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Any]:
        return [self.inner.read([pair])[0] for pair in pairs]

    def score(self, pairs: Sequence[tuple[str, str]]) -> list[Any]:
        return [self.inner.score([pair])[0] for pair in pairs]


def q2_speed(most: int = 600) -> None:
    """Q² over the published responses, or some of them: all at once, one response at a time, and one pair at a time.

    Each round scores a fifth of the responses in all three ways, one after the other, so that a busy minute slows all.
    """
    every = [Text(item.response, item.knowledge) for item in q2.load(DATA / "q2").items]
    texts = every[:: max(1, len(every) // most)]
    settings = Q2Settings()
    judge = Q2("q2", settings, parts(settings))
    options, built = judge.options(grounded=True), judge.parts
    singly: Any = [OneByOne(part) for part in (built.finder, built.asker, built.reader, built.inference)]
    ways: dict[str, Callable[[Sequence[Text]], list[float | None]]] = {
        "at once": lambda some: values(some, built, options),
        "one response at a time": lambda some: [values([text], built, options)[0] for text in some],
        "one pair at a time": lambda some: values(some, Parts(*singly), options),
    }
    values(texts[:8], built, options)  # weights are read outside the clock
    spent: dict[str, list[tuple[float, float]]] = {name: [] for name in ways}
    scores: dict[str, list[float | None]] = {name: [] for name in ways}
    for turn in range(ROUNDS):
        for name in sorted(ways, reverse=bool(turn % 2)):
            began = time.perf_counter(), time.process_time()
            scores[name] += ways[name](texts[turn::ROUNDS])
            spent[name].append((time.perf_counter() - began[0], time.process_time() - began[1]))
    for name, pairs in spent.items():
        seconds, work = zip(*pairs, strict=True)
        print(f"   {len(texts) // ROUNDS} responses {name}, {ROUNDS} rounds:", end="")
        print(f" {_range(seconds)} s, of a processor {_range(work)} s")
        if name != "at once":
            for what, place in (("seconds", 0), ("processor seconds", 1)):
                ratios = [a[place] / b[place] for a, b in zip(pairs, spent["at once"], strict=True)]
                print(f"      ratio of {what}: {_range(ratios, 2)}, median {statistics.median(ratios):.2f}")
            print(f"      {_differences(scores['at once'], scores[name])}")
    began = time.perf_counter(), time.process_time()
    values(texts, built, options)
    print(f"   all {len(texts)} responses at once: {time.perf_counter() - began[0]:.1f} s,", end="")
    print(f" of a processor {time.process_time() - began[1]:.1f} s")


def values(texts: Sequence[Text], built: Parts, options: Options) -> list[float | None]:
    return [score.value for score in scored(texts, built, options)]


def _differences(first: Sequence[float | None], second: Sequence[float | None]) -> str:
    both = [(a, b) for a, b in zip(first, second, strict=True) if a is not None and b is not None]
    largest = max(abs(a - b) for a, b in both)
    other = sum((1 - a > TAU) != (1 - b > TAU) for a, b in both)
    return f"largest difference of a score {largest:.4f}, other verdicts {other} of {len(both)}"


def _range(numbers: Sequence[float], digits: int = 1) -> str:
    return f"{min(numbers):.{digits}f} to {max(numbers):.{digits}f}"


def q2_tables() -> None:
    """Q²'s tables with the controls: `arena validate q2`."""
    _shown("validate", "q2", "--data", str(DATA / "q2"), "--rounds", "300")


def begin_tables() -> None:
    """BEGIN's development files: `arena validate begin`."""
    judges = ("begin", "nli", "q2", "overlap", "similarity", "bleu")
    words = [word for judge in judges for word in ("--judge", judge)]
    _shown("validate", "begin", "--data", str(DATA / "begin"), *words)


def usr_tables() -> None:
    """People's scores of replies: `arena validate usr`."""
    _shown("validate", "usr", "--data", str(DATA / "usr"), "--rounds", "300")


def decode_tables() -> None:
    """Contradictions of one speaker: `arena validate decode`."""
    _shown("validate", "decode", "--data", str(DATA / "decode"), "--rounds", "300")


def nli_tables() -> None:
    """Three-way inference: `arena validate nli`."""
    file = DATA / "nli" / "mnli_dev_matched.tsv"
    _shown("validate", "nli", "--data", str(file), "--limit", "3000", "--rounds", "300")


def interrogation() -> None:
    """`arena interrogate` over a sample: its minutes, and whether a killed one goes on without asking twice."""
    with tempfile.TemporaryDirectory() as folder:
        whole, killed = Path(folder) / "whole.db", Path(folder) / "killed.db"
        began = time.perf_counter()
        first = json.loads(_run(*_asking(whole)))
        print(f"   {SAMPLES} samples in {time.perf_counter() - began:.0f} s: {_scores(first)}")
        process = subprocess.Popen(_asking(killed), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while _answers(killed)[0] < SAMPLES // 3:
            time.sleep(0.2)
        process.send_signal(signal.SIGKILL)
        process.wait()
        there = _answers(killed)[0]
        began = time.perf_counter()
        again = json.loads(_run(*_asking(killed)))
        kept, different = _answers(killed)
        print(f"   killed after {there} answers, then {time.perf_counter() - began:.0f} s: {_scores(again)}")
        print(f"   answers stored {kept}, samples among them {different}")


def contexts() -> None:
    """ConsisTest's Tables 5 to 7 of the embedded model: what it scores with each context."""
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "answers.db"
        for context in ("standard", "fact", "fact-appended", "fact-first", "masked"):
            document = json.loads(_run(*_asking(db), "--context", context))
            print(f"   {context}: {_scores(document)}", flush=True)
            if context == "standard":
                print(f"   short and long answers: {json.dumps(document['yes_no_answers'])}")


def refreshed() -> None:
    """New samples of the dialogues under ConsisTest, by our rules instead of its authors' hands."""
    dialogues = json.loads((DATA / "consistest" / "valid.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        chats, new = Path(folder) / "chats.jsonl", Path(folder) / "new"
        lines = [
            json.dumps({"dialogue": name, "persona": one["persona"], "messages": one["utterances"]})
            for name, one in dialogues.items()
        ]
        chats.write_text("\n".join(lines) + "\n", encoding="utf-8")
        _run(*_ARENA, "interrogate", "--refresh", str(chats), "--data", str(new))
        for name, where in (("released", DATA / "consistest"), ("new", new)):
            print(f"   {name}: {_counted(where)}", flush=True)


def _counted(folder: Path) -> str:
    from collections import Counter

    from arena.validation.consistest import load

    result = Counter((str(s.source), "yes/no" if s.yes_no else "wh", s.extracted) for s in load(folder))
    answers = (f"{a} {b}{' extracted' if c else ''} {n:,}" for (a, b, c), n in sorted(result.items()))
    return ", ".join(answers)


def _asking(db: Path) -> list[str]:
    words = ["interrogate", BOT, "--data", str(DATA / "consistest"), "--limit", str(SAMPLES), "--json"]
    return [*_ARENA, *words, "--db", f"sqlite:///{db}"]


def _scores(seen: dict[str, Any]) -> str:
    return json.dumps({name: seen[name] for name in ("n", "all", "persona", "history")})


def _answers(db: Path) -> tuple[int, int]:
    """Stored answers, and the different samples that they are for."""
    import sqlite3
    from contextlib import closing

    try:
        with closing(sqlite3.connect(f"file:{db}?mode=ro", uri=True)) as connection:
            row = connection.execute("select count(*), count(distinct sample) from interrogations").fetchone()
    except sqlite3.OperationalError:  # not there yet
        return 0, 0
    return int(row[0]), int(row[1])


def _run(*words: str) -> str:
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def _shown(*words: str) -> None:
    began = time.perf_counter()
    for line in _run(*_ARENA, *words).splitlines():
        print(f"   {line}")
    print(f"   arena {' '.join(words[:2])}: {time.perf_counter() - began:.0f} s", flush=True)


PARTS: dict[str, Callable[[], None]] = {
    "q2-speed": q2_speed,
    "interrogation": interrogation,
    "q2": q2_tables,
    "begin": begin_tables,
    "usr": usr_tables,
    "decode": decode_tables,
    "nli": nli_tables,
    "contexts": contexts,
    "refreshed": refreshed,
}


def main(*wanted: str) -> None:
    if not DATA.is_dir():
        print(f"   no data in {DATA}: set ARENA_DATA")
        return
    for name in wanted or PARTS:
        print(f"   {name}", flush=True)
        PARTS[name]()


if __name__ == "__main__":
    main(*sys.argv[1:])
