"""What labels say: judges measured under the queue's order, rates corrected by labels drawn by lot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from arena.labelling.queue import is_random, order
from arena.stats import agreement, calibration, metrics
from arena.stats.counts import Counts, Inquiries

Figures = dict[str, Any]


@dataclass(frozen=True)
class Item:
    subject: str
    scores: tuple[tuple[float, float], ...]


def judges(times: int) -> Iterator[Figures]:
    """3,000 inquiries of 600 dialogues, two judges at τ = 0.5, the first 300 of the queue labelled; 30% by lot."""
    for name, sharpness in (("weaker judge", 1.6), ("better judge", 2.6)):
        rng = np.random.default_rng(int(10 * sharpness))
        gathered: dict[str, list[float]] = {}
        for trial in range(times):
            truth = rng.random(3000) < 0.3
            scores = [
                1 / (1 + np.exp(-(sharp * (2 * truth - 1) + rng.normal(0, 1.6, 3000))))
                for sharp in (sharpness, 1.2)
            ]
            items = [
                Item(str(k), ((float(scores[0][k]), 0.5), (float(scores[1][k]), 0.5))) for k in range(3000)
            ]
            first = [int(subject) for subject in order(items, trial)[:300]]
            lucky = np.array([k for k in first if is_random(trial, str(k))])
            labels = np.full(3000, np.nan)
            labels[lucky] = truth[lucky]
            every = np.full(3000, np.nan)
            every[first] = truth[first]
            dialogue = np.arange(3000) // 5
            whole = agreement.judge(scores[0], truth.astype(float), 0.5)
            best_of_all = metrics.best_threshold(truth, scores[0], "f1")
            # Intervals of every tenth trial: they take most of the time
            some = agreement.judge(scores[0], labels, 0.5, dialogue if trial % 10 == 0 else None)
            before = agreement.judge(scores[0], every, 0.5)
            best = calibration.threshold(scores[0], labels, dialogue)
            figures = {
                "n": float(some.items),
                "withheld": float(best is None or not np.isfinite(some.f1)),
                "f1_bias": some.f1 - whole.f1,
                "kappa_bias": some.kappa - whole.kappa,
                "best_tau_bias": np.nan if best is None else best.tau - best_of_all,
                "f1_at_best_tau_bias": np.nan
                if best is None
                else best.f1 - metrics.f1(truth, scores[0], best.tau),
                "f1_bias_all_labels": before.f1 - whole.f1,
                "kappa_bias_all_labels": before.kappa - whole.kappa,
                "best_tau_bias_all_labels": metrics.best_threshold(truth[first], scores[0][first], "f1")
                - best_of_all,
            }
            if "f1" in some.intervals:
                low, high = some.intervals["f1"]
                figures["f1_coverage"] = float(low <= whole.f1 <= high)
                low, high = some.intervals["kappa"]
                figures["kappa_coverage"] = float(low <= whole.kappa <= high)
            for key, value in figures.items():
                gathered.setdefault(key, []).append(float(value))
        yield {"row": name, **{key: float(np.nanmean(values)) for key, values in gathered.items()}}


def corrected(times: int) -> Iterator[Figures]:
    """The audit's table: one bot, 3 speakers, 3,000 inquiries of 600 dialogues, correlation 0.1."""
    for sensitivity, specificity in ((0.8, 0.9), (0.95, 0.98)):
        for labelled in (20, 50, 100, 300):
            for rate in (0.02, 0.05, 0.10, 0.30):
                rng = np.random.default_rng([labelled, int(100 * rate), int(100 * sensitivity)])
                held = withheld = flat = 0
                width = []
                for _ in range(times):
                    data, truth = _judged(rng, rate, sensitivity, specificity)
                    labels = np.full(len(truth), np.nan)
                    chosen = rng.choice(len(truth), labelled, replace=False)
                    labels[chosen] = truth[chosen]
                    row = calibration.corrected(data, 0.5, labels)[0]
                    withheld += row.needed > 0
                    if not row.needed:
                        held += row.low <= rate <= row.high
                        flat += not row.high > row.low
                        width.append(row.high - row.low)
                yield {
                    "row": f"sensitivity {sensitivity}, specificity {specificity}, {labelled} labels, rate {rate}",
                    "coverage": held / (times - withheld) if withheld < times else None,
                    "withheld": withheld / times,
                    "zero_width": flat / times,
                    "width": float(np.mean(width)) if width else None,
                }


def _judged(
    rng: np.random.Generator, rate: float, sensitivity: float, specificity: float
) -> tuple[Inquiries, np.ndarray]:  # type: ignore[type-arg]
    dialogues, each = 600, 5
    chance = rng.beta(rate * 9, (1 - rate) * 9, dialogues)
    truth = (rng.random((dialogues, each)) < chance[:, None]).ravel().astype(float)
    text = np.where(
        truth > 0, rng.random(len(truth)) < sensitivity, rng.random(len(truth)) > specificity
    ).astype(float)
    speaker = np.arange(dialogues) % 3 + 1
    zero = np.zeros(dialogues, np.int64)
    counts = Counts.of(("a", "b", "c", "d"), speaker, zero, zero, zero)
    none, nan = np.zeros(len(truth), np.int64), np.full(len(truth), np.nan)
    dialogue = np.repeat(np.arange(dialogues), each)
    data = Inquiries(counts, dialogue, text, none, ("wh",), none, none, ("X",), none - 1, (), nan, nan)
    return data, truth


ROWS = {"judges": (judges, 500), "corrected": (corrected, 1000)}
