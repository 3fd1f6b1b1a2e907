"""A few seconds of the fuzzing that `make measure ONLY=fuzz` does for an hour."""

from __future__ import annotations

import sys

from tests.fuzz.parsers import PARSERS, run


def test_no_input_breaks_a_parser_or_holds_it_up() -> None:
    tracer = sys.gettrace()
    sys.settrace(None)  # inputs are timed, and coverage would be timed with them
    try:
        figures = run(seconds=12.0, seed=21)
    finally:
        sys.settrace(tracer)
    assert set(figures) == set(PARSERS)
    assert all(figure["inputs"] >= 20 for figure in figures.values())
