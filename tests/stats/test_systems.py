"""Simulated systems and ensembles: what is known must come out."""

from __future__ import annotations

import time

import numpy as np
import pytest
from scipy import optimize

from arena.stats.ensemble import fitted, halves
from arena.stats.systems import robustness, system_correlation


def test_an_ensemble_is_the_likeliest_with_its_penalty() -> None:
    """Against a general minimiser, on scores of any scale, a constant one and labels that are mostly 1."""
    rng = np.random.default_rng(7)
    x = np.column_stack([rng.normal(50, 20, 60), np.full(60, 0.1), rng.random(60) / 1000])
    y = x[:, 0] + rng.normal(0, 10, 60) > 30
    scaled = np.column_stack([(x[:, 0] - x[:, 0].mean()) / x[:, 0].std(), np.zeros(60)])
    scaled = np.column_stack([scaled, (x[:, 2] - x[:, 2].mean()) / x[:, 2].std()])

    def loss(weights: np.ndarray) -> float:
        z = weights[0] + scaled @ weights[1:]
        likelihood = np.sum(np.where(y, -np.log1p(np.exp(-z)), -np.log1p(np.exp(z))))
        return float(ridge * np.sum(weights[1:] ** 2) / 2 - likelihood)

    for ridge in (0.5, 3.0):
        best = optimize.minimize(loss, np.zeros(4), tol=1e-12).x
        model = fitted(y, x, ridge=ridge)
        assert model.weights == pytest.approx(best, abs=1e-4)
        asked = np.array([[45.0, 0.1, 0.0002], [10.0, 0.1, 0.0009]])
        z = best[0] + best[1] * (asked[:, 0] - x[:, 0].mean()) / x[:, 0].std()
        z += best[3] * (asked[:, 2] - x[:, 2].mean()) / x[:, 2].std()
        assert model.predict(asked) == pytest.approx(1 / (1 + np.exp(-z)), abs=1e-4)


def test_scores_that_tell_the_labels_apart_give_no_endless_weights() -> None:
    x = np.arange(10.0)[:, None]
    model = fitted(x[:, 0] > 4, x, ridge=1e-4)
    assert np.isfinite(model.weights).all() and np.all((model.predict(x) > 0.5) == (x[:, 0] > 4))


def test_system_scores_spread_as_draws_with_repetition_do() -> None:
    """Against the normal approximation of a sum of so many draws of either kind."""
    rng = np.random.default_rng(3)
    good, bad = rng.random(7), 5 + 3 * rng.random(5)
    for level in robustness(good, bad, shares=[0.0, 0.125, 0.5, 1.0], size=200, rounds=20_000):
        wrong = round(200 * level.share)
        mean = (wrong * bad.mean() + (200 - wrong) * good.mean()) / 200
        error = np.sqrt(wrong * bad.var() + (200 - wrong) * good.var()) / 200
        assert level.score.value == pytest.approx(mean, abs=5 * error / np.sqrt(20_000))
        assert level.score.high - mean == pytest.approx(1.96 * error, rel=0.06)
        assert mean - level.score.low == pytest.approx(1.96 * error, rel=0.06)


def test_one_answer_in_two_decides_as_often_as_chance_says() -> None:
    """Two contexts; only the second one's responses differ. Of two drawn, one is answered inconsistently."""
    result = system_correlation([0.0, 1.0], [0.0, 0.0], shares=[0.0, 0.5], contexts=2, rounds=20_000)
    # (0, 0): no difference, left out; else the system that is less consistent scores lower, if a 1 is hit
    assert (result.value, result.low, result.high) == (1.0, 1.0, 1.0)
    three = system_correlation([0.0, 1.0], [0.0, 0.0], shares=[0.0, 0.5, 1.0], contexts=2, rounds=20_000)
    # (1, 1): scores 2, 1, 0. (0, 1) either way: 1, 1 or 0, 0, so √3/2. (0, 0): none. One round in three is 1.
    assert three.value == pytest.approx(1 / 3 + np.sqrt(3) / 2 * 2 / 3, abs=0.002)
    assert (three.low, three.high) == (pytest.approx(np.sqrt(3) / 2), 1.0)


def test_what_cannot_be_correlated_is_nan() -> None:
    for good, bad in (([], []), ([1.0, 1.0], [0.0]), ([1.0], [1.0])):
        result = system_correlation(good, bad)
        assert np.isnan([result.value, result.low, result.high]).all()


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
    assert halves(np.repeat(["b", "a"], 2)).sum() == 2 and halves(["only"]).tolist() == [True]
    chosen = [tuple(halves(np.arange(4), seed)) for seed in range(50)]
    assert len(set(chosen)) == 6, "every half is chosen by some seed"
