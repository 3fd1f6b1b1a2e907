"""The metrics against scikit-learn and scipy, and what their intervals promise."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

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


def small() -> Iterator[tuple[list[int], list[float]]]:
    """Few items with many ties, often of one label only."""
    rng = np.random.default_rng(8)
    for size in (1, 2, 3, 4, 8) * 30:
        share = rng.choice([0.0, 0.5, 0.5, 1.0])
        yield rng.binomial(1, share, size).tolist(), (rng.integers(-2, 13, size) / 10).tolist()


def test_metrics_equal_their_definitions_item_by_item() -> None:
    for y, s in small():
        pairs = [
            (a > b) + (a == b) / 2
            for a, i in zip(s, y, strict=True)
            if i
            for b, j in zip(s, y, strict=True)
            if not j
        ]
        assert metrics.auc(y, s) == pytest.approx(sum(pairs) / len(pairs) if pairs else np.nan, nan_ok=True)
        right = [(b > 0.4) == bool(a) for a, b in zip(y, s, strict=True)]
        assert metrics.accuracy(y, s, 0.4) == pytest.approx(sum(right) / len(y))
        assert metrics.mse(y, s) == pytest.approx(
            sum((a - b) ** 2 for a, b in zip(y, s, strict=True)) / len(y)
        )
        above, wrong = sum(b > 0.4 for b in s), right.count(False)
        hits = (sum(y) + above - wrong) / 2
        f1 = 2 * hits / (2 * hits + wrong) if hits or wrong else np.nan
        assert metrics.f1(y, s, 0.4) == pytest.approx(f1, nan_ok=True)


def score(name: str, y: list[int], s: list[float], tau: float) -> float:
    """The metric, where undefined parts count 0."""
    hits = sum(a and b > tau for a, b in zip(y, s, strict=True))
    false = sum(b > tau for b in s) - hits
    yes, no = sum(y), len(y) - sum(y)
    if name == "f1":
        return 2 * hits / max(yes + hits + false, 1)
    if name == "balanced":
        return hits / max(yes, 1) + (no - false) / max(no, 1)
    return hits + no - false


@pytest.mark.parametrize("name", ["accuracy", "f1", "balanced"])
def test_the_best_threshold_is_the_lowest_of_the_best(name: str) -> None:
    for y, s in small():
        levels = sorted(set(s))
        cuts = [levels[0] - 0.5, *((a + b) / 2 for a, b in itertools.pairwise(levels)), levels[-1] + 0.5]
        best = max(cuts, key=lambda tau: (score(name, y, s, tau), -tau))
        result = metrics.best_threshold(y, s, name)
        assert score(name, y, s, result) == pytest.approx(score(name, y, s, best))
        if name != "balanced":  # of which equals may differ by rounding
            assert result == pytest.approx(best)
        assert metrics.best_accuracy(y, s) == pytest.approx(
            max(score("", y, s, tau) for tau in cuts) / len(y)
        )
    assert metrics.best_threshold([], [], name) == 0.5


def test_intervals_are_the_quantiles_of_all_resamples() -> None:
    """Three groups of unequal size, or three items, are drawn in 27 ways."""
    y, s = np.array([1, 1, 1, 0, 0]), np.array([7.0, 1.0, 40.0, 300.0, 90.0])

    def total(_: np.ndarray, values: np.ndarray) -> float:
        return float(values.mean())

    for groups, members in ((["c", "a", "c", "b", "b"], [[1], [3, 4], [0, 2]]), (None, [[0], [1], [2]])):
        n = 5 if groups else 3
        everything = [
            total(y, s[np.concatenate([members[g] for g in drawn])])
            for drawn in itertools.product(range(3), repeat=3)
        ]
        bounds = metrics.interval(total, y[:n], s[:n], groups=groups, rounds=4000, level=0.8, seed=2)
        low, high = np.quantile(everything, [0.1, 0.9], method="inverted_cdf")
        assert (bounds.value, bounds.low, bounds.high) == pytest.approx((s[:n].mean(), low, high))
        several = metrics.intervals(
            {"a": total, "b": metrics.auc}, y[:n], s[:n], groups=groups, rounds=99, seed=2
        )
        assert several["a"] == metrics.interval(total, y[:n], s[:n], groups=groups, rounds=99, seed=2)
        assert set(several) == {"a", "b"}


def test_the_p_value_of_a_difference_is_its_share_of_resamples() -> None:
    y, a, b = np.ones(3), np.array([3.0, -1.0, 2.0]), np.array([1.0, 1.0, 1.0])

    def mean(_: np.ndarray, values: np.ndarray) -> float:
        return float(values.mean())

    changes = [np.mean((a - b)[list(pick)]) for pick in itertools.product(range(3), repeat=3)]
    low, high = np.quantile(changes, [0.1, 0.9], method="inverted_cdf")
    for first, second, sign in ((a, b, 1), (b, a, -1)):
        result = metrics.difference(mean, y, first, second, rounds=4000, level=0.8)
        below = np.mean([change <= 1e-12 for change in changes])
        assert result.p_value == pytest.approx(2 * min(below, 1 - below), abs=0.06)
        assert result.value == pytest.approx(sign / 3)
        assert sorted((sign * result.low, sign * result.high)) == pytest.approx([low, high])
    clear = metrics.difference(mean, y, a + 9, b, rounds=99)
    assert clear.p_value == pytest.approx(0.02), "no more than so many resamples can prove"
    assert metrics.difference(mean, y, b, a + 9, rounds=99).p_value == pytest.approx(0.02)


def test_too_few_valid_resamples_have_no_bounds() -> None:
    for rounds, known in ((1, False), (2, True)):
        bounds = metrics.interval(metrics.accuracy, [0, 1, 1], [0.2, 0.7, 0.1], rounds=rounds)
        assert np.isfinite(bounds.low) == np.isfinite(bounds.high) == known
    one = metrics.difference(metrics.auc, [1, 1], [0.1, 0.2], [0.1, 0.3])
    assert one.p_value == 1 and np.isnan([one.value, one.low, one.high]).all()


def test_correlation_of_few_or_constant_values() -> None:
    assert metrics.pearson([1, 2], [5, 4]) == metrics.spearman([1, 2], [9, -8]) == pytest.approx(-1)
    assert metrics.pearson([1e-6, 2e-6, 4e-6], [1, 2, 4]) == pytest.approx(1)
    for odd in ([], [3.0], [1 / 3] * 7, [0.1] * 3):  # the mean of the last is not 0.1
        assert np.isnan(metrics.pearson(odd, odd)) and np.isnan(metrics.spearman(odd, odd))


def test_several_classes() -> None:
    y, p = ["a", "b", "b", "c", "a"], ["a", "b", "d", "a", "b"]
    assert metrics.macro_f1(y, p) == pytest.approx(sk.f1_score(y, p, average="macro", labels=["a", "b", "c"]))
    assert np.isnan(metrics.macro_f1([], []))
    table = metrics.confusion(y, p)
    assert list(table) == list("abcd") and table["b"] == {"a": 0, "b": 1, "c": 0, "d": 1}
    assert metrics.confusion(y, p, ["c", "a"]) == {"c": {"c": 0, "a": 1}, "a": {"c": 0, "a": 1}}


def test_nothing_and_no_positive_are_no_error() -> None:
    for metric in (
        metrics.accuracy,
        metrics.mse,
        metrics.f1,
    ):
        assert np.isnan(metric([], []))
    assert np.isnan(metrics.auc([0, 0], [0.1, 0.2]))
    thresholds, precision, recall = metrics.precision_recall([0, 0, 0], [0.2, 0.4, 0.2])
    assert [v.tolist() for v in (thresholds, precision, recall)] == [[0.4, 0.2], [0.0, 0.0], [0.0, 0.0]]
    assert metrics.at(metrics.accuracy, 0.7)([1, 0], [0.6, 0.6]) == 0.5
    assert metrics.accuracy([1, 0], [0.5, 0.5]) == 0.5, "a score of τ is no contradiction"


@pytest.mark.parametrize("name", ["accuracy", "f1", "balanced"])
def test_the_best_threshold_beats_every_other(data: tuple[np.ndarray, np.ndarray], name: str) -> None:
    y, s = data
    balanced = lambda labels, scores, tau: sk.balanced_accuracy_score(labels, scores > tau)  # noqa: E731
    metric = {"accuracy": metrics.accuracy, "f1": metrics.f1, "balanced": balanced}[name]
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
