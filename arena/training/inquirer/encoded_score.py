"""Fits the second score of questions, which an encoder gives, to readers' judgements.

    python -m arena.training.inquirer.encoded_score --pool POOL.jsonl … --readings FOLDER … --out WEIGHTS.safetensors

Pool and readings are those of `arena.training.inquirer.score`. The encoder is not trained. A logistic regression on
the main components of its states is fitted, and another one weighs its result against the first score. All printed
figures are predictions for messages that no fit had seen.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from arena.training.inquirer.score import (
    RULE_PENALTY,
    SEEN,
    Array,
    Reading,
    auc,
    crossed,
    fit,
    folds,
    matrix,
    options,
    readings,
    table,
)
from inquirer.encoded_score import encoded

COMPONENTS = 150
PENALTY = 30.0
BATCH = 8
LEVELS = (0.0, 0.6, 0.75)  # of the first score


def components(states: Array) -> tuple[Array, Array, Array]:
    """Return the states' main components, and the (matrix, mean) that makes components of states."""
    mean, spread = states.mean(0), states.std(0) + 1e-6
    _, sizes, axes = np.linalg.svd((states - mean) / spread, full_matrices=False)
    count = min(COMPONENTS, len(axes))
    scale = 1 / np.sqrt(sizes[:count] * sizes[0] / len(states))
    to_components = (axes[:count] * scale[:, None]).T / spread[:, None]
    return (states - mean) @ to_components, to_components, mean


def logits(p: Array) -> Array:
    safe = np.clip(p, 1e-4, 1 - 1e-4)
    result: Array = np.log(safe / (1 - safe))
    return result


def first_scores(rows: Sequence[Reading], y: Array, fold: Array, penalty: float) -> Array:
    seen = Counter(name for row in rows for name in (*row.features, f"rule {row.rule}"))
    names = sorted(name for name, count in seen.items() if count >= SEEN)
    weights = np.array([RULE_PENALTY if name.startswith("rule ") else 1.0 for name in names])
    return crossed(matrix(rows, names), y, fold, penalty * weights)


def inputs(rows: Sequence[Reading], seed: int, penalty: float) -> tuple[Array, Array, Array, Array]:
    """Return the encoder's states, the readers' judgements, first scores of unseen messages, and the folds."""
    y, fold = np.array([row.appropriate for row in rows]), folds(rows, seed)
    texts = [(row.clause, row.question, row.answer) for row in rows]
    states = np.concatenate([encoded(texts[at : at + BATCH]) for at in range(0, len(texts), BATCH)])
    return states, y, first_scores(rows, y, fold, penalty), fold


def fitted(
    states: Array, y: Array, first: Array, fold: Array
) -> tuple[dict[str, np.ndarray[Any, Any]], Array]:
    """Return the weights, and the joint scores of messages that the fits had not seen."""
    values, to_components, mean = components(states)
    penalty = np.full(values.shape[1], PENALTY)
    second = crossed(values, y, fold, penalty)
    both = np.stack([logits(first), logits(second)], axis=1)
    joint = crossed(both, y, fold, np.ones(2))
    of_first, of_second, intercept = fit(both, y, np.ones(2))
    beta = fit(values, y, penalty)
    weights = of_second * (to_components @ beta[:-1])
    total = intercept + of_second * beta[-1] - mean @ weights
    stored = {
        "states": weights.astype(np.float32),
        "first": np.array([of_first], dtype=np.float32),
        "intercept": np.array([total], dtype=np.float32),
    }
    return stored, joint


def by_level(rows: Sequence[Reading], y: Array, first: Array, scores: Array) -> dict[str, Any]:
    """Return the AUC of scores over what the default draw may take, from each level of the first score on."""
    drawn = np.array([row.drawn for row in rows], dtype=bool)
    result: dict[str, Any] = {"any question": round(auc(y, scores), 3)}
    for level in LEVELS:
        chosen = drawn & (first >= level)
        result[f"default draw, first score from {level}"] = [
            round(auc(y[chosen], scores[chosen]), 3),
            int(chosen.sum()),
        ]
    return result


def main(arguments: Sequence[str] | None = None) -> None:
    from safetensors.numpy import save_file

    parser = options(__doc__)
    parser.add_argument("--models", nargs="*", default=[], help="sources that are language models")
    parser.add_argument("--penalty", type=float, default=1.0, help="that the first score was fitted with")
    given = parser.parse_args(arguments)
    rows = readings(given.pool, given.readings)
    states, y, first, fold = inputs(rows, given.seed, given.penalty)
    stored, joint = fitted(states, y, first, fold)
    about = f"fitted on {len(rows)} questions that were read; {y.mean():.1%} of them are appropriate"
    save_file(stored, given.out, metadata={"about": about})
    given.out.chmod(0o644)  # the writer makes the file private, but an installed package must be readable
    model = np.array([row.source in given.models for row in rows])
    shown: dict[str, Any] = {}
    for name, chosen in {"all": model | ~model, "people": ~model, "models": model}.items():
        some = [row for row, wanted in zip(rows, chosen, strict=True) if wanted]
        if not some:
            continue
        for scores, label in ((first, "first score"), (joint, "with the encoder")):
            shown[f"{name}, {label}"] = by_level(some, y[chosen], first[chosen], scores[chosen])
    print(json.dumps({**shown, "with the encoder": table(rows, y, joint)}, indent=1))


if __name__ == "__main__":
    main()
