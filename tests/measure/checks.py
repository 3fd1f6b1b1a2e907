"""What judging under all checks costs a tournament of two embedded language models, played with it and without in turn.

`make measure ONLY=checks:4` plays 4 dialogues per pair and round instead of 6. Rounds of both kinds alternate, each
with a seed and a database of its own, and each counts until its last verdict is stored.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path

from arena.config.resolve import parse
from arena.core.types import Check
from arena.play.options import Options
from arena.play.runner import run
from db import Repository, connect
from tests.measure._conversations import HALF, NOW

ROUNDS = 3
TEXT = """
release: {name}
seed: {seed}
turns: 10
dialogues_per_pair: {dialogues}
bots:
  - {{name: one, adapter: hf, model: "{model}", persona: library, {writing}}}
  - {{name: other, adapter: hf, model: "{model}", persona: library, {writing}}}
judges: [nli]
checks: [{checks}]
"""
CHECKS = ", ".join((Check.INQUIRY, Check.HISTORY, Check.PERSONA))


def replies_per_second(seed: int, dialogues: int, judged: bool) -> float:
    """Replies, answers to questions among them, by the clock until everything is judged."""
    text = TEXT.format(
        name="judged" if judged else "played",
        seed=seed,
        dialogues=dialogues,
        model=HALF,
        writing=NOW,
        checks=CHECKS,
    )
    with tempfile.TemporaryDirectory() as folder:
        store = Repository(connect(f"sqlite:///{Path(folder) / 'arena.db'}"))
        info = parse(text, name="checks")
        began = time.perf_counter()
        run(store, info, Options(judge=judged))
        took = time.perf_counter() - began
        records = list(store.records(info.info.id))
    replies = sum(len(r.messages) + len(r.inquiries) for r in records)
    verdicts = sum(len(r.verdicts) for r in records)
    print(
        f"   {'judged' if judged else 'played'}: {replies} replies in {took:.0f} s, {verdicts} verdicts",
        flush=True,
    )
    return replies / took


def main(dialogues: str = "6") -> None:
    replies_per_second(0, 1, judged=True)  # loads every model and warms every cache
    ratios = []
    for seed in range(1, ROUNDS + 1):
        played = replies_per_second(seed, int(dialogues), judged=False)
        ratios.append(replies_per_second(seed, int(dialogues), judged=True) / played)
    print(
        f"   judged / played: {statistics.median(ratios):.2f} (each round: {', '.join(f'{r:.2f}' for r in ratios)})"
    )


if __name__ == "__main__":
    main()
