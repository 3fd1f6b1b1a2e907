"""The seconds of dialogues that were played at once add up."""

from __future__ import annotations

from arena.play.machine_time import Meter


def test_a_second_is_divided_among_those_under_way() -> None:
    time = 0.0
    meter = Meter(lambda: time)
    with meter.dialogue():
        first = meter.now()
        time = 4.0
        with meter.dialogue():
            second = meter.now()
            time = 10.0
            took = meter.now() - second
        time = 12.0
        whole = meter.now() - first
    time = 20.0  # nobody's
    assert took == 3.0 and whole == 4.0 + 3.0 + 2.0 and took + whole == 12.0
