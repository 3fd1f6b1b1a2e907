"""Fits the temperature and the threshold of a judge: `python -m arena.training.judges.calibrate --data DIR
--weights FILE`, or `--together` for the shipped average.

Five sets have equal weight: DECODE's first half, held-out facts, every second answer built from ConsisTest, the
held-out labelled answers, and the held-out written pairs. τ has the best mean F1 over these sets; for the average,
which is the default judge, among the thresholds at which at least PRECISE of the flagged labelled answers would be
contradictions if as many answers were contradictions as in the arena (ARENA_SHARE). Each F1 is computed as if the set
had the share of contradictions of the labelled answers. Pairs of statements, without a question, get a shift of their
log odds, so that the same τ fits them.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from arena.training.judges.evaluate import auc, consistest, decode_pairs, unseen
from arena.training.judges.pairs import CONTRADICTION
from arena.training.judges.published import published, real_answers
from arena.training.judges.readings import Reading
from arena.training.judges.speaker import written
from arena.training.judges.texts import Guard
from judges.embedded import TOGETHER, AveragedScorer, EmbeddedScorer, PairScorer, single
from judges.wording import hypothesis

_SEED = 1234
"""The seed of the generated facts. It differs from the seed of the facts used for evaluation."""
ANSWERS = "answers kept apart"
PRECISE = 0.85
"""The least share of contradictions among the answers that the average flags, if any threshold reaches it."""
ARENA_SHARE = 0.15
"""The share of contradictions among the answers of language models that were drawn by lot and labelled in the
published tournaments (126 of 860).
"""
SHARES = (0.75, 0.25)
"""The weights of the large and the small judge in the average. The large one is better at statements of one speaker,
and both together at DECODE and at answers.
"""
LEVEL = 0.005
"""Mean F1 values that differ by less than this count as equal."""

Floats = NDArray[np.float64]


Cases = list[tuple[tuple[str, str], bool]]


def development(data: Path, real: Sequence[Reading], told: bool) -> dict[str, Cases]:
    """Return the development sets. As in the arena, real answers come with the number of right answers that their
    rule expects.
    """
    sets: dict[str, Cases] = {
        "DECODE": [((first, second), truth) for first, second, truth in decode_pairs(data, 0)]
    }
    for name, part in (("held-out facts", unseen(_SEED)[:1500]), ("ConsisTest", consistest(data)[::2])):
        sets[name] = [
            ((t.statement, hypothesis(t.question, t.answer)), t.label == CONTRADICTION) for t in part
        ]
    apart = {
        ANSWERS: [row.pair(told) for row in real if row.kept_apart],
        "written pairs": [row.pair(told) for row in written() if row.kept_apart],
    }
    for name, pairs in apart.items():
        if pairs:
            sets[name] = [((pair.premise, pair.hypothesis), pair.label == CONTRADICTION) for pair in pairs]
    return sets


def sharpened(rows: Floats, temperature: float) -> Floats:
    """Return P(contradiction) at this temperature, computed from probabilities at temperature 1."""
    logs = np.log(np.maximum(rows, 1e-7)) / temperature
    powers = np.exp(logs - logs.max(1, keepdims=True))
    return np.asarray(powers[:, CONTRADICTION] / powers.sum(1))


def loss(scores: Floats, truth: NDArray[np.bool_]) -> float:
    safe = np.clip(scores, 1e-6, 1 - 1e-6)
    return float(-np.mean(np.where(truth, np.log(safe), np.log(1 - safe))))


def error(scores: Floats, truth: NDArray[np.bool_], bins: int = 10) -> float:
    """Expected calibration error, weighted by the number of cases."""
    at = np.minimum((scores * bins).astype(int), bins - 1)
    parts = [(at == b) for b in range(bins) if (at == b).any()]
    return float(sum(part.mean() * abs(scores[part].mean() - truth[part].mean()) for part in parts))


def flagged(scores: Floats, truth: NDArray[np.bool_], tau: float, share: float) -> tuple[float, float]:
    """Return the shares of right and of wrong flags, as if this share of the cases were contradictions."""
    above = scores > tau
    return share * float(above[truth].mean()), (1 - share) * float(above[~truth].mean())


def f1(scores: Floats, truth: NDArray[np.bool_], tau: float, share: float | None = None) -> float:
    """F1 at the set's own share of contradictions, or as if the share were another."""
    share = float(truth.mean()) if share is None else share
    right, wrong = flagged(scores, truth, tau, share)
    return 2 * right / (right + wrong + share)


