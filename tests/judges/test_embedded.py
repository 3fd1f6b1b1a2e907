"""The shipped judge: what it must tell apart, and that how it is called changes nothing."""

from __future__ import annotations

import copy
import json
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from arena.core.types import Case
from arena.training.judges.evaluate import auc, consistest, decode_pairs, minimal, mnli, scored, unseen
from arena.training.judges.texts import table
from arena.training.judges.triples import Triple
from bots.encoders import tokens
from bots.encoders.bases import MINILM
from judges import packing
from judges.embedded import (
    CLASSES,
    AveragedScorer,
    EmbeddedScorer,
    PairScorer,
    Size,
    embedded,
    hypothesis,
    single,
    weights,
)
from judges.nli import BASES, Nli

E_, N_, C_ = range(3)


@pytest.fixture(scope="module", params=["both", "small"])
def scorer(request: pytest.FixtureRequest) -> PairScorer:
    return embedded(request.param)


def _asked(scorer: PairScorer, statement: str, question: str, answer: str) -> np.ndarray:
    return scorer.score([(statement, hypothesis(question, answer))])[0]


def test_the_weights_are_small_and_describe_themselves(scorer: PairScorer) -> None:
    for size, most in (("large", 25_000_000), ("small", 12_000_000)):
        path = weights(size)
        assert path.stat().st_size < most
        assert (path.parent / "README.md").is_file()
        assert packing.metadata(path).get("base", MINILM.name) == BASES[size]
    assert scorer.revision.startswith("embedded-") and len(scorer.revision) > 15
    assert scorer.temperature > 0 and 0 < scorer.tau < 1


def test_rows_are_probabilities_in_the_order_given(scorer: PairScorer) -> None:
    pairs = [("I have two dogs.", "I have two dogs."), ("I have two dogs.", "I have no dogs at all. " * 9)]
    rows = scorer.score(pairs)
    assert rows.shape == (2, 3) and np.allclose(rows.sum(1), 1, atol=1e-5)
    assert (
        CLASSES[int(rows[0].argmax())] == "entailment" and CLASSES[int(rows[1].argmax())] == "contradiction"
    )
    assert np.allclose(scorer.score(pairs[::-1]), rows[::-1], atol=0.02)
    assert scorer.score([]).shape == (0, 3)


@pytest.mark.parametrize(
    ("statement", "question", "answer", "label"),
    [
        ("I have two kids.", "How many kids do you have?", "Two.", E_),
        ("I have two kids.", "How many kids do you have?", "Four.", C_),
        ("I have two kids.", "How many kids do you have?", "Three.", C_),
        ("I speak two languages.", "How many languages do you speak?", "Five.", C_),
        ("I have two kids.", "How many kids do you have?", "I don't have any kids.", C_),
        ("I have two kids.", "How many kids do you have?", "Why do you ask?", N_),
        ("i work at a bank", "where do you work?", "at a bank", E_),
        ("i work at a bank", "where do you work?", "in a school", C_),
        ("I love jazz.", "Do you like jazz?", "No, I hate it.", C_),
        ("I love jazz.", "Do you like jazz?", "Yes I do", E_),
        ("I don't have any pets.", "Do you have pets?", "Yes, a cat.", C_),
    ],
)
def test_answers_are_read_in_the_light_of_their_question(
    scorer: PairScorer, statement: str, question: str, answer: str, label: int
) -> None:
    assert int(_asked(scorer, statement, question, answer).argmax()) == label


def test_hypothesis_joins_question_and_answer() -> None:
    assert hypothesis("Where do you live", " in  Rome ") == "Where do you live? in Rome"
    assert hypothesis("Where do you live?", "Rome.") == "Where do you live? Rome."
    assert hypothesis("", "Rome.") == "Rome." and hypothesis("Who?", "") == "Who?"


def test_very_long_and_very_strange_texts_are_scored(scorer: PairScorer) -> None:
    rows = scorer.score(
        [
            ("word " * 5000, "I agree."),
            ("", ""),
            ("\x00\u202e\ud83d\ude00".encode("utf-16", "surrogatepass").decode("utf-16", "replace"), "?"),
            ("ok", "no " * 3000),
        ]
    )
    assert np.isfinite(rows).all()


def test_batches_and_threads_change_no_verdict(scorer: PairScorer) -> None:
    triples = unseen()[:160]
    pairs = [(t.statement, hypothesis(t.question, t.answer)) for t in triples]
    whole = scorer.score(pairs)
    alone = np.concatenate([scorer.score([pair]) for pair in pairs[:24]])
    assert np.abs(whole[:24] - alone).max() < 0.06
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(scorer.score, [pairs[at : at + 40] for at in range(0, 160, 40)]))
    assert np.mean((np.concatenate(parts)[:, C_] > 0.5) == (whole[:, C_] > 0.5)) > 0.98


