"""Agreement against published examples and scikit-learn; calibration against known truth."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from arena.stats import agreement, calibration, simulate
from arena.stats.counts import Counts, Inquiries

# Fleiss' own example: 14 raters put 10 subjects into 5 categories, κ = 0.210
FLEISS = (
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
)  # fmt: skip


def test_fleiss_kappa_is_that_of_the_worked_example() -> None:
    table = np.array([np.repeat(np.arange(5), row) for row in FLEISS]).T
    assert agreement.fleiss_kappa(table) == pytest.approx(0.210, abs=0.0005)


def test_krippendorffs_alpha_is_that_of_his_example() -> None:
    """Nominal data with missing values (Krippendorff 2011): α = 0.743."""
    nan = np.nan
    rows = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, nan, nan, nan],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, nan, 3],
        [nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, nan],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, nan],
    ]
    assert agreement.krippendorff_alpha(rows) == pytest.approx(0.743, abs=0.001)


def test_cohens_kappa_equals_scikit_learns_and_skips_what_one_did_not_rate() -> None:
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 2, 80).astype(float), rng.integers(0, 2, 80).astype(float)
    expected = cohen_kappa_score(a[:60], b[:60])
    b[60:] = np.nan
    assert agreement.cohen_kappa(a, b) == pytest.approx(expected)


def test_votes_are_majorities_and_ties_stay_open() -> None:
    nan = np.nan
    votes = agreement.vote([[1, 1, 0, nan], [1, 0, 0, nan], [0, nan, nan, nan]])
    assert votes[:1].tolist() == [1] and votes[2] == 0
    assert np.isnan(votes[1]) and np.isnan(votes[3])


def test_an_item_that_nobody_rated_has_no_vote_even_where_all_others_agree() -> None:
    votes = agreement.vote([[1, np.nan, 1], [1, np.nan, np.nan]])
    assert votes[0] == votes[2] == 1 and np.isnan(votes[1])


def test_only_items_of_two_people_tell_how_often_all_agree() -> None:
    nan = np.nan
    result = agreement.people(["ann", "bob", "cyd"], [[1, 0, 1, 1], [1, 1, nan, 0], [nan, nan, nan, 0]])
    assert result.items == 3
    assert result.share_unanimous == pytest.approx(1 / 3)
    assert result.fleiss_kappa == pytest.approx(agreement.fleiss_kappa([[1, 0, 1], [1, 1, 0], [nan, nan, 0]]))
    assert agreement.fleiss_kappa([[1, 1], [1, 1]]) != agreement.fleiss_kappa(
        [[1, 0], [1, 0]]
    )  # nan: no spread


def test_a_score_at_tau_is_no_contradiction_for_any_two_judges() -> None:
    scores = [[0.5, 0.5, 0.9, 0.1], [0.1, 0.2, 0.9, 0.3]]
    assert agreement.judges(["x", "y"], scores, [0.5, 0.5])["x", "y"] == 1


def test_people_are_measured_as_in_the_papers_table_8() -> None:
    rng = np.random.default_rng(2)
    truth = rng.random(300) < 0.35
    flips = [0.05, 0.05, 0.3]
    table = np.array([np.where(rng.random(300) < flip, ~truth, truth) for flip in flips]).astype(float)
    table[2, 200:] = np.nan
    result = agreement.people(["ann", "bob", "cyd"], table)
    assert (result.n, result.items) == (3, 300)
    assert result.pearson_with_vote["ann"] > 0.85 > result.pearson_with_vote["cyd"]
    assert 0.3 < result.krippendorff_alpha < 0.9 and 0.3 < result.fleiss_kappa < 0.9
    assert set(result.cohen_kappa) == {("ann", "bob"), ("ann", "cyd"), ("bob", "cyd")}


def test_judges_are_measured_against_the_vote() -> None:
    scores = np.array([0.9, 0.8, 0.2, 0.1, np.nan, 0.7])
    votes = np.array([1, 1, 0, 0, 1, np.nan])
    judgements = agreement.judge(scores, votes, 0.5)
    assert (judgements.items, judgements.f1, judgements.kappa, judgements.auc) == (4, 1, 1, 1)
    assert judgements.confusion == {"0": {"0": 2, "1": 0}, "1": {"0": 0, "1": 2}}
    both = agreement.judges(["x", "y"], [scores, 1 - scores], [0.5, 0.5])
    assert both["x", "y"] < 0


def test_nobody_and_nothing_are_no_errors() -> None:
    assert np.isnan(agreement.people([], np.empty((0, 0))).fleiss_kappa)
    assert np.isnan(agreement.krippendorff_alpha([[1, 1], [1, 1]]))
    assert agreement.judge([], [], 0.5).items == 0


def test_appropriateness_is_table_6() -> None:
    share = agreement.appropriateness([0, 0, 1], [1, 1, 0], [1, 0, 1], 2)
    assert share[0, 1] == 0.5 and share[1, 0] == 1 and np.isnan(share[0, 0])


def judged(rng: np.random.Generator, accuracy: float) -> tuple[Inquiries, np.ndarray]:  # type: ignore[type-arg]
    """Inquiries of a judge that errs, and the truth of each."""
    asked, contradictions = simulate.play(np.full((3, 3), 0.3), np.full((3, 3), 4.0), 50, 0.1, rng)
    counts: Counts = simulate.from_arrays(("a", "b", "c"), asked[0], contradictions[0])
    dialogue = np.repeat(np.arange(len(counts)), counts.inquiries)
    within = np.arange(len(dialogue)) - np.repeat(
        np.cumsum(counts.inquiries) - counts.inquiries, counts.inquiries
    )
    truth = (within < np.repeat(counts.contradictions, counts.inquiries)).astype(float)
    text = np.where(rng.random(len(truth)) < accuracy, truth, 1 - truth)
    score = np.clip(0.1 + 0.8 * text + rng.normal(0, 0.05, len(text)), 0, 1)
    zero, nan = np.zeros(len(truth), np.int64), np.full(len(truth), np.nan)
    data = Inquiries(counts, dialogue, score, zero, ("wh",), zero, zero, ("X",), zero - 1, (), nan, nan)
    return data, truth


def test_a_wrong_judge_is_corrected_by_few_labels() -> None:
    rng = np.random.default_rng(3)
    held = width = alone = off = 0.0
    for _ in range(60):
        data, truth = judged(rng, 0.8)
        some = np.isin(data.dialogue, rng.choice(len(data.dialogues), 150, replace=False))
        for row in calibration.corrected(data, 0.5, np.where(some, truth, np.nan)):
            held += row.low <= 0.3 <= row.high
            width += row.high - row.low
            alone += row.people_high - row.people_low
            off += row.judge_rate - 0.3
    assert held / 180 >= 0.9
    assert width < alone
    assert off / 180 > 0.06  # the judge alone is far off


def test_with_a_label_on_everything_the_rate_is_that_of_people_each_pair_alike() -> None:
    counts = Counts.of(("a", "b", "c"), [1] * 60 + [2] * 12, [0] * 72, [1] * 72, [0] * 72)
    truth = np.array([1.0] * 20 + [0.0] * 40 + [1.0] * 10 + [0.0] * 2)
    zero, nan = np.zeros(72, np.int64), np.full(72, np.nan)
    score = np.where(np.arange(72) % 7 == 0, 1 - truth, truth)
    data = Inquiries(counts, np.arange(72), score, zero, ("wh",), zero, zero, ("X",), zero - 1, (), nan, nan)
    row = calibration.corrected(data, 0.5, truth)[0]
    assert row.people_rate == pytest.approx((1 / 3 + 5 / 6) / 2)
    assert row.rate == pytest.approx(row.people_rate)
    wrong = (score[:60].mean() + score[60:].mean()) / 2
    assert row.judge_rate == pytest.approx(wrong)
    assert row.low < row.rate < row.high


def test_labels_on_some_dialogues_correct_the_judge_on_all() -> None:
    rng = np.random.default_rng(8)
    speaker = [1] * 20 + [2] * 30
    counts = Counts.of(("a", "b", "c"), speaker, [0] * 50, [1] * 50, [0] * 50)
    dialogue = np.sort(rng.integers(0, 50, 160))
    truth = (rng.random(160) < 0.4).astype(float)
    text = np.where(rng.random(160) < 0.8, truth, 1 - truth)
    labels = np.where((dialogue % 5 < 2) & (rng.random(160) < 0.95), truth, np.nan)
    zero, nan = np.zeros(160, np.int64), np.full(160, np.nan)
    data = Inquiries(counts, dialogue, text, zero, ("wh",), zero, zero, ("X",), zero - 1, (), nan, nan)
    row = calibration.corrected(data, 0.5, labels, level=0.9)[0]

    asked = [sum(speaker[d] == one for d in dialogue) for one in (1, 2)]
    weight = np.array([0.5 / asked[speaker[d] - 1] for d in dialogue])  # each pair alike
    known = np.isfinite(labels)

    def share(of: float) -> float:
        chosen = known & (text == of)
        return float(weight[chosen] @ labels[chosen] / weight[chosen].sum())

    judge = float(weight @ text)
    assert row.labelled == known.sum() >= 50 and row.needed == 0
    assert row.judge_rate == pytest.approx(judge)
    assert row.rate == pytest.approx(judge * share(1) + (1 - judge) * share(0))
    assert 0 < row.low < row.rate < row.high < 1


@pytest.mark.parametrize("truth", [0.0, 1.0])
def test_labels_that_are_all_alike_leave_no_interval_of_zero_width(truth: float) -> None:
    counts = Counts.of(("a", "b"), [1] * 80, [0] * 80, [1] * 80, [0] * 80)
    zero, nan = np.zeros(80, np.int64), np.full(80, np.nan)
    score = np.where(np.arange(80) % 3 == 0, 1 - truth, truth)
    data = Inquiries(counts, np.arange(80), score, zero, ("wh",), zero, zero, ("X",), zero - 1, (), nan, nan)
    row = calibration.corrected(data, 0.5, np.where(np.arange(80) < 60, truth, np.nan))[0]
    assert 0 <= row.low <= row.rate <= row.high <= 1 and row.high - row.low > 0.02
    assert row.low <= truth <= row.high


def test_too_few_labels_correct_nothing() -> None:
    data, truth = judged(np.random.default_rng(1), 0.9)
    labels = np.full(len(truth), np.nan)
    labels[:10] = truth[:10]
    rows = calibration.corrected(data, 0.5, labels)
    assert all(np.isnan(row.rate) for row in rows) and sum(row.labelled for row in rows) == 10
    assert all(row.needed == 50 - row.labelled for row in rows)
    assert calibration.threshold(data.score, labels) is None


def test_tau_by_f1_and_a_combination_that_beats_its_parts() -> None:
    from arena.stats import metrics

    rng = np.random.default_rng(4)
    truth = (rng.random(600) < 0.4).astype(float)
    scores = np.array([truth + rng.normal(0, 1, 600), truth + rng.normal(0, 1, 600)])
    result = calibration.threshold(scores[0], truth)
    assert result is not None
    at_best = metrics.f1(truth, scores[0], result.tau)
    assert (
        result.tau == metrics.best_threshold(truth, scores[0], "f1") and at_best - 0.05 < result.f1 <= at_best
    )
    half = np.where(np.arange(600) < 300, truth, np.nan)
    both = calibration.combination(scores, half)
    assert both is not None
    held = slice(300, None)
    joint = metrics.auc(truth[held], both.predict(scores[:, held].T))
    assert joint > max(metrics.auc(truth[held], row[held]) for row in scores)


def test_one_person_agrees_with_nobody_yet() -> None:
    alone = agreement.people(["Ann"], np.array([[1.0, 0.0, 1.0]]))
    assert alone.items == 0 and alone.n == 1
    assert np.isnan(alone.pearson_with_others["Ann"])
    assert agreement.shares_with_others(["Ann"], np.array([[1.0, 0.0, 1.0]]))["Ann"][0] == 0