def precision(scores: Floats, truth: NDArray[np.bool_], tau: float) -> float:
    """Return the share of the flagged cases that would be contradictions in the arena."""
    right, wrong = flagged(scores, truth, tau, ARENA_SHARE)
    return right / (right + wrong) if right + wrong else 1.0


Scored = tuple[Floats, NDArray[np.bool_]]


def at_tau(scores: Floats, truth: NDArray[np.bool_], tau: float) -> str:
    above = scores > tau
    right = int((above & truth).sum())
    precise, recall = right / max(1, above.sum()), right / max(1, truth.sum())
    area = f"AUC {auc(scores, truth):.3f}" if truth.any() else "no contradiction"
    return (
        f"{area}, precision {precise:.2f}, recall {recall:.2f} at τ (n={len(truth)}, {truth.sum()} of them)"
    )


def fitted(sets: Mapping[str, Scored], precise: float = 0.0) -> tuple[float, float]:
    """Return the temperature with the least loss, and then the threshold with the best F1, if possible one at which
    at least the share `precise` of the flagged answers are contradictions. Many thresholds are nearly as good, and
    the very best is chosen by chance. The median of the nearly best thresholds is therefore returned.
    """
    temperature = min(
        np.arange(0.6, 3.01, 0.05),
        key=lambda t: sum(loss(sharpened(rows, t), truth) for rows, truth in sets.values()),
    )
    share = float(sets[ANSWERS][1].mean()) if ANSWERS in sets else None
    scored = [(sharpened(rows, temperature), truth) for rows, truth in sets.values()]
    taus = np.arange(0.2, 0.91, 0.02)
    means = np.array([np.mean([f1(scores, truth, tau, share) for scores, truth in scored]) for tau in taus])
    if ANSWERS in sets:
        scores, truth = sharpened(sets[ANSWERS][0], temperature), sets[ANSWERS][1]
        enough = np.array([precision(scores, truth, tau) >= precise for tau in taus])
        means = np.where(enough, means, 0.0) if enough.any() else means
    tau = float(np.median(taus[means >= means.max() - LEVEL]))
    return round(float(temperature), 2), round(float(tau), 2)


def topic_temperature(scorer: PairScorer, real: Sequence[Reading]) -> float | None:
    """Return the temperature with the least loss for the output "the answer keeps to its question", on the
    held-out answers.
    """
    apart = [row for row in real if row.kept_apart]
    if not scorer.topical or not apart:
        return None
    scorer.topic_temperature = 1.0
    pairs = [(row.pair(scorer.told).premise, row.pair(scorer.told).hypothesis) for row in apart]
    chances = np.clip(np.asarray(scorer.scores(pairs)[1], dtype=np.float64), 1e-6, 1 - 1e-6)
    odds, truth = np.log(chances / (1 - chances)), np.array([row.relevant for row in apart])
    best = min(np.arange(0.5, 4.01, 0.1), key=lambda t: loss(1 / (1 + np.exp(-odds / t)), truth))
    return round(float(best), 2)


def statements(data: Path) -> dict[str, Cases]:
    """Return development sets of pairs of statements, without a question."""
    apart = [row.pair(told=False) for row in written() if row.kept_apart and not row.question]
    return {
        "DECODE": [((first, second), truth) for first, second, truth in decode_pairs(data, 0)],
        "written statements": [((p.premise, p.hypothesis), p.label == CONTRADICTION) for p in apart],
    }


