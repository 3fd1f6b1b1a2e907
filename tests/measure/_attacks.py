"""Attacks that need no more than files and a server."""

from __future__ import annotations

import json
import os
import sqlite3

from tests.bots.local_server import Answer
from tests.faults.test_hostile_servers import bomb
from tests.measure._attacked import HANGS, KEY, PAID, PLAIN, Attacked
from tests.support.billing import billing


def h2_three_runs_overspend(at: Attacked) -> bool:
    with billing() as server:
        text = PAID.format(dialogues=200, url=server.url, budget="{max_cost: 0.5}", more="")
        for _ in range(3):
            at.play(text, "--concurrency", "200")
        return server.cost() > 0.5 + 0.002


def h2_a_million_tokens_a_call(at: Attacked) -> bool:
    with billing(tokens=1_000_000) as server:
        at.play(
            PAID.format(dialogues=200, url=server.url, budget="{max_cost: 0.5}", more=""),
            "--concurrency",
            "200",
        )
        return server.calls > 1


def h3_a_bomb_in_two_layers(at: Attacked) -> bool:
    answer: Answer = (200, {"Content-Encoding": "gzip, gzip"}, bomb(2, 5000))
    with billing(answer=lambda _n, _j: answer) as server:
        text = PAID.format(dialogues=1, url=server.url, budget="{}", more="")
        done = at.play(text, memory=4 << 30)
        return done.returncode in HANGS or "MemoryError" in done.stderr


def h4_the_key_comes_back(at: Attacked) -> bool:
    escaped = "".join(f"\\u{ord(c):04x}" for c in KEY)
    usage = '"usage": {"prompt_tokens": 1, "completion_tokens": 1}'
    body = f'{{"choices": [{{"message": {{"content": "my key is {escaped}"}}}}], {usage}}}'.encode()
    with billing(answer=lambda _n, _j: (200, {}, body)) as server:
        at.play(PAID.format(dialogues=1, url=server.url, budget="{}", more="api_key_env: MY_KEY,"))
    return KEY.encode() in at.all_bytes()


def h5_a_log_without_question_marks(at: Attacked) -> bool:
    messages = [{"role": role, "content": "a " * 100_000} for role in ("user", "assistant")]
    name = at.write("log.jsonl", json.dumps({"messages": messages}) + "\n")
    return at.run("import", name, "--db", "sqlite:///arena.db").returncode in HANGS


def m3_billion_laughs(at: Attacked) -> bool:
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    return at.run("run", at.write("t.yaml", "\n".join(lines)), "--dry-run", memory=4 << 30).returncode != 2


def m4_a_note_that_cannot_be_imported(at: Attacked) -> bool:
    at.play(
        PLAIN.replace("inquirer: false", "inquirer: {entities: rules, questions: rules}") + "release: r1\n"
    )
    at.run("export", "r1", "--format", "jsonl", "--out", "out.jsonl", "--db", "sqlite:///arena.db")
    records = [json.loads(line) for line in (at.folder / "out.jsonl").read_text().splitlines()]
    inquiry = next(one["id"] for record in records for one in record["inquiries"])
    values = {"appropriate": True, "relevant": True, "contradicts": False}
    label = {"subject": inquiry, "schema": "aih", "person": "ann", "values": values, "note": "a\u0000b"}
    done = at.run(
        "labels", "import", at.write("l.jsonl", json.dumps(label) + "\n"), "--db", "sqlite:///arena.db"
    )
    return done.returncode == 0


def m5_a_formula_behind_a_semicolon(at: Attacked) -> bool:
    messages = [
        {"role": "user", "content": "Hi?"},
        {"role": "assistant", "content": "x;=1+1 \x1b]52;c;eA==\x07"},
    ]
    at.run("import", at.write("l.jsonl", json.dumps({"messages": messages * 2}) + "\n"), "--release", "r", "--db",
           "sqlite:///arena.db")  # fmt: skip
    at.run("export", "r", "--format", "csv", "--out", "out.csv", "--db", "sqlite:///arena.db")
    text = "".join(path.read_text(errors="replace") for path in at.folder.glob("out*.csv"))
    return "x;=1+1" in text.replace("x;'=1+1", "") or "\x1b" in text


def m8_a_lock_without_hashes(at: Attacked) -> bool:
    return "--hash=sha256:" not in (at.revision / "requirements.lock").read_text()


def low_tables_in_a_foreign_database(at: Attacked) -> bool:
    with sqlite3.connect(at.folder / "arena.db") as other:
        other.execute("CREATE TABLE mine (x)")
    at.play(PLAIN)
    with sqlite3.connect(at.folder / "arena.db") as other:
        return bool(
            other.execute("SELECT count(*) FROM sqlite_master WHERE type = 'table'").fetchone()[0] > 1
        )


def low_an_endless_time_limit(at: Attacked) -> bool:
    done = at.play(PLAIN + "limits: {reply_seconds: 1e999}\n")
    return done.returncode != 2 or "unexpected" in done.stderr


def low_a_label_of_five_thousand_digits(at: Attacked) -> bool:
    at.play(PLAIN)
    line = '{"subject": "i", "person": "p", "seconds": ' + "9" * 5000 + "}\n"
    return (
        "unexpected"
        in at.run("labels", "import", at.write("l.jsonl", line), "--db", "sqlite:///arena.db").stderr
    )


def low_a_plug_in_that_exits(at: Attacked) -> bool:
    plugins = at.folder / "plugins"
    info = plugins / "evil-1.0.dist-info"
    info.mkdir(parents=True)
    (plugins / "evil_plugin.py").write_text("import sys; sys.exit(0)\n")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[arena.bots]\nevil = evil_plugin:adapter\n")
    both = os.pathsep.join([str(at.revision), str(plugins)])
    return "scripted" not in at.run("bots", "list", PYTHONPATH=both).stdout
