"""Baselines by words, n-grams and vectors."""

from __future__ import annotations

import pytest

from arena.core.errors import InputError
from arena.core.types import Case
from judges import registry
from judges.overlap import f1

SAID = "I have two dogs in my house."


def case(answer: str, source: str = SAID, expected: str | None = None) -> Case:
    return Case(source, "What do you have?", answer, expected=expected)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("the cat sat", "a cat sat", 1.0),
        ("cat cat dog", "cat", 0.5),
        ("I have two dogs", "two cats", 2 * 0.5 * 0.25 / 0.75),
        ("yes", "no", 0.0),
        ("the", "a", 1.0),
        ("the", "dog", 0.0),
    ],
)
def test_token_f1_by_hand(first: str, second: str, expected: float) -> None:
    assert f1(first, second) == pytest.approx(expected)


@pytest.mark.parametrize("name", ["overlap", "bleu", "similarity", "cosine"])
async def test_the_same_words_are_no_contradiction_and_others_are(name: str) -> None:
    judge = registry.create(name, name)
    same, near, far = await judge.judge([case(SAID), case("two dogs in my house"), case("Quantum physics!")])
    values = [one.contradiction for one in (same, near, far)]
    assert values[0] == pytest.approx(0.0, abs=1e-4)
    assert values == sorted(value for value in values if value is not None)
    assert values[2] is not None and values[2] > judge.tau
    assert same.evidence["score"] == pytest.approx(1.0, abs=1e-4)


async def test_bleu_is_sacrebleus() -> None:
    import sacrebleu

    answer = "I have two dogs at home"
    [judgement] = await registry.create("bleu", "bleu").judge([case(answer)])
    expected = sacrebleu.sentence_bleu(answer, [SAID], use_effective_order=True).score / 100
    assert judgement.contradiction == pytest.approx(1 - expected, abs=1e-5)


async def test_likeness_is_not_agreement() -> None:
    """Its page says so: one changed number leaves everything alike."""
    [judgement] = await registry.create("cosine", "cosine").judge([case("I have nine dogs in my house.")])
    assert judgement.contradiction is not None and judgement.contradiction < 0.5


async def test_against_the_expected_answer() -> None:
    judge = registry.create("x", "overlap", {"against": "expected"})
    judgements = await judge.judge([case("two dogs", expected="two dogs"), case("two dogs")])
    assert judgements[0].contradiction == 0.0
    assert judgements[1].reason == "no_truth"


async def test_nothing_said_is_not_judged() -> None:
    judgements = await registry.create("x", "cosine").judge([case(" "), case("two", source=" "), case("two")])
    assert [one.reason for one in judgements] == ["empty_answer", "empty_source", None]


@pytest.mark.parametrize("name", ["similarity", "cosine"])
async def test_a_batch_changes_nothing(name: str) -> None:
    judge = registry.create(name, name)
    cases = [case("two"), case("I have two dogs and one very old cat in my house, and a horse."), case("no")]
    together = await judge.judge(cases)
    for one, alone in zip(together, cases, strict=True):
        [judgement] = await judge.judge([alone])
        assert one.contradiction == pytest.approx(judgement.contradiction, abs=1e-4)


def test_the_encoder_is_part_of_the_revision(checkpoint) -> None:  # type: ignore[no-untyped-def]
    other = checkpoint("bert", ["entailment", "neutral", "contradiction"])
    created = registry.create("x", "cosine", {"model": str(other)})
    assert created.revision != registry.create("x", "cosine").revision
    assert created.revision != registry.create("x", "similarity", {"model": str(other)}).revision


async def test_any_encoder_serves(checkpoint) -> None:  # type: ignore[no-untyped-def]
    folder = checkpoint("deberta", ["entailment", "neutral", "contradiction"])
    for name in ("similarity", "cosine"):
        judgements = await registry.create("x", f"{name}:{folder}").judge([case(SAID), case("two dogs")])
        assert judgements[0].contradiction == pytest.approx(0.0, abs=1e-4)


def test_a_gguf_file_is_no_encoder(tmp_path) -> None:  # type: ignore[no-untyped-def]
    (tmp_path / "x.gguf").write_bytes(b"GGUF")
    with pytest.raises(InputError, match="GGUF"):
        registry.create("x", "cosine", {"model": str(tmp_path / "x.gguf")})
