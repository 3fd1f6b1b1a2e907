"""200 seeded tournaments of scripted bots: how often the 95% intervals hold the known fickleness."""

from __future__ import annotations

import tempfile
from pathlib import Path

from arena.results.view import view
from arena.stats.leaderboard import leaderboard
from tests.support.tournaments import play, store, text

RATES = (0.0, 0.3, 0.7)


def main(tournaments: int = 200) -> None:
    print(held(tournaments))


def held(tournaments: int, turns: int = 6, dialogues: int = 12) -> dict[str, float]:
    """By bot: the share of tournaments whose interval holds its p."""
    bots = [
        f"  - {{name: p{p}, adapter: scripted, fickleness: {p}, sheet_seed: {p * 10:.0f}}}" for p in RATES
    ]
    hits = {f"p{p}": 0 for p in RATES}
    for seed in range(tournaments):
        with tempfile.TemporaryDirectory() as folder:
            repository = store(Path(folder))
            tournament, _ = play(repository, text(*bots, seed=seed, turns=turns, dialogues=dialogues))
            seen = view(repository, repository.find(tournament.info.id), "truth")
            for standing in leaderboard(seen.inquiries, seen.judge.tau).standings:
                p = float(standing.bot[1:])
                hits[standing.bot] += standing.low <= p <= standing.high
            repository.close()
    return {bot: number / tournaments for bot, number in hits.items()}
