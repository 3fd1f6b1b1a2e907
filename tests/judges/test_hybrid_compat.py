"""The released evaluation of ConsisTest, score for score."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from arena.core.types import Case, Judgement, Kind
from judges import hybrid_compat
from judges.base import Defaults
from judges.hybrid import Hybrid

ROWS = [
    json.loads(line) for line in (Path(__file__).parent / "data/hybrid_compat.jsonl").read_text().splitlines()
]


def scored(row: dict[str, Any]) -> float | str | None:
    try:
        return hybrid_compat.score(
            row["question"], row["response"], row["reference"], row["yes_no"], row["nli"]
        )
    except hybrid_compat.Fails:
        return "fails"


def test_two_hundred_built_cases_score_as_released() -> None:
    """The scores come from running the released code on these made-up cases; `fails` is where it ends in an error."""
    assert len(ROWS) == 200
    wrong = [row for row in ROWS if scored(row) != pytest.approx(row["score"], abs=1e-5)]
    assert not wrong


@dataclass
class Said(Defaults):
    """A judge that says what each row's model said."""

    classes: dict[tuple[str, str], str]
    name: str = "said"
    revision: str = "1"
    tau: float = 0.5
    cacheable: bool = True

    def key(self, case: Case) -> Sequence[Any]:
        return (case.source, case.answer)

    async def judge(self, cases: Sequence[Case]) -> list[Judgement]:
        answers = [self.classes[case.source, case.answer] for case in cases]
        assert all(not case.question for case in cases), "the released evaluation shows its model no question"
        return [Judgement(float(one == "contradiction"), {one: 1.0}) for one in answers]


async def test_the_judge_gives_those_scores() -> None:
    sentence = {
        (str(place), hybrid_compat.cleaned(row["response"])): row["nli"] for place, row in enumerate(ROWS)
    }
    judge = Hybrid("compat", "1", "compat", Said(sentence))
    cases = [
        Case(
            str(place),
            row["question"],
            row["response"],
            (Kind.YES_NO_FALSE if "no" in row["reference"] else Kind.YES_NO_TRUE)
            if row["yes_no"]
            else Kind.WH,
            row["reference"],
        )
        for place, row in enumerate(ROWS)
    ]
    judgements = await judge.judge(cases)
    for one, row in zip(judgements, ROWS, strict=True):
        expected = {"fails": "released_fails", None: "no_score"}.get(row["score"])
        assert one.reason == expected
        if expected is None:
            assert one.contradiction == pytest.approx(1 - row["score"], abs=1e-5)


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("two three", "5"),
        ("two million", "1000002"),
        ("five thousand and twelve goats!", "5012 goats"),
        ("No numbers, Sir", "No numbers, Sir"),
        ("one two three four five", "1"),
    ],
)
def test_its_numbers(text: str, digits: str) -> None:
    assert hybrid_compat._digits(text) == digits


def test_text_before_a_question_at_the_end_is_kept() -> None:
    assert hybrid_compat.cleaned("They are called snow. Do you have pets") == "They are called snow. "
    assert hybrid_compat.cleaned("do you. do you") == ""
    assert hybrid_compat.cleaned("Who knows") == "Who knows"
