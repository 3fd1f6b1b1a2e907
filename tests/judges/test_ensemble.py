"""Several judges as one."""

from __future__ import annotations

import math
from typing import Any

import pytest

from arena.core.errors import InputError
from arena.core.types import Case
from judges import registry

FORM: dict[str, Any] = {
    "of": ["lexical", "overlap"],
    "intercept": -0.5,
    "means": [0.4, 0.6],
    "scales": [0.3, 0.2],
    "weights": [2.0, 1.0],
}
SEEN = Case("I have two kids.", "How many kids do you have?", "Three.")


async def test_it_is_the_logistic_sum_of_its_members() -> None:
    parts = [(await registry.create("x", name).judge([SEEN]))[0].contradiction for name in FORM["of"]]
    [judgement] = await registry.create("x", "ensemble", FORM).judge([SEEN])
    total = -0.5 + sum(
        w * (s - m) / c
        for w, s, m, c in zip(FORM["weights"], parts, FORM["means"], FORM["scales"], strict=True)  # type: ignore[operator]
    )
    assert judgement.contradiction == pytest.approx(1 / (1 + math.exp(-total)), abs=1e-5)
    assert judgement.evidence["scores"] == dict(zip(FORM["of"], parts, strict=True))


async def test_what_one_member_cannot_judge_the_whole_cannot() -> None:
    judge = registry.create("x", "ensemble", {**FORM, "of": ["lexical", "hybrid"]})
    [judgement] = await judge.judge([SEEN])
    assert judgement.reason == "no_truth"


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"weights": [1.0]}, "`weights` needs a number"),
        ({"scales": [0.0, 1.0]}, "above 0"),
        ({"of": ["nli"]}, "of"),
    ],
)
def test_wrong_forms_are_refused(wrong: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        registry.create("x", "ensemble", {**FORM, **wrong})


def test_members_and_weights_are_part_of_the_revision() -> None:
    one = registry.create("x", "ensemble", FORM).revision
    assert registry.create("y", "ensemble", FORM).revision == one
    assert registry.create("x", "ensemble", {**FORM, "weights": [2.0, 1.5]}).revision != one
    assert registry.create("x", "ensemble", {**FORM, "of": ["lexical", "bleu"]}).revision != one
