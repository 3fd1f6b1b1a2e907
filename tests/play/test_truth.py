"""Intervals around known rates, at a reduced count; `make measure ONLY=truth` runs 200 tournaments."""

from __future__ import annotations

import pytest

from tests.measure.truth import held


@pytest.mark.slow
def test_intervals_hold_the_known_fickleness() -> None:
    share = held(12)
    assert share["p0.0"] == 1.0
    assert share["p0.3"] >= 0.75 and share["p0.7"] >= 0.75  # below that: a chance of 1 in 5,000 at 95%
