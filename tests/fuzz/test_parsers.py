"""A few seconds of the fuzzing that `make measure ONLY=fuzz` does for an hour."""

from __future__ import annotations

from tests.fuzz.parsers import PARSERS, run


def test_no_input_breaks_a_parser_or_holds_it_up() -> None:
    figures = run(seconds=12.0, seed=21)
    assert set(figures) == set(PARSERS)
    assert all(figure["inputs"] >= 20 for figure in figures.values())
