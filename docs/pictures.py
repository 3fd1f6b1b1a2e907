"""Draws the pictures of docs/statistics.md from simulated tournaments: python docs/pictures.py."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from arena.report import plots
from arena.stats import simulate
from arena.stats.agreement import judge
from arena.stats.comparison import Release, Setting, compare
from arena.stats.counts import Counts, Inquiries
from arena.stats.leaderboard import leaderboard
from arena.stats.stability import stability
from arena.stats.sweeps import by_distance, sweep

FOLDER = Path(__file__).parent / "pictures"
SETTING = Setting("nli", "1", "rules", frozenset([15]), frozenset(["hello"]), 0.5)


def inquiries(counts: Counts, rng: np.random.Generator, distances: tuple[int, ...] = (0,)) -> Inquiries:
    """Scores as a fairly good judge would give them, and some evasion."""
    dialogue = np.repeat(np.arange(len(counts)), counts.inquiries)
    wrong = np.concatenate(
        [
            np.r_[np.ones(c), np.zeros(m - c)]
            for m, c in zip(counts.inquiries, counts.contradictions, strict=True)
        ]
    )
    size = len(wrong)
    far = rng.choice(distances, size)
    wrong = np.where(rng.random(size) < 0.025 * far, 1.0, wrong)
    score = np.where(wrong == 1, rng.beta(5, 2, size), rng.beta(1.2, 6, size))
    zero = np.zeros(size, np.int64)
    dodgy = np.isin(counts.tested[dialogue], [3])
    evasive = (rng.random(size) < np.where(dodgy, 0.36, 0.06)).astype(float)
    nan = np.full(size, np.nan)
    return Inquiries(
        counts, dialogue, score, zero, ("wh",), far, zero, ("PERSON",), zero - 1, (), evasive, nan
    )


def tournament(rng: np.random.Generator, dialogues: int = 200, shift: float = 0.0) -> Counts:
    rates = np.array(simulate.AIH_AUTO)
    rates[:, 0] -= shift
    return simulate.tournament(simulate.AIH_BOTS, rates, simulate.AIH_QUESTIONS, dialogues, 0.1, rng)


def release(name: str, counts: Counts, changed: tuple[int, ...]) -> Release:
    identities = tuple(f"{bot}{name if k in changed else ''}" for k, bot in enumerate(counts.bots))
    return Release(name, counts, identities, counts.number, SETTING)


def main() -> None:
    rng = np.random.default_rng(4)
    played = tournament(rng)
    data = inquiries(played, rng)
    board = leaderboard(data, 0.5)
    far = inquiries(tournament(rng), rng, (0, 2, 4, 8))
    labels = np.full(len(data.score), np.nan)
    some = rng.choice(len(labels), 400, replace=False)
    labels[some] = rng.random(400) < np.clip(data.score[some] * 1.3 - 0.15, 0.03, 0.95)
    taus = [round(0.05 * k, 2) for k in range(1, 20)]
    drawn = {
        "ranks": plots.ranks_plot(board),
        "pairs": plots.matrix_plot(board),
        "stability": plots.stability_plot(stability(played, simulate.AIH_EXPERTS)),
        "tau": plots.tau_plot(sweep(data, taus, labels=labels), board.order, board.tau),
        "distance": plots.distance_plot(by_distance(far, 0.5), far.bots, board.order),
        "confusion": plots.confusion_plot(judge(data.score, labels, 0.5), "nli"),
        "slope": plots.slope_plot(
            compare(release("2026.10", played, ()), release("2026.11", tournament(rng, shift=0.09), (0, 3)))
        ),
    }
    for name, plot in drawn.items():
        plots.save(plot, FOLDER / f"{name}.svg")


if __name__ == "__main__":
    main()
