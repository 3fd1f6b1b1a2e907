"""Simulated systems and ensembles: what is known must come out."""

from __future__ import annotations

import time

import numpy as np
import pytest

from arena.stats.ensemble import fitted, halves
from arena.stats.systems import robustness, system_correlation


def test_a_perfect_metric_correlates_fully_and_a_blind_one_not_at_all() -> None:
    ones, zeros = np.ones(244), np.zeros(244)
    perfect = system_correlation(ones, zeros)
    assert (perfect.value, perfect.low, perfect.high) == (1.0, 1.0, 1.0)
    noise = np.random.default_rng(3).random(244)
    assert abs(system_correlation(noise, np.roll(noise, 1)).value) < 0.1
    assert np.isnan(system_correlation(ones, ones).value)
    assert system_correlation(zeros, ones).value == -1.0


def test_a_better_metric_correlates_better() -> None:
    rng = np.random.default_rng(5)
    weak = system_correlation(rng.normal(0.6, 1, 244), rng.normal(0.4, 1, 244))
    strong = system_correlation(rng.normal(0.8, 0.3, 244), rng.normal(0.2, 0.3, 244))
    assert weak.value < strong.value <= 1.0


def test_a_thousand_rounds_take_no_time() -> None:
    began = time.perf_counter()
    system_correlation(np.random.default_rng(0).random(244), np.random.default_rng(1).random(244))
    assert time.perf_counter() - began < 5


def test_robustness_is_linear_in_the_share() -> None:
    levels = robustness(np.full(300, 0.9), np.full(300, 0.1))
    assert [round(level.score.value, 6) for level in levels] == pytest.approx(
        [0.9 - 0.8 * level.share for level in levels]
    )
    wide = robustness([0.0, 1.0], [0.0, 1.0], shares=[0.5])[0].score
    assert wide.low < 0.5 < wide.high


def test_seeds_decide() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.random(50), rng.random(50)
    assert system_correlation(a, b, seed=1) == system_correlation(a, b, seed=1)
    assert system_correlation(a, b, seed=1) != system_correlation(a, b, seed=2)


def test_an_ensemble_finds_the_score_that_matters() -> None:
    rng = np.random.default_rng(2)
    y = rng.random(400) < 0.5
    x = np.column_stack([rng.random(400), y + rng.normal(0, 0.5, 400)])
    model = fitted(y, x)
    assert abs(model.weights[2]) > 5 * abs(model.weights[1])
    assert np.mean((model.predict(x) > 0.5) == y) > 0.75


def test_an_ensemble_agrees_with_a_well_kept_library() -> None:
    from sklearn.linear_model import LogisticRegression

    rng = np.random.default_rng(4)
    x = rng.normal(size=(200, 3))
    y = x @ [1.0, -2.0, 0.0] + rng.normal(size=200) > 0
    model = fitted(y, x, ridge=2.0)
    other = LogisticRegression(C=0.5, tol=1e-10).fit((x - x.mean(0)) / x.std(0), y)
    assert model.weights[1:] == pytest.approx(other.coef_[0], abs=1e-4)


def test_halves_split_whole_groups() -> None:
    groups = np.repeat(np.arange(11), 3)
    half = halves(groups, 1)
    assert half.sum() == 18 and all(len(set(half[groups == g])) == 1 for g in range(11))
