"""Q²'s whole texts beside its questions, and what a batch of responses spares the models."""

from __future__ import annotations

import pytest

from judges.q2.parts import Options, Text
from judges.q2.pipeline import scored
from tests.judges.test_q2_logic import COFFEE, KNOWN, beam, coffee, q2, two


def test_whole_texts_are_half_of_the_score() -> None:
    script = coffee("tea", "entailment", whole="contradiction")
    score = q2(script, Options(graded=True, whole=True))
    assert score.whole == pytest.approx(0.15) and score.fallback is None
    assert score.value == pytest.approx((0.8 + 0.15) / 2)
    assert script.calls["score"] == 2  # answers, whole texts


@pytest.mark.parametrize(("supported", "whole"), [(False, 0.5), (True, 0.1)])
def test_a_neutral_verdict_on_whole_texts_may_count_as_0(supported: bool, whole: float) -> None:
    options = Options(graded=True, whole=True, supported=supported)
    assert q2(coffee("coffee", whole="neutral"), options).whole == pytest.approx(whole)
    fallen = q2(coffee("coffee", back="acidic", whole="neutral"), options)
    assert fallen.value == pytest.approx(0.5) and fallen.fallback == "neutral"


def test_whole_texts_decide_alone_where_nothing_is_asked() -> None:
    fallen = q2(coffee("coffee", back="acidic", whole="entailment"), Options(whole=True))
    assert fallen.value == 1.0 and fallen.whole is None and fallen.fallback == "entailment"
    script = coffee("coffee", back="acidic", whole="entailment")
    assert q2(script, Options(whole=True, fallback=False)).value is None


def test_nothing_is_asked_twice() -> None:
    script, response, known = two("red", "green")
    scored(
        [Text(response, known), Text(response, "nothing ."), Text(response, known)], script.parts, Options()
    )
    assert len(script.pairs) == len(set(script.pairs)) and script.calls["score"] == 1


def test_all_questions_are_read_in_one_call_when_every_one_counts() -> None:
    questions = [f"What is {word}?" for word in ("red", "blue", "green", "black", "white")]
    script = beam(questions[1:], questions)
    score = scored([Text(COFFEE, KNOWN)], script.parts, Options(every=True, fallback=False))[0]
    assert [check.question for check in score.checks] == questions and score.questions == 4
    assert script.calls["read"] <= 3  # asked before, round trip, knowledge
