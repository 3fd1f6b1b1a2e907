"""Makes the files beside it: run in a checkout of revision 0db0902, by an interpreter that has what it needs.

python …/tests/data/0db0902/make.py FOLDER     (FOLDER takes the new files; the tournament files are read here)
"""

from __future__ import annotations

import json
import lzma
import os
import random
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
JUDGES = ("nli", "truth", "strict", "hybrid")


def arena(*words: str, parse: bool = True, fine: tuple[int, ...] = (0,)) -> Any:
    done = subprocess.run([sys.executable, "-m", "arena", *words], stdout=subprocess.PIPE, text=True)
    assert done.returncode in fine, words
    return json.loads(done.stdout) if parse else done.stdout


def labels(exported: str) -> list[dict[str, Any]]:
    """Three people label some inquiries, and agree with the truth nine times of ten."""
    draw = random.Random(5)
    inquiries = [i for line in exported.splitlines() for i in json.loads(line)["inquiries"] if i["answer"]]
    rows = []
    for number, inquiry in enumerate(draw.sample(inquiries, 90)):
        scores = {verdict["judge"]: verdict["contradiction"] for verdict in inquiry["verdicts"]}
        truth = (scores["truth"] or 0) > 0.5
        for person in ("ann", "ben", "cem") if number % 3 == 0 else ("ann", "ben"):
            values = {
                "relevant": draw.random() < 0.9,
                "appropriate": draw.random() < 0.8,
                "contradicts": truth if draw.random() < 0.9 else not truth,
            }
            row = {"subject": inquiry["id"], "schema": "aih", "person": person, "values": values}
            rows.append(row | {"seconds": 3.0 + number % 7})
    return rows


def main(folder: Path) -> None:
    database = folder / "arena.db"
    os.environ["ARENA_DB"] = f"sqlite:///{database}"
    for name in ("first", "second"):
        arena("run", str(HERE / f"{name}.yaml"), "--json", fine=(1,))  # 1: some dialogues failed
    arena("judge", "first", "--judge", "hybrid", "--json")
    rows = labels(arena("export", "first", "--out", "-", parse=False))
    given = folder / "given.jsonl"
    given.write_text("".join(json.dumps(row) + "\n" for row in rows))
    arena("labels", "import", str(given), parse=False)
    given.unlink()
    commands = [("leaderboard", "first", "--judge", judge, "--kind", "wh") for judge in JUDGES]
    commands += [
        ("leaderboard", "first", "--judge", "nli", "--tau", "0.3", "--kind", "yes_no_true"),
        ("leaderboard", "first", "--judge", "truth", "--kind", "all", "--distance", "all", "--corrected"),
        ("leaderboard", "second", "--judge", "nli", "--kind", "wh"),
        ("stability", "first", "--judge", "truth", "--kind", "all", "--rounds", "200"),
        ("compare", "first", "second", "--judge", "truth", "--kind", "all"),
        ("agreement", "first"),
    ]
    printed = [{"command": command, "printed": arena(*command, "--json")} for command in commands]
    (folder / "printed.json").write_text(json.dumps(printed, separators=(",", ":")) + "\n")
    arena("labels", "export", "first", "--out", str(folder / "labels.csv"), parse=False)
    for name in ("first", "second"):
        exported = arena("export", name, "--out", "-", parse=False)
        (folder / f"{name}.jsonl.xz").write_bytes(lzma.compress(exported.encode(), preset=9))
    connection = sqlite3.connect(database)
    for statement in ("PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode = DELETE", "VACUUM"):
        connection.execute(statement)
    connection.close()
    (folder / "arena.db.xz").write_bytes(lzma.compress(database.read_bytes(), preset=9))
    database.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
