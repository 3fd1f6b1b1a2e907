"""The metrics against scikit-learn and scipy, and what their intervals promise."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from sklearn import metrics as sk

from arena.stats import metrics


@pytest.fixture
def data() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 2, 200)
    return labels, np.round(np.clip(0.3 * labels + rng.random(200) * 0.7, 0, 1), 2)  # rounded: with ties


def test_metrics_equal_those_of_scikit_learn(data: tuple[np.ndarray, np.ndarray]) -> None:
    y, s = data
    p = (s > 0.4).astype(int)
    assert metrics.auc(y, s) == pytest.approx(sk.roc_auc_score(y, s))
    assert metrics.f1(y, s, 0.4) == pytest.approx(sk.f1_score(y, p))
    assert metrics.accuracy(y, s, 0.4) == pytest.approx(sk.accuracy_score(y, p))
    assert metrics.balanced_accuracy(y, s, 0.4) == pytest.approx(sk.balanced_accuracy_score(y, p))
    assert metrics.macro_f1(y, p) == pytest.approx(sk.f1_score(y, p, average="macro"))
    assert metrics.pearson(y, s) == pytest.approx(stats.pearsonr(y, s).statistic)
    assert metrics.spearman(y, s) == pytest.approx(stats.spearmanr(y, s).statistic)
    assert metrics.mse(y, s) == pytest.approx(sk.mean_squared_error(y, s))
    table = sk.confusion_matrix(y, p)
    assert metrics.confusion(y, p) == {str(a): {str(b): int(table[a, b]) for b in (0, 1)} for a in (0, 1)}


def test_precision_and_recall_equal_those_of_scikit_learn(data: tuple[np.ndarray, np.ndarray]) -> None:
    y, s = data
    precision, recall, thresholds = sk.precision_recall_curve(y, s)
    ours = metrics.precision_recall(y, s)
    np.testing.assert_allclose(ours[0], thresholds[::-1])
    np.testing.assert_allclose(ours[1], precision[:-1][::-1])
    np.testing.assert_allclose(ours[2], recall[:-1][::-1])


@pytest.mark.parametrize("name", ["accuracy", "f1", "balanced"])
def test_the_best_threshold_beats_every_other(data: tuple[np.ndarray, np.ndarray], name: str) -> None:
    y, s = data
    metric = {"accuracy": metrics.accuracy, "f1": metrics.f1, "balanced": metrics.balanced_accuracy}[name]
    best = metric(y, s, metrics.best_threshold(y, s, name))
    assert best == pytest.approx(max(metric(y, s, t) for t in np.linspace(-0.005, 1.005, 203)))


def test_undefined_is_nan_and_no_error() -> None:
    assert np.isnan(metrics.auc([1, 1], [0.2, 0.3]))
    assert np.isnan(metrics.pearson([1, 1], [0.2, 0.3]))
    assert np.isnan(metrics.f1([0, 0], [0.1, 0.1]))
    assert np.isnan(metrics.interval(metrics.auc, [], []).low)


def test_intervals_cover_and_depend_on_the_seed_only(data: tuple[np.ndarray, np.ndarray]) -> None:
    first = metrics.interval(metrics.auc, *data, seed=5)
    assert first == metrics.interval(metrics.auc, *data, seed=5)
    assert first.low < first.value < first.high
    grouped = metrics.interval(metrics.auc, *data, groups=np.arange(200) // 40, seed=5)
    assert grouped.value == first.value and grouped != first


def test_coverage_of_the_accuracy_interval() -> None:
    rng = np.random.default_rng(1)
    covered = 0
    for trial in range(200):
        labels = rng.integers(0, 2, 120)
        right = rng.random(120) < 0.8
        estimate = metrics.interval(
            metrics.accuracy, labels, np.where(right, labels, 1 - labels), rounds=300, seed=trial
        )
        covered += estimate.low <= 0.8 <= estimate.high
    assert 0.90 <= covered / 200 <= 0.985


def test_paired_differences_see_what_unpaired_intervals_do_not(data: tuple[np.ndarray, np.ndarray]) -> None:
    y, s = data
    worse = s.copy()
    worse[::8] = 1 - worse[::8]
    difference = metrics.difference(metrics.auc, y, s, worse)
    assert difference.low > 0 and difference.p_value < 0.05
    same = metrics.difference(metrics.auc, y, s, s)
    assert (same.value, same.low, same.high, same.p_value) == (0, 0, 0, 1)
