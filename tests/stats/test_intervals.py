"""Errors and intervals held against a second, plain way of computing them: loops and scipy's distributions."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from scipy import stats

from arena.stats import distributions
from arena.stats.counts import Counts
from arena.stats.errors import Rates
from arena.stats.intervals import (
    Method,
    Weighting,
    bootstrap,
    contradiction_rates,
    distinct,
    drawn_sums,
    errors_of,
    intervals,
)
from arena.stats.leaderboard import enough_data, matrix

BOTS = ("a", "b", "c", "d")
# (speaker, tested): (inquiries, contradictions) of each dialogue; awkward on purpose
PLAYED = {
    (0, 0): [(4, 1), (4, 2), (3, 0), (5, 5), (4, 1), (0, 0)],
    (1, 0): [(2, 1), (2, 0), (7, 2), (1, 0)],
    (2, 0): [(0, 0), (0, 0)],  # asked, nothing judged
    (3, 0): [(5, 1), (5, 2), (5, 3)],
    (0, 1): [(3, 0), (3, 0), (3, 0)],
    (1, 1): [(3, 1), (3, 2), (4, 0), (2, 2)],
    (0, 2): [(4, 4), (2, 2)],
    (2, 2): [(4, 4), (4, 4), (4, 4)],
    (0, 3): [(6, 1)],  # a single dialogue
    (1, 3): [(6, 3), (6, 2)],
}  # fmt: skip


def counts(played: dict[tuple[int, int], list[tuple[int, int]]] = PLAYED) -> Counts:
    rows = [(*pair, m, c) for pair, dialogues in played.items() for m, c in dialogues]
    return Counts.of(BOTS, *([row[k] for row in rows] for k in range(4)))


def variance(dialogues: list[tuple[int, int]], rate: float) -> float:
    """Of a sum of residuals c − r·m about their mean, which is none for a pair's own rate."""
    residual = np.array([c - rate * m for m, c in dialogues])
    return float(len(residual) * residual.var(ddof=1))


def column(tested: int) -> list[list[tuple[int, int]]]:
    return [dialogues for (_, j), dialogues in PLAYED.items() if j == tested]


def summed(dialogues: list[tuple[int, int]]) -> tuple[int, int]:
    return sum(m for m, _ in dialogues), sum(c for _, c in dialogues)


def judged(tested: int) -> list[list[tuple[int, int]]]:
    return [dialogues for dialogues in column(tested) if summed(dialogues)[0]]


def freedom(tested: int) -> float:
    """Satterthwaite's."""
    parts = []
    for dialogues in judged(tested):
        m, c = summed(dialogues)
        parts.append((variance(dialogues, c / m) / m**2, len(dialogues) - 1))
    return float(sum(v for v, _ in parts) ** 2 / sum(v**2 / k for v, k in parts))


def test_rates_are_those_of_equation_4() -> None:
    for j in range(4):
        each = [summed(dialogues) for dialogues in judged(j)]
        assert contradiction_rates(counts().cells())[j] == pytest.approx(np.mean([c / m for m, c in each]))
        pooled = sum(c for _, c in each) / sum(m for m, _ in each)
        assert contradiction_rates(counts().cells(), Weighting.INQUIRIES)[j] == pytest.approx(pooled)


@pytest.mark.parametrize("tested", [0, 1])
def test_the_error_of_a_mean_over_pairs(tested: int) -> None:
    each = judged(tested)
    spread = sum(variance(d, summed(d)[1] / summed(d)[0]) / summed(d)[0] ** 2 for d in each)
    assert errors_of(counts().cells())[tested] == pytest.approx(np.sqrt(spread) / len(each))


@pytest.mark.parametrize("tested", [0, 1])
def test_the_error_of_a_pooled_rate(tested: int) -> None:
    asked, result = (sum(summed(d)[k] for d in judged(tested)) for k in (0, 1))
    spread = sum(variance(d, result / asked) for d in column(tested))
    error = errors_of(counts().cells(), Weighting.INQUIRIES)[tested]
    assert error == pytest.approx(np.sqrt(spread) / asked)


@pytest.mark.parametrize("weighting", list(Weighting))
def test_a_single_dialogue_and_nothing_judged_have_no_error(weighting: Weighting) -> None:
    assert np.isnan(errors_of(counts().cells(), weighting)[3])
    nothing = counts({(0, 0): [(0, 0), (0, 0)], (1, 1): [(2, 1), (2, 0)]}).cells()
    assert np.isnan(errors_of(nothing, weighting)).tolist() == [True, False, True, True]


