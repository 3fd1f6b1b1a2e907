"""A leaderboard of 100 bots, 10,000 pairs and 2 million dialogues, generated straight into SQLite."""

from __future__ import annotations

import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

BOTS, DIALOGUES, QUESTIONS = 100, 200, 4.0
BLOCK = 100_000


def generate(file: Path, bots: int = BOTS, dialogues: int = DIALOGUES, seed: int = 0) -> tuple[int, int]:
    """(dialogues, inquiries) written: rows as the program would have written them."""
    from db import connect

    connect(f"sqlite:///{file}").dispose()
    rng = np.random.default_rng(seed)
    base = sqlite3.connect(file, isolation_level=None)
    base.execute("PRAGMA synchronous = OFF")
    base.execute("PRAGMA cache_size = -200000")
    base.execute("BEGIN")
    names = [f"bot{k:03}" for k in range(bots)]
    base.executemany("INSERT INTO bots VALUES (?, 'scripted', '{}')", [(name * 8,) for name in names])
    base.execute(
        "INSERT INTO tournaments VALUES ('big', 'big', 'big', 0, ?, 0)",
        [json.dumps({"judges": [{"name": "sim", "tau": None}]})],
    )
    base.executemany(
        "INSERT INTO tournament_bots VALUES ('big', ?, ?, ?)",
        [(name, k, name * 8) for k, name in enumerate(names)],
    )
    base.execute("INSERT INTO judges (id, name, revision, tau) VALUES (1, 'sim', '1', 0.15)")
    rates = np.clip(rng.normal(0.3, 0.08, bots)[None, :] + rng.normal(0, 0.02, (bots, bots)), 0.02, 0.9)
    dialogue = inquiry = 0
    pairs = [(i, j) for i in range(bots) for j in range(bots)]
    each = max(1, BLOCK // dialogues)
    for start in range(0, len(pairs), each):
        some = pairs[start : start + each]
        chance = np.array([rates[i, j] for i, j in some])
        asked = rng.poisson(QUESTIONS, (len(some), dialogues))
        own = rng.beta(chance * 9, (1 - chance) * 9, (dialogues, len(some))).T
        rows, entries, questions, verdicts = [], [], [], []
        for (i, j), counts, likely in zip(some, asked, own, strict=True):
            for number, (m, p) in enumerate(zip(counts.tolist(), likely.tolist(), strict=True)):
                dialogue += 1
                refused = f'{{"duplicate": {m}, "no_question": {20 - m}}}'
                rows.append((dialogue, f"k{dialogue}", names[i] * 8, names[j] * 8, number, refused))
                entries.append(("big", dialogue, names[i], names[j], number))
                wrong = rng.random(m) < p
                score = np.where(wrong, rng.uniform(0.15, 1, m), rng.uniform(0, 0.15, m)).tolist()
                for place, s in enumerate(score):
                    inquiry += 1
                    questions.append((inquiry, f"q{inquiry}", dialogue, place))
                    verdicts.append((1, inquiry, s))
        base.executemany(
            "INSERT INTO dialogues (id, key, speaker, tested, opener, seed, turns, inquirer, status, refused)"
            " VALUES (?, ?, ?, ?, 'hello', ?, 15, 'rules', 'done', ?)",
            rows,
        )
        base.executemany("INSERT INTO schedule VALUES (?, ?, ?, ?, ?)", entries)
        base.executemany(
            "INSERT INTO inquiries (id, key, dialogue, number, after, source, entity, entity_type, question, kind,"
            " distance, answer) VALUES (?, ?, ?, ?, 1, 1, 'x', 'NP', 'What?', 'wh', 0, 'x')",
            questions,
        )
        base.executemany("INSERT INTO verdicts (judge, inquiry, contradiction) VALUES (?, ?, ?)", verdicts)
    base.execute("COMMIT")
    base.close()
    return dialogue, inquiry


def timed(*arguments: str) -> tuple[float, float, str]:
    """Seconds, peak MB and stdout of a command, run as a user would."""
    code = (
        "import resource, sys\nfrom arena.cli import main\n"
        "try:\n    main(sys.argv[1:])\nfinally:\n"
        "    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024, file=sys.stderr)\n"
    )
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    return time.perf_counter() - begun, float(done.stderr.split()[-1]), done.stdout


def main(bots: int = BOTS, dialogues: int = DIALOGUES) -> None:
    from db import Database, connect, summaries

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "big.db"
        begun = time.perf_counter()
        played, asked = generate(file, bots, dialogues)
        size = file.stat().st_size / 1e9
        print(
            f"generated {played:,} dialogues, {asked:,} inquiries, {size:.2f} GB, {time.perf_counter() - begun:.0f} s"
        )
        begun = time.perf_counter()
        summaries.summarise(Database(connect(f"sqlite:///{file}")), 1)
        print(f"summaries made in {time.perf_counter() - begun:.0f} s")
        for extra in ((), ("--tau", "0.42")):
            seconds, megabytes, text = timed(
                "leaderboard", "big", "--db", f"sqlite:///{file}", "--json", *extra
            )
            first = json.loads(text)["bots"][0]
            print(
                f"leaderboard {' '.join(extra)}: {seconds:.1f} s, {megabytes:.0f} MB, best {first['bot']} "
                f"{first['contradiction_rate']:.4f} ({first['ci_low']:.4f} to {first['ci_high']:.4f})"
            )
    print(f"(generator's own peak {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024} MB)")
