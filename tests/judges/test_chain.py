"""The embedded judge in the whole chain, in small; `python -m tests.measure judges` runs it in full."""

from __future__ import annotations

import pytest

from tests.measure.judges import P, chain, coverage


@pytest.mark.slow
def test_the_measured_rate_is_the_true_one_after_calibration() -> None:
    result = chain(dialogues=6, labels=100)
    assert result["inquiries"] > 150
    assert result["auc"] >= 0.95
    assert abs(result["rate_calibrated"]["mean"] - result["true_rate"]) <= 0.08
    assert abs(result["true_rate"] - P) <= 0.1


@pytest.mark.slow
def test_prediction_powered_intervals_hold_the_true_rate() -> None:
    result = coverage(tournaments=8, dialogues=12, labels=60)
    assert result["covered"] >= 6 / 8
    assert result["mean_width"] < result["mean_width_of_labels_alone"]
