"""The simulations behind docs/measurements/statistics.md, in full: python -m tests.measure statistics."""

from __future__ import annotations

import time

import numpy as np

from arena.stats import simulate
from arena.stats.stability import stability
from tests.measure import millions
from tests.stats import trials

TIMES = 1000


def main(times: int = TIMES, *, big: bool = True) -> None:
    print(f"stability: dialogues a pair at which 95% of {times} tournaments have the experts' ranking")
    for correlation in (0.0, 0.1, 0.2):
        reached = {
            bot or "all": trials.reaches(trials.reproduced(times, correlation, bot))
            for bot in ("", "DialoGPT", "DialoFlow", "Plato", "Blender")
        }
        print(f"  correlation {correlation}: {reached}", flush=True)
    print(f"coverage of 95% intervals over {times} tournaments x 4 bots")
    for dialogues, correlation in ((20, 0.2), (50, 0.0), (50, 0.2), (200, 0.1)):
        covered = _shown(trials.coverage(times, dialogues, correlation))
        print(f"  {dialogues} dialogues, correlation {correlation}: {covered}", flush=True)
    print(f"two equal bots: share of {times} tournaments with a claimed order")
    for bots in (4, 5):
        for correlation in (0.0, 0.2):
            print(
                f"  {bots} bots, correlation {correlation}: {trials.equals(times, correlation, bots)}",
                flush=True,
            )
    print(f"--until-stable 0.95 over {times} tournaments")
    for bot in ("", "DialoGPT", "DialoFlow"):
        for correlation in (0.0, 0.2):
            print(
                f"  without {bot or 'nobody'}, correlation {correlation}: {trials.savings(times, correlation, bot)}",
                flush=True,
            )
    print(f"releases over {times} comparisons")
    for paired in (True, False):
        print(f"  {'paired' if paired else 'unpaired'}: {trials.releases(times, paired=paired)}", flush=True)
    speed()
    if big:
        print("a leaderboard of millions")
        millions.main()


def speed() -> None:
    """4 bots x 200 dialogues x all S x 1,000 rounds."""
    played = simulate.tournament(
        trials.BOTS, trials.AUTO, trials.QUESTIONS, 200, 0.1, np.random.default_rng(1)
    )
    stability(played, rounds=10)
    best = {"wall": np.inf, "cpu": np.inf}
    for _ in range(5):
        wall, cpu = time.perf_counter(), time.process_time()
        stability(played, simulate.AIH_EXPERTS)
        best["wall"] = min(best["wall"], time.perf_counter() - wall)
        best["cpu"] = min(best["cpu"], time.process_time() - cpu)
    print(f"stability curve, 4 bots x 200 dialogues x all S x 1,000 rounds: {_shown(best)} s, best of 5")


def _shown(facts: dict[str, float]) -> str:
    return ", ".join(f"{name} {value:.3f}" for name, value in facts.items())