@pytest.mark.parametrize("level", [0.9, 0.95])
def test_linearised_intervals_are_students_on_the_logit_scale(level: float) -> None:
    measured = intervals(counts(), method=Method.LINEARISED, level=level)
    for j in (0, 1):
        p = float(measured.rate[j])
        width = stats.t.ppf((1 + level) / 2, freedom(j)) * measured.error[j] / (p * (1 - p))
        bounds = 1 / (1 + np.exp(-(np.log(p / (1 - p)) + np.array([-width, width]))))
        assert (measured.low[j], measured.high[j]) == pytest.approx(tuple(bounds))


@pytest.mark.parametrize("method", list(Method))
def test_without_spread_the_interval_is_the_exact_one(method: Method) -> None:
    measured = intervals(counts(), method=method)
    trials = 2 * 2  # two pairs, two dialogues in the smaller: a dialogue is one trial
    assert measured.rate[2] == measured.high[2] == 1
    assert measured.low[2] == pytest.approx(stats.beta.ppf(0.025, trials, 1))
    if method is Method.SCORE:  # it gives the smaller pair the spread of a contradiction more
        assert measured.low[3] < 0.05 and measured.high[3] > 0.8
        return
    hits = measured.rate[3] * 2  # one dialogue in the smaller pair
    assert measured.low[3] == pytest.approx(stats.beta.ppf(0.025, hits, 2 - hits + 1))
    assert measured.high[3] == pytest.approx(stats.beta.ppf(0.975, hits + 1, 2 - hits))


def test_percentiles_are_taken_at_students_levels() -> None:
    draws = np.random.default_rng(1).normal(0.35, 0.1, (500, 4))
    draws[:7] = np.nan  # a round in which nothing was judged
    measured = intervals(counts(), method=Method.PERCENTILE, draws=draws, level=0.9)
    for j in (0, 1):
        at = stats.norm.cdf(stats.t.ppf([0.05, 0.95], freedom(j)))
        low, high = np.quantile(draws[7:, j], at)
        assert measured.low[j] == pytest.approx(min(low, measured.rate[j]))
        assert measured.high[j] == pytest.approx(max(high, measured.rate[j]))


@pytest.mark.parametrize("weighting", list(Weighting))
def test_bca_corrects_bias_and_skew(weighting: Weighting) -> None:
    draws = np.round(np.random.default_rng(2).beta(3, 6, (800, 4)), 2)  # with ties
    measured = intervals(counts(), method=Method.BCA, draws=draws, weighting=weighting)
    for j in (0, 1):
        influence = []
        asked, text = (sum(summed(d)[k] for d in judged(j)) for k in (0, 1))
        for dialogues in judged(j):
            m, c = (asked, text) if weighting is Weighting.INQUIRIES else summed(dialogues)
            influence += [(one[1] - c / m * one[0]) / m for one in dialogues]
        skew = np.sum(np.power(influence, 3)) / (6 * np.sum(np.square(influence)) ** 1.5)
        below = np.mean(draws[:, j] < measured.rate[j]) + np.mean(draws[:, j] == measured.rate[j]) / 2
        bias = stats.norm.ppf(below)
        tails = bias + stats.t.ppf([0.025, 0.975], freedom(j))
        low, high = np.quantile(draws[:, j], stats.norm.cdf(bias + tails / (1 - skew * tails)))
        assert (measured.low[j], measured.high[j]) == pytest.approx((low, high))


def test_a_rate_outside_all_draws_still_has_an_interval() -> None:
    draws = np.full((50, 4), 0.9) + np.linspace(0, 0.05, 50)[:, None]
    measured = intervals(counts(), method=Method.BCA, draws=draws)
    assert measured.low[0] == measured.rate[0] and 0.9 <= measured.high[0] <= 0.95


def test_the_score_interval_is_wilsons_for_independent_inquiries() -> None:
    rng = np.random.default_rng(2)
    contradicts = rng.random(400) < 0.2
    one_each = Counts.of(("a",), [0] * 400, [0] * 400, [1] * 400, contradicts.astype(int))
    result, p = intervals(one_each), float(contradicts.mean())
    spread = p * (1 - p) / 399  # of one stratum, unbiased
    fourth = np.mean((contradicts - p) ** 4) / 400**3 * (400 / 399) ** 2
    t = stats.t.ppf(0.975, min(2 * spread**2 / (fourth - spread**2 / 400), 399))
    n = p * (1 - p) / spread
    centre, half = (p * n + t**2 / 2) / (n + t**2), t * np.sqrt(n * p * (1 - p) + t**2 / 4) / (n + t**2)
    assert result.method is Method.SCORE
    assert (result.low[0], result.high[0]) == pytest.approx((centre - half, centre + half), rel=1e-3)


