"""The judge `begin`: rules that separate the classes where they are plain, and a trained model from a folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena.core.errors import InputError
from arena.core.types import Case
from judges import registry
from judges.begin.evidence import overlap, pieces
from judges.begin.taxonomy import FIVE

STARBUCKS = "Starbucks was founded in Seattle, Washington in 1971."
PREVIOUS = "I love eating at Starbucks, have you been there?"


def case(answer: str, knowledge: str | None = STARBUCKS) -> Case:
    return Case(source="", question="", answer=answer, context=(PREVIOUS,), knowledge=knowledge)


async def label(answer: str, settings: dict[str, object] | None = None) -> str:
    judge = registry.create("begin", "begin", {"nli": "none", **(settings or {})})
    (judgement,) = await judge.judge([case(answer)])
    assert judgement.reason is None
    return str(judgement.evidence["label"])


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("Starbucks was founded in Seattle in 1971.", "entailment"),
        ("yes , it was founded in 1971 in seattle .", "entailment"),
        ("That is so cool.", "generic"),
        ("I don't know.", "generic"),
        ("The era of manufactured fibers began with rayon in France in the 1890s.", "off-topic"),
        ("I worked at Starbucks for three years in Seattle as a barista.", "hallucination"),
    ],
)
async def test_rules_tell_plain_cases(answer: str, expected: str) -> None:
    assert await label(answer) == expected


async def test_it_says_that_it_was_never_trained() -> None:
    judge = registry.create("begin", "begin", {"nli": "none"})
    (judgement,) = await judge.judge([case("It was founded in Seattle.")])
    assert "zero-training" in judgement.evidence["method"]
    assert set(judgement.classes) == set(map(str, FIVE))
    assert sum(judgement.classes.values()) == pytest.approx(1, abs=1e-4)


async def test_three_ways() -> None:
    judge = registry.create("begin", "begin", {"nli": "none", "ways": 3})
    (judgement,) = await judge.judge([case("That is so cool.")])
    assert judgement.evidence["label"] == "neutral" and len(judgement.classes) == 3


async def test_what_cannot_be_judged_has_a_reason() -> None:
    judge = registry.create("begin", "begin", {"nli": "none"})
    empty, lonely, opinion = await judge.judge(
        [case(" "), case("hello", ""), case("It was founded in 1971.")]
    )
    assert (empty.reason, lonely.reason, opinion.reason) == ("empty_answer", "no_knowledge", None)


async def test_without_knowledge_what_was_said_is_the_ground() -> None:
    judge = registry.create("begin", "begin", {"nli": "none"})
    sentence = Case(source="I have two dogs.", question="What pets do you have?", answer="I have two dogs.")
    (judgement,) = await judge.judge([sentence])
    assert judgement.classes["entailment"] > 0.5


def test_settings_are_part_of_the_revision() -> None:
    one = registry.create("begin", "begin", {"nli": "none"})
    three = registry.create("begin", "begin", {"nli": "none", "ways": 3})
    assert one.revision != three.revision


def test_overlap_counts_what_the_knowledge_lacks() -> None:
    seen = overlap("it was founded in paris", STARBUCKS)
    assert seen.new == 1 and 0 < seen.content < 1
    assert overlap("", STARBUCKS).words == 0


def test_long_knowledge_is_read_in_pieces() -> None:
    text = "One two three four five. " * 40
    assert all(len(piece.split()) <= 60 for piece in pieces(text))
    assert " ".join(pieces(text)).split() == text.split()


def test_a_folder_without_a_model_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Exception, match=str(tmp_path.name)) as collected:
        registry.create("begin", "begin", {"model": str(tmp_path / "nothing")})
    assert collected.type.__module__.startswith("arena") or isinstance(collected.value, InputError)
