"""The demo over several seeds: how long it takes, who is ranked, how often two models separate.

`make measure ONLY=demo:3` plays three seeds instead of ten.
"""

from __future__ import annotations

import time
from itertools import combinations

from arena.cli.demo import configured
from arena.play.options import Options
from arena.play.runner import run
from arena.results.view import view
from arena.stats.leaderboard import leaderboard
from db import Repository, connect
from tests.measure._conversations import FOLDER

MODELS = ("qwen", "qwen-hot", "smollm2")


def main(size: str = "10") -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    store = Repository(connect(f"sqlite:///{FOLDER / 'demos.db'}"))
    apart = 0
    for seed in range(int(size)):
        tournament = configured(seed=seed)
        begun = time.perf_counter()
        run(store, tournament, Options())
        seconds = time.perf_counter() - begun
        seen = view(store, store.find(tournament.info.id))
        board = leaderboard(seen.inquiries, seen.judge.tau)
        ranked = {s.bot: (s.rate, s.rank_low, s.rank_high, s.enough) for s in board.standings}
        separate = any(
            ranked[a][3] and ranked[b][3] and (ranked[a][2] < ranked[b][1] or ranked[b][2] < ranked[a][1])
            for a, b in combinations(MODELS, 2)
        )
        apart += separate
        print(f"   seed {seed}: {seconds:.0f} s, {ranked}", flush=True)
    print(f"   two models separate in {apart} of {size} seeds")