def test_copies_count_once() -> None:
    rows = [(4, 1), (4, 0), (3, 2), (5, 1)] * 5
    once = Counts.of(("a",), [0] * 20, [0] * 20, *zip(*rows, strict=True))
    copies = np.repeat(np.arange(20), 6)
    many = replace(once.only(copies), copies=copies)
    alone, copied = intervals(once), intervals(many)
    assert (alone.low[0], alone.high[0]) == pytest.approx((copied.low[0], copied.high[0]))
    unknown = intervals(once.only(copies))  # taken for 120 dialogues of their own
    assert unknown.high - unknown.low < 0.5 * (alone.high - alone.low)


def test_dialogues_of_one_opener_belong_together() -> None:
    rng = np.random.default_rng(4)
    opener = np.tile(np.arange(10), 40)
    chance = rng.beta(2, 6, (10, 1))[opener, 0]
    drawn = rng.binomial(4, chance)
    counts = Counts.of(("a", "b"), np.repeat([0, 1], 200), [0] * 400, [4] * 400, drawn)
    clustered, single = intervals(replace(counts, openers=opener)), intervals(counts)
    assert clustered.rate[0] == pytest.approx(single.rate[0])
    assert clustered.high[0] - clustered.low[0] > 2 * (single.high[0] - single.low[0])
    few = intervals(replace(counts, openers=opener % 4))  # too few to stand for others: taken as they are
    assert (few.low[0], few.high[0]) == pytest.approx((single.low[0], single.high[0]))


# --- the bootstrap


