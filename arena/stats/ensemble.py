"""Combines several scores by a logistic regression, fitted on one part of the items."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
STEPS, ENOUGH = 50, 1e-9


@dataclass(frozen=True, slots=True)
class Ensemble:
    """The weights of standardised scores in a logistic regression. `weights[0]` is the intercept."""

    means: Floats
    scales: Floats
    weights: Floats

    def predict(self, scores: ArrayLike) -> Floats:
        """The probability of label 1 for each row of scores."""
        x = (np.asarray(scores, dtype=float) - self.means) / self.scales
        return np.asarray(1.0 / (1.0 + np.exp(-(self.weights[0] + x @ self.weights[1:]))))


def fitted(labels: ArrayLike, scores: ArrayLike, ridge: float = 3.0) -> Ensemble:
    """Fit the weights by Newton's method, with a ridge penalty on all weights except the intercept."""
    y, raw = np.asarray(labels).astype(float), np.asarray(scores, dtype=float)
    means, scales = raw.mean(axis=0), raw.std(axis=0)
    scales[scales < 1e-9] = 1.0
    x = np.column_stack([np.ones(len(y)), (raw - means) / scales])
    penalty = ridge * np.eye(x.shape[1])
    penalty[0, 0] = 1e-6
    weights = np.zeros(x.shape[1])
    for _ in range(STEPS):
        p = 1.0 / (1.0 + np.exp(-np.clip(x @ weights, -30, 30)))
        gradient = x.T @ (y - p) - penalty @ weights
        hessian = (x.T * (p * (1 - p))) @ x + penalty
        step = np.linalg.solve(hessian, gradient)
        weights += step
        if np.abs(step).max() < ENOUGH:
            break
    return Ensemble(means, scales, weights)


def halves(groups: ArrayLike, seed: int = 0) -> NDArray[np.bool_]:
    """Return a mask that selects the items of a random half of the groups."""
    names, which = np.unique(np.asarray(groups), return_inverse=True)
    order = np.random.default_rng(seed).permutation(len(names))
    chosen = np.zeros(len(names), dtype=bool)
    chosen[order[: (len(names) + 1) // 2]] = True
    return np.asarray(chosen[which])