def statement_shift(scorer: PairScorer, data: Path, temperature: float, tau: float) -> float:
    """Return the shift of the log odds with the best accuracy on pairs of statements at this threshold.

    Accuracy, because nothing is known of how many pairs of a file contradict each other. The checks of messages
    have scales of their own.
    """
    scorer.temperature = temperature
    odds, sets = math.log(tau / (1 - tau)), []
    for part in statements(data).values():
        rows = scorer.score([pair for pair, _ in part]).astype(np.float64)
        scores = np.clip(rows[:, CONTRADICTION], 1e-6, 1 - 1e-6)
        sets.append((np.log(scores / (1 - scores)), np.array([truth for _, truth in part])))
    shifts = np.arange(-2.0, 3.01, 0.05)
    right = np.array([np.mean([((s + x > odds) == truth).mean() for s, truth in sets]) for x in shifts])
    return round(float(np.median(shifts[right >= right.max() - LEVEL])), 2)


def calibrated(
    scorer: PairScorer,
    data: Path,
    report: Callable[[str], None] = print,
    real: Sequence[Reading] = (),
    precise: float = 0.0,
) -> dict[str, float]:
    """Return the temperatures and the threshold that fit the scorer."""
    scorer.temperature = 1.0
    sets: dict[str, Scored] = {}
    for name, part in development(data, real, scorer.told).items():
        rows = scorer.score([pair for pair, _ in part]).astype(np.float64)
        sets[name] = rows, np.array([truth for _, truth in part])
    temperature, tau = fitted(sets, precise)
    for name, (rows, truth) in sets.items():
        before, after = (error(sharpened(rows, t), truth) for t in (1.0, temperature))
        report(f"{name}: calibration error {before:.3f} → {after:.3f}")
        report(f"{name}: {at_tau(sharpened(rows, temperature), truth, tau)}")
    report(f"temperature {temperature}, τ {tau}")
    facts = {"temperature": temperature, "tau": tau}
    facts["statement_shift"] = statement_shift(scorer, data, temperature, tau)
    report(f"shift of the log odds where there is no question: {facts['statement_shift']}")
    if topics := topic_temperature(scorer, real):
        facts["topic_temperature"] = topics
    return facts


def calibrate(
    data: Path, weights: Path, report: Callable[[str], None] = print, real: Sequence[Reading] = ()
) -> None:
    """Write temperature and threshold into the metadata of the weights."""
    from safetensors import safe_open
    from safetensors.torch import load_file, save_file

    fits = calibrated(EmbeddedScorer(weights), data, report, real)
    with safe_open(weights, framework="pt") as file:
        facts = dict(file.metadata() or {})
    facts |= {name: str(value) for name, value in fits.items()}
    half = weights.with_suffix(".part")
    save_file(load_file(weights), half, metadata=facts)
    half.chmod(0o644)  # the writer makes it private, which an installed package must not be
    half.replace(weights)


def calibrate_together(data: Path, real: Sequence[Reading], file: Path = TOGETHER) -> None:
    """Write temperature and threshold for the average of the shipped judges."""
    members = [single("large"), single("small")]
    fits = calibrated(AveragedScorer(members, SHARES, 1.0, 0.5, 1.0), data, print, real, PRECISE)
    stored = {"members": [member.revision for member in members], "weights": SHARES, **fits}
    file.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


def main() -> None:
    door = argparse.ArgumentParser(description=__doc__)
    door.add_argument("--data", type=Path, required=True)
    which = door.add_mutually_exclusive_group(required=True)
    which.add_argument("--weights", type=Path)
    which.add_argument("--together", action="store_true", help="The average of the shipped judges.")
    door.add_argument("--answers", type=Path, help="A folder of labelled answers.")
    door.add_argument("--published", type=Path, help="The export of published tournaments with labels.")
    door.add_argument("--labels", type=Path, help="A folder of further labels of the published tournaments.")
    chosen = door.parse_args()
    known = published(chosen.published, chosen.labels)
    real = real_answers(chosen.answers, known, chosen.data, Guard.of(chosen.data))
    if chosen.together:
        calibrate_together(chosen.data, real)
    else:
        calibrate(chosen.data, chosen.weights, real=real)


if __name__ == "__main__":
    main()
