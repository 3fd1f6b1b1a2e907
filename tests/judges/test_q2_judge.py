"""The judge `q2`: what it holds against what, and how its scores become judgements."""

from __future__ import annotations

import pytest

from arena.core.types import Case, Message
from judges.grounding import replies
from judges.q2.judge import Q2, Q2Settings, judgement
from judges.q2.parts import Check, Score
from tests.judges.test_q2_logic import Script

KIDS = Case("I have two kids.", "How many kids do you have?", "I have three kids.")
GROUNDED = Case("k", "", "it ' s acidic .", context=("hi",), knowledge="coffee is acidic .")


def q2(script: Script | None = None, **settings: object) -> Q2:
    return Q2("q2", Q2Settings.model_validate(settings), (script or Script()).parts)


def test_an_inquiry_is_held_against_what_was_said() -> None:
    text = q2().text(KIDS)
    assert (text.knowledge, text.response, text.asked) == (KIDS.source, KIDS.answer, KIDS.question)
    assert q2().options(grounded=False).keep_personal and not q2().options(grounded=False).supported


def test_an_ordinary_reply_is_held_against_its_knowledge() -> None:
    text = q2().text(GROUNDED)
    assert (text.knowledge, text.response, text.asked) == ("coffee is acidic.", "it's acidic.", None)
    assert not q2().options(grounded=True).keep_personal and q2().options(grounded=True).supported
    assert q2(personal="keep").options(grounded=True).keep_personal


def test_an_inquiry_of_a_grounded_bot_is_still_about_what_it_said() -> None:
    from dataclasses import replace

    case = replace(KIDS, knowledge="The family has two kids.")
    assert q2().text(case).knowledge == KIDS.source
    assert q2(against="knowledge").text(case).knowledge == "The family has two kids."


async def test_judgements_carry_every_question() -> None:
    script = Script(
        answers={(KIDS.question, KIDS.answer): "three", (KIDS.question, KIDS.source): "two"},
        classes={(f"{KIDS.question} two", f"{KIDS.question} three"): "contradiction"},
    )
    (opinion,) = await q2(script, graded=False).judge([KIDS])
    assert opinion.contradiction == 1.0
    assert opinion.evidence["questions"] == 1
    (check,) = opinion.evidence["checks"]
    assert check == {
        "span": "three", "question": KIDS.question, "outcome": "contradiction", "answer": "two", "score": 0.0
    }  # fmt: skip


async def test_what_cannot_be_judged_has_a_reason() -> None:
    silent = Case("I have two kids.", "How many?", " ")
    lonely = Case("", "", "hello", knowledge="")
    assert [j.reason for j in await q2().judge([silent, lonely])] == ["empty_answer", "no_knowledge"]


def test_scores_become_contradictions() -> None:
    assert judgement(Score(0.75, ())).contradiction == 0.25
    fallen = judgement(Score(0.5, (), "neutral"))
    assert fallen.contradiction == 0.5 > q2().tau and fallen.evidence["fallback"] == "neutral"
    nothing = judgement(Score(None, (Check("a", "I?", "personal"),)))
    assert nothing.reason == "no_valid_question" and nothing.contradiction is None


def test_settings_and_parts_are_the_revision() -> None:
    assert q2().revision == q2().revision != q2(inference=False).revision
    assert q2(whole=True).revision != q2(whole=False).revision


@pytest.mark.parametrize(
    ("settings", "whole"),
    [
        ({}, True),
        ({"every": False, "graded": False}, False),
        ({"every": False, "graded": False, "whole": True}, True),
        ({"inference": False}, False),
        ({"whole": False}, False),
    ],
)
def test_whole_texts_count_where_scores_are_graded_by_inference(
    settings: dict[str, object], whole: bool
) -> None:
    assert q2(**settings).options(grounded=True).whole is whole


async def test_the_evidence_has_the_score_of_the_whole_texts() -> None:
    script = Script(
        answers={(KIDS.question, KIDS.answer): "three", (KIDS.question, KIDS.source): "two"},
        classes={
            (f"{KIDS.question} two", f"{KIDS.question} three"): "contradiction",
            (KIDS.source, f"{KIDS.question} {KIDS.answer}"): "neutral",
        },
    )
    (opinion,) = await q2(script).judge([KIDS])
    assert opinion.evidence["whole"] == 0.5
    assert opinion.contradiction == pytest.approx(1 - (0.1 + 0.5) / 2)


def test_equal_texts_are_judged_once() -> None:
    from dataclasses import replace

    judge = q2()
    assert judge.key(KIDS) == judge.key(replace(KIDS, context=("other",)))
    assert judge.key(KIDS) != judge.key(replace(KIDS, answer="Two."))


def test_replies_of_a_grounded_bot_become_cases() -> None:
    messages = [Message(place, place % 2, f"m{place}", "h", None) for place in range(4)]
    result = replies(messages, 1, "coffee is acidic")
    assert [index for index, _ in result] == [1, 3]
    assert result[1][1] == Case(
        "coffee is acidic", "", "m3", context=("m0", "m1", "m2"), knowledge="coffee is acidic"
    )


async def test_the_embedded_parts_tell_agreement_from_contradiction() -> None:
    from judges import registry

    factory = registry.factory("q2")
    works, why = factory.available()
    if not works:
        pytest.skip(why)
    judge = registry.create("q2", "q2")
    known = (
        "Robert Norman Ross (October 29, 1942 – July 4, 1995) was an American painter and television host."
    )
    right = Case(known, "", "bob ross was an american painter .", knowledge=known)
    wrong = Case(known, "", "bob ross was born in 1968 in germany .", knowledge=known)
    one, other = await judge.judge([right, wrong])
    assert one.contradiction is not None and other.contradiction is not None
    assert one.contradiction < other.contradiction