@pytest.mark.parametrize("size", ["large", "small"])
def test_bf16_and_fp32_agree_on_verdicts(size: Size, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    scorer = single(size)
    monkeypatch.setattr(tokens, "fast_type", lambda: torch.float32)
    exact = EmbeddedScorer(scorer.path)
    pairs = [(t.statement, hypothesis(t.question, t.answer)) for t in unseen()[:300]]
    assert np.mean((exact.score(pairs)[:, C_] > 0.5) == (scorer.score(pairs)[:, C_] > 0.5)) > 0.98


def test_the_average_stands_between_its_members_and_knows_them() -> None:
    pairs = [(t.statement, hypothesis(t.question, t.answer)) for t in unseen()[:50]]
    members = single("large"), single("small")
    average = AveragedScorer(members, (1, 1), temperature=1.0, tau=0.5, topic_temperature=1.0)
    assert np.allclose(average.logits(pairs), (members[0].logits(pairs) + members[1].logits(pairs)) / 2)
    scores, topics = average.scores(pairs)
    assert topics is not None and len(topics) == 50
    for other in (
        AveragedScorer(members[:1], (1,), 1.0, 0.5, 1.0),
        AveragedScorer(members, (1, 1), 1.1, 0.5, 1.0),
        AveragedScorer(members, (1, 1), 1.0, 0.5, 1.1),
    ):
        assert other.revision != average.revision
        assert not np.allclose(other.scores(pairs)[0], scores) or not np.allclose(
            other.scores(pairs)[1], topics
        )
    again = AveragedScorer(members, (1, 1), temperature=1.0, tau=0.7, topic_temperature=1.0)
    assert again.revision == average.revision  # another threshold makes no other score


def test_weights_that_the_average_was_not_fitted_for_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from judges import embedded as module

    facts = json.loads(module.TOGETHER.read_text(encoding="utf-8"))
    (tmp_path / "together.json").write_text(json.dumps(facts | {"members": ["embedded-1-0", "embedded-1-1"]}))
    monkeypatch.setattr(module, "TOGETHER", tmp_path / "together.json")
    module._average.cache_clear()
    with pytest.raises(packing.WeightsMissing, match="install the package again"):
        embedded()
    module._average.cache_clear()


def test_packing_loses_nothing_that_matters() -> None:
    import torch

    matrix = torch.randn(400, 384)
    back = packing.unpack(packing.pack({"m": matrix, "small": torch.ones(3)}))
    assert (back["m"] - matrix).abs().max() < matrix.abs().max() / 200
    assert torch.equal(back["small"], torch.ones(3))


def test_missing_weights_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(packing.WeightsMissing, match="missing"):
        EmbeddedScorer(tmp_path / "judge.safetensors")


@pytest.mark.parametrize(
    ("name", "part", "accuracy", "area"),
    [("minimal", "", 0.88, 0.95), ("everyday", "develop", 0.82, 0.92), ("everyday", "report", 0.79, 0.87)],
)
def test_hand_made_cases_and_the_file_says_which_fail(
    scorer: PairScorer, name: str, part: str, accuracy: float, area: float
) -> None:
    path = Path(__file__).parent / f"{name}_pairs.tsv"
    rows = [(case, row) for case, row in zip(minimal(path), table(path), strict=True)]
    rows = [(case, row) for case, row in rows if row.get("part", "") == part]
    assert len(rows) >= 60
    result, labels = scored(scorer, [case for case, _ in rows])
    scores, truth = result[:, C_], labels == C_
    assert np.mean((scores > scorer.tau) == truth) >= accuracy
    assert auc(scores, truth) >= area
    size = "both" if scorer is embedded() else "small"
    failing = {row_key(case) for case, row in rows if size in row["fails"].split()}
    clear = np.abs(scores - scorer.tau) > 0.05  # another machine's rounding may turn the rest
    wrong = ((scores > scorer.tau) != truth) & clear
    text = {row_key(case) for (case, _), bad in zip(rows, wrong, strict=True) if bad}
    assert text <= failing and len(failing) - len(text) <= max(3, len(rows) // 20)


def row_key(case: Triple) -> tuple[str, str, str]:
    return case.statement, case.question, case.answer


def test_facts_unseen_in_training(scorer: PairScorer) -> None:
    rows, labels = scored(scorer, unseen()[:800])
    assert auc(rows[:, C_], labels == C_) >= 0.95


def test_consistest_answers(scorer: PairScorer, arena_data: Path) -> None:
    rows, labels = scored(scorer, random.Random(1).sample(consistest(arena_data), 800))
    assert auc(rows[:, C_], labels == C_) >= 0.92


def test_decode_second_half(scorer: PairScorer, arena_data: Path) -> None:
    rows = decode_pairs(arena_data, 1)
    scores = scorer.score([(first, second) for first, second, _ in rows])[:, C_]
    assert auc(scores, [truth for *_, truth in rows]) >= 0.88


@pytest.mark.slow
def test_mnli_dev(scorer: PairScorer, arena_data: Path) -> None:
    pairs = random.Random(1).sample(list(mnli(arena_data)), 3_000)
    rows = scorer.score([(pair.premise, pair.hypothesis) for pair in pairs])
    assert np.mean(rows.argmax(1) == np.array([pair.label for pair in pairs])) >= 0.72


async def test_the_shift_of_statements_leaves_inquiries_alone() -> None:
    scorer = EmbeddedScorer(weights("small"))
    cases = [
        Case("I have two dogs.", "", "I have three dogs."),
        Case("I have two dogs.", "How many dogs do you have?", "Three."),
    ]
    plain, shifted = [
        await Nli("x", "1", 0.5, with_shift(scorer, shift), "question_answer").judge(cases)
        for shift in (0.0, 1.0)
    ]
    assert plain[1] == shifted[1]
    before, after = (one[0].classes for one in (plain, shifted))
    odds = after["contradiction"] / (1 - after["contradiction"])
    assert odds == pytest.approx(np.e * before["contradiction"] / (1 - before["contradiction"]), rel=1e-3)
    assert sum(after.values()) == pytest.approx(1, abs=1e-5)
    assert after["entailment"] / after["neutral"] == pytest.approx(
        before["entailment"] / before["neutral"], rel=0.05
    )


def with_shift(scorer: EmbeddedScorer, shift: float) -> EmbeddedScorer:
    other = copy.copy(scorer)
    other.statement_shift = shift
    return other
