"""The embedded judge in the whole chain, in small; `python -m tests.measure judges` runs it in full."""

from __future__ import annotations

import pytest

from tests.measure.judges import P, chain, coverage


@pytest.mark.slow
def test_the_measured_rate_is_the_true_one_after_calibration() -> None:
    found = chain(dialogues=6, labels=100)
    assert found["inquiries"] > 150
    assert found["auc"] >= 0.95
    assert abs(found["rate_calibrated"]["mean"] - found["true_rate"]) <= 0.08
    assert abs(found["true_rate"] - P) <= 0.1


@pytest.mark.slow
def test_prediction_powered_intervals_hold_the_true_rate() -> None:
    found = coverage(tournaments=8, dialogues=12, labels=60)
    assert found["covered"] >= 6 / 8
    assert found["mean_width"] < found["mean_width_of_labels_alone"]
