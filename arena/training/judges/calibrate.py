"""One temperature and one threshold for the judge, from development halves:
`python -m arena.training.judges.calibrate --data DIR --weights FILE`.

Three sorts of pairs count alike: DECODE's first half, held-out facts, and every second answer built from ConsisTest.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena.training.judges.evaluate import consistest, decode_pairs, unseen
from arena.training.judges.pairs import CONTRADICTION
from judges.embedded import EmbeddedScorer
from judges.wording import hypothesis

_SEED = 1234
"""Other facts than those that are measured."""

Floats = NDArray[np.float64]


def development(data: Path) -> list[list[tuple[tuple[str, str], bool]]]:
    triples = unseen(_SEED)[:1500], consistest(data)[::2]
    sets = [
        [((t.statement, hypothesis(t.question, t.answer)), t.label == CONTRADICTION) for t in part]
        for part in triples
    ]
    return [[((first, second), truth) for first, second, truth in decode_pairs(data, 0)], *sets]


def sharpened(rows: Floats, temperature: float) -> Floats:
    """P(contradiction) at a temperature, from probabilities at temperature 1."""
    logs = np.log(np.maximum(rows, 1e-7)) / temperature
    powers = np.exp(logs - logs.max(1, keepdims=True))
    return np.asarray(powers[:, CONTRADICTION] / powers.sum(1))


def loss(scores: Floats, truth: NDArray[np.bool_]) -> float:
    safe = np.clip(scores, 1e-6, 1 - 1e-6)
    return float(-np.mean(np.where(truth, np.log(safe), np.log(1 - safe))))


def error(scores: Floats, truth: NDArray[np.bool_], bins: int = 10) -> float:
    """Expected calibration error: how far probabilities are from frequencies, weighted by use."""
    at = np.minimum((scores * bins).astype(int), bins - 1)
    parts = [(at == b) for b in range(bins) if (at == b).any()]
    return float(sum(part.mean() * abs(scores[part].mean() - truth[part].mean()) for part in parts))


def f1(scores: Floats, truth: NDArray[np.bool_], tau: float) -> float:
    said = scores > tau
    return float(2 * (said & truth).sum() / max(1, said.sum() + truth.sum()))


def fitted(sets: Sequence[tuple[Floats, NDArray[np.bool_]]]) -> tuple[float, float]:
    """The temperature of least loss, then the threshold of best mean F1."""
    temperature = min(
        np.arange(0.6, 3.01, 0.05),
        key=lambda t: sum(loss(sharpened(rows, t), truth) for rows, truth in sets),
    )
    tau = max(
        np.arange(0.2, 0.81, 0.02),
        key=lambda x: sum(f1(sharpened(rows, temperature), truth, x) for rows, truth in sets),
    )
    return round(float(temperature), 2), round(float(tau), 2)


def calibrate(data: Path, weights: Path, report: Callable[[str], None] = print) -> dict[str, str]:
    """Write temperature and threshold into the weights' facts."""
    from safetensors import safe_open
    from safetensors.torch import load_file, save_file

    scorer = EmbeddedScorer(weights)
    scorer.temperature = 1.0
    sets = []
    for part in development(data):
        rows = scorer.score([pair for pair, _ in part]).astype(np.float64)
        sets.append((rows, np.array([truth for _, truth in part])))
    temperature, tau = fitted(sets)
    with safe_open(weights, framework="pt") as file:
        facts = dict(file.metadata() or {})
    facts |= {"temperature": str(temperature), "tau": str(tau)}
    half = weights.with_suffix(".part")
    save_file(load_file(weights), half, metadata=facts)
    half.chmod(0o644)  # the writer makes it private, which an installed package must not be
    half.replace(weights)
    for (rows, truth), name in zip(sets, ("DECODE", "held-out facts", "ConsisTest"), strict=True):
        before, after = (error(sharpened(rows, t), truth) for t in (1.0, temperature))
        report(f"{name}: calibration error {before:.3f} → {after:.3f}")
    report(f"temperature {temperature}, τ {tau}")
    return facts


def main() -> None:
    door = argparse.ArgumentParser(description=__doc__)
    door.add_argument("--data", type=Path, required=True)
    door.add_argument("--weights", type=Path, required=True)
    chosen = door.parse_args()
    calibrate(chosen.data, chosen.weights)


if __name__ == "__main__":
    main()