def every_draw(dialogues: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Each sum that n − 1 dialogues drawn with replacement can come to."""
    return [summed(list(drawn)) for drawn in product(dialogues, repeat=len(dialogues) - 1)]


@pytest.mark.parametrize("weighting", list(Weighting))
def test_the_bootstrap_draws_dialogues_pair_by_pair(weighting: Weighting) -> None:
    played = {(0, 0): PLAYED[1, 0], (1, 0): PLAYED[3, 0], (2, 0): [(3, 3)]}
    draws = bootstrap(counts(played), np.random.default_rng(3), 60_000, weighting)[:, 0]
    every = []
    for one, other in product(every_draw(played[0, 0]), every_draw(played[1, 0])):
        if weighting is Weighting.MACRO:
            every.append((one[1] / one[0] + other[1] / other[0] + 1) / 3)
        else:
            top = one[1] * 4 / 3 + other[1] * 3 / 2 + 3
            every.append(top / (one[0] * 4 / 3 + other[0] * 3 / 2 + 3))
    assert draws.mean() == pytest.approx(np.mean(every), abs=0.002)
    assert draws.std() == pytest.approx(np.std(every), rel=0.02)
    assert set(np.round(np.unique(draws), 9)) == set(np.round(np.unique(every), 9))


def test_a_pair_drawn_without_inquiries_is_left_out_of_that_round() -> None:
    played = {(0, 0): [(2, 1), (0, 0)], (1, 0): [(2, 2), (2, 2)]}
    draws = bootstrap(counts(played), np.random.default_rng(4), 4_000)[:, 0]
    assert set(draws.tolist()) == {0.75, 1.0}
    assert np.mean(draws == 1.0) == pytest.approx(0.5, abs=0.05)


@pytest.mark.parametrize("often", [[3.0, 2.0, 1.0], [40.0, 30.0, 20.0]], ids=["row by row", "kind by kind"])
def test_both_ways_of_drawing_draw_one_fewer(often: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    values = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 3.0]])
    monkeypatch.setattr("arena.stats.intervals.CHUNK", 7_001)  # several chunks
    sums = drawn_sums(values, np.array(often), np.random.default_rng(5), 20_000)
    size = int(sum(often))
    share = np.array(often) / size
    assert (sums[:, 0] == size - 1).all()
    mean = share @ values[:, 1]
    spread = share @ values[:, 1] ** 2 - mean**2
    assert sums[:, 1].mean() == pytest.approx((size - 1) * mean, rel=0.01)
    assert sums[:, 1].var() == pytest.approx((size - 1) * spread, rel=0.04)


def test_few_kinds_of_many_rows_are_drawn_by_kind() -> None:
    class Watched(np.random.Generator):
        def multinomial(self, *args: object, **kwargs: object) -> np.ndarray:  # type: ignore[type-arg, override]
            raise RecursionError

    rng = Watched(np.random.PCG64(1))
    with pytest.raises(RecursionError):
        drawn_sums(np.ones((2, 2)), np.array([20.0, 5.0]), rng, 4)  # 25 rows for 2 kinds: above 12 each
    assert drawn_sums(np.ones((2, 2)), np.array([20.0, 4.0]), rng, 4).tolist() == [[23.0, 23.0]] * 4


def test_a_lone_row_is_drawn_as_it_is() -> None:
    assert drawn_sums(np.array([[2.0, 1.0]]), np.array([1.0]), np.random.default_rng(1), 3).tolist() == (
        [[2.0, 1.0]] * 3
    )


def test_equal_dialogues_are_one_kind() -> None:
    ordered = {cell: (values.tolist(), often.tolist()) for cell, values, often in distinct(counts())}
    assert ordered[0] == ([[0, 0], [3, 0], [4, 1], [4, 2], [5, 5]], [1, 1, 2, 1, 1])
    assert ordered[10] == ([[4, 4]], [3])
    assert len(ordered) == len(PLAYED)
    assert distinct(counts({})) == []


# --- one pair's cell, ranks, distributions


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_a_cell_has_students_interval_on_the_logit_scale(level: float) -> None:
    measured = matrix(counts().cells(), level)
    for (i, j), dialogues in PLAYED.items():
        cell, (m, c) = measured[BOTS[i]][BOTS[j]], summed(dialogues)
        assert (cell.inquiries, cell.contradictions, cell.dialogues) == (m, c, len(dialogues))
        if not m:
            assert np.isnan([cell.rate, cell.low, cell.high]).all()
            continue
        p, inside = c / m, [d for d in dialogues if d[0]]
        assert cell.rate == pytest.approx(p)
        spread = variance(dialogues, p) if len(inside) > 1 else 0.0
        if 0 < p < 1 and spread > 0:
            width = stats.t.ppf((1 + level) / 2, len(dialogues) - 1) * np.sqrt(spread) / m / (p * (1 - p))
            bounds = 1 / (1 + np.exp(-(np.log(p / (1 - p)) + np.array([-width, width]))))
        else:
            hits, trials, tail = p * len(inside), len(inside), (1 - level) / 2
            low = stats.beta.ppf(tail, hits, trials - hits + 1) if hits else 0.0
            high = stats.beta.ppf(1 - tail, hits + 1, trials - hits) if hits < trials else 1.0
            bounds = np.array([low, high])
        assert (cell.low, cell.high) == pytest.approx(tuple(bounds)), (i, j)
    assert set(measured) == {"a", "b", "c", "d"}
    assert set(measured["d"]) == {"a"}


def test_enough_is_ten_dialogues_and_two_in_each_pair() -> None:
    five = [(2, 1)] * 5
    text = {
        "enough": {(0, 0): five, (1, 0): five},
        "nine": {(0, 0): five, (1, 0): five[:4]},
        "one of a pair": {(0, 0): five * 2, (1, 0): [(2, 1), (0, 0)]},
        "a silent pair is no pair": {(0, 0): five * 2, (1, 0): [(0, 0)]},
        "silent dialogues": {(0, 0): five + [(0, 0)] * 5},
    }
    result = {
        name: bool(enough_data(Rates(counts(played)), counts(played).cells())[0])
        for name, played in text.items()
    }
    assert result == {
        "enough": True,
        "nine": False,
        "one of a pair": False,
        "a silent pair is no pair": True,
        "silent dialogues": False,
    }


def test_ranks_of_equals_are_their_mean() -> None:
    values = [0.3, 0.1, 0.3, 0.2, 0.3, 0.1]
    assert distributions.ranked(values).tolist() == stats.rankdata(values).tolist()


def test_the_exact_interval_takes_hits_that_are_not_whole() -> None:
    hits, trials = np.array([0, 0.25, 2.5, 7, 9.75, 10]), np.full(6, 10.0)
    low, high = distributions.exact_binomial(hits, trials, 0.9)
    inner = hits[1:-1]
    assert low[0] == 0 and high[-1] == 1
    assert low[1:-1] == pytest.approx(stats.beta.ppf(0.05, inner, 10 - inner + 1))
    assert high[1:-1] == pytest.approx(stats.beta.ppf(0.95, inner + 1, 10 - inner))
    assert high[0] == pytest.approx(stats.beta.ppf(0.95, 1, 10))
    assert low[-1] == pytest.approx(stats.beta.ppf(0.05, 10, 1))
