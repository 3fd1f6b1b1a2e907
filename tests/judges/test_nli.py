"""Any checkpoint is read by its own names, fed in good batches, and refused when it cannot be understood."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena.core.errors import ArenaError, InputError, MissingPart
from arena.core.types import Case, Check, Kind
from judges import registry
from judges.checkpoint import CLASSES, Checkpoint, look
from judges.nli import Nli

Builder = Callable[..., Path]
ORDERS = [
    ("roberta", ["CONTRADICTION", "NEUTRAL", "ENTAILMENT"]),
    ("bert", ["entailment", "neutral", "contradiction"]),
    ("deberta", ["Neutral", "Contradicts", "Entails"]),
]
SEEN = Case("I have two kids.", "How many kids do you have?", "Three of them, all boys.")
PAIRS = [
    ("I have two kids.", "Three."),
    ("I live alone with my cats and my dog in the north of the city.", "No, I am not married; I live alone."),
    ("Hi", "I"),
    ("I work at a daycare center.", "a daycare center for the kids of the north"),
]


def nli(folder: Path, **settings: Any) -> Nli:
    judge = registry.create("x", "nli", {"model": str(folder), **settings})
    assert isinstance(judge, Nli)
    return judge


def reader(folder: Path, **options: Any) -> Checkpoint:
    return Checkpoint(look(str(folder), None, None), **{"precision": "fp32", **options})


@pytest.mark.parametrize(("shape", "labels"), ORDERS)
async def test_probabilities_carry_the_names_of_the_checkpoint(
    checkpoint: Builder, shape: str, labels: list[str]
) -> None:
    logits = [0.0, 1.0, 3.0]
    [judgement] = await nli(checkpoint(shape, labels, logits)).judge([SEEN])
    total = sum(math.exp(x) for x in logits)
    for label, logit in zip(labels, logits, strict=True):
        name = next(
            name for name in CLASSES if name[:7] == label.lower()[:7] or name[:6] == label.lower()[:6]
        )
        assert judgement.classes[name] == pytest.approx(math.exp(logit) / total, abs=1e-2)
    assert judgement.contradiction == judgement.classes["contradiction"]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (["LABEL_0", "LABEL_1", "LABEL_2"], "does not tell what they mean"),
        (["entailment", "not_entailment"], "has 2 classes"),
        (["entailment", "neutral", "neutral"], "disagree"),
        (["negative", "neutral", "positive"], "does not tell"),
    ],
)
def test_an_order_that_cannot_be_told_is_refused(
    checkpoint: Builder, labels: list[str], message: str
) -> None:
    folder = checkpoint("bert", labels, backward={label: i for i, label in enumerate(labels)})
    with pytest.raises(InputError, match=message):
        nli(folder)


def test_a_configuration_that_contradicts_itself_is_refused(checkpoint: Builder) -> None:
    import json

    folder = checkpoint("bert", ["entailment", "neutral", "contradiction"])
    config = json.loads((folder / "config.json").read_text())
    config["label2id"] = {"contradiction": 0, "neutral": 1, "entailment": 2}
    (folder / "config.json").write_text(json.dumps(config))
    with pytest.raises(InputError, match="disagree"):
        nli(folder)


async def test_the_user_may_say_the_order(checkpoint: Builder) -> None:
    folder = checkpoint("bert", ["LABEL_0", "LABEL_1", "LABEL_2"], [5.0, 0.0, 0.0])
    [judgement] = await nli(folder, labels=["contradiction", "neutral", "entailment"]).judge([SEEN])
    assert judgement.contradiction is not None and judgement.contradiction > 0.9
    with pytest.raises(InputError, match="once each"):
        nli(folder, labels=["contradiction", "neutral", "neutral"])


async def test_dialogue_nli_may_call_its_classes_positive_and_negative(checkpoint: Builder) -> None:
    folder = checkpoint("roberta", ["positive", "neutral", "negative"], [0.0, 0.0, 5.0])
    [judgement] = await registry.create("x", "dnli", {"model": str(folder)}).judge([SEEN])
    assert judgement.contradiction is not None and judgement.contradiction > 0.9


@pytest.mark.parametrize(("shape", "labels"), ORDERS)
def test_batches_change_nothing(checkpoint: Builder, shape: str, labels: list[str]) -> None:
    scorer = reader(checkpoint(shape, labels), tokens=48)
    together = scorer.score(PAIRS)
    for row, pair in zip(together, PAIRS, strict=True):
        assert row == pytest.approx(scorer.score([pair])[0], abs=1e-5)
    assert len({tuple(row.round(3)) for row in together}) > 1, "the tiny model must tell pairs apart"


@pytest.mark.parametrize(("shape", "labels"), ORDERS)
def test_scores_are_those_of_the_library(checkpoint: Builder, shape: str, labels: list[str]) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = checkpoint(shape, labels)
    scorer = reader(folder)
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    rows = scorer.score(PAIRS)
    for row, (first, second) in zip(rows, PAIRS, strict=True):
        with torch.inference_mode():
            expected = model(**tokenizer(first, second, return_tensors="pt")).logits.softmax(-1)[0]
        order = [next(i for i, n in enumerate(labels) if n.lower()[:6] == c[:6]) for c in CLASSES]
        assert row == pytest.approx(expected[order].numpy(), abs=1e-5)


def test_aih_pairs_are_two_whole_texts_behind_one_another(checkpoint: Builder) -> None:
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = checkpoint("roberta", ORDERS[0][1])
    scorer = reader(folder, joined="aih")
    tokenizer = AutoTokenizer.from_pretrained(folder)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    gold, answer = PAIRS[0]
    ids = [*tokenizer(gold)["input_ids"], *tokenizer(answer)["input_ids"]]
    assert scorer.encoded([(gold, answer)])[0].ids == ids
    begin, end = tokenizer.convert_tokens_to_ids(["<s>", "</s>"])
    assert [token for token in ids if token in (begin, end)] == [begin, end, begin, end]
    with torch.inference_mode():
        expected = model(torch.tensor([ids])).logits.softmax(-1)[0].flip(0)
    assert scorer.score(PAIRS)[0] == pytest.approx(expected.numpy(), abs=1e-4)


def test_long_texts_are_cut_to_what_the_model_reads(checkpoint: Builder) -> None:
    long = "I have two kids and a dog. " * 40
    for shape, labels in ORDERS:
        scorer = reader(checkpoint(shape, labels))
        assert max(len(row.ids) for row in scorer.encoded([(long, long), ("I", long)])) <= 64
        assert scorer.score([(long, "I")]).shape == (1, 3)
    aih = reader(checkpoint("roberta", ORDERS[0][1], seed=1), joined="aih")
    assert aih.score([(long, long)]).shape == (1, 3)


async def test_both_directions_are_the_mean_of_each(checkpoint: Builder) -> None:
    folder = checkpoint("bert", ORDERS[1][1])
    there = reader(folder).score([(SEEN.source, SEEN.answer)])[0]
    back = reader(folder).score([(SEEN.answer, SEEN.source)])[0]
    [judgement] = await nli(folder, format="answer", both=True, precision="fp32").judge([SEEN])
    assert [judgement.classes[name] for name in CLASSES] == pytest.approx((there + back) / 2, abs=1e-5)


@pytest.mark.parametrize(
    ("format", "hypothesis"),
    [
        ("answer", SEEN.answer),
        ("aih", SEEN.answer),
        ("question_answer", "How many kids do you have? Three of them, all boys."),
        ("statement", "I have Three of them, all boys kids."),
    ],
)
def test_formats(checkpoint: Builder, format: str, hypothesis: str) -> None:
    judge = nli(checkpoint("bert", ORDERS[1][1]), format=format)
    assert judge.pair(SEEN) == (SEEN.source, hypothesis)


def test_asked_twice_both_answers_are_read_with_the_question(checkpoint: Builder) -> None:
    judge = nli(checkpoint("bert", ORDERS[1][1]))
    twice = Case("Two.", "How many kids do you have?", "Three.", kind=Kind.ASK_TWICE)
    assert judge.pair(twice) == ("How many kids do you have? Two.", "How many kids do you have? Three.")


async def test_faster_arithmetic_is_used_only_where_verdicts_agree(
    checkpoint: Builder, caplog: pytest.LogCaptureFixture
) -> None:
    sure = reader(checkpoint("bert", ORDERS[1][1], [0.0, 0.0, 4.0]), precision="bf16")
    sure.score(PAIRS)
    assert sure.used == "bf16"
    # A head of 1,000 times the size makes rounding decide.
    folder = checkpoint("roberta", ORDERS[0][1])
    shaky = reader(folder, precision="int8")
    _enlarge(folder)
    exact = reader(folder).score(PAIRS)
    assert shaky.score(PAIRS) == pytest.approx(exact, abs=1e-6)
    assert shaky.used == "fp32"
    assert "judges differently in int8" in caplog.text


def _enlarge(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    state = load_file(folder / "model.safetensors")
    state["classifier.out_proj.weight"] = state["classifier.out_proj.weight"] * 1000
    save_file(state, folder / "model.safetensors", metadata={"format": "pt"})


async def test_nothing_said_is_not_judged(checkpoint: Builder) -> None:
    judge = nli(checkpoint("bert", ORDERS[1][1]))
    judgements = await judge.judge([Case("I", "?", " "), Case(" ", "?", "Yes."), SEEN])
    assert [one.reason for one in judgements] == ["empty_answer", "empty_source", None]


def test_the_revision_follows_weights_and_format(checkpoint: Builder) -> None:
    folder = checkpoint("bert", ORDERS[1][1])
    one, other = nli(folder), nli(checkpoint("bert", ORDERS[1][1], seed=1))
    revisions = {
        one.revision,
        other.revision,
        nli(folder, format="answer").revision,
        nli(folder, both=True).revision,
    }
    assert len(revisions) == 4
    assert nli(folder, batch_tokens=128).revision == one.revision


async def test_pickled_weights_are_read_without_running_them(checkpoint: Builder) -> None:
    import os
    import pickle

    folder = checkpoint("bert", ORDERS[1][1], [0.0, 0.0, 4.0], pickled=True)
    [judgement] = await nli(folder).judge([SEEN])
    assert judgement.contradiction is not None and judgement.contradiction > 0.9

    class Harm:
        def __reduce__(self) -> tuple[Any, tuple[str]]:
            return os.mkdir, (str(folder / "harm"),)

    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(Harm()))
    with pytest.raises(ArenaError):
        await nli(folder).judge([SEEN])
    assert not (folder / "harm").exists()


async def test_a_judge_of_ones_own_training_judges(tmp_path: Path, checkpoint: Builder) -> None:
    import shutil

    from judges.base import WEIGHTS

    copy = shutil.copy(WEIGHTS / "small" / "judge.safetensors", tmp_path / "mine.safetensors")
    [mine] = await registry.create("x", f"nli:{copy}").judge([SEEN])
    [shipped] = await registry.create("x", "nli:small").judge([SEEN])
    assert mine == shipped
    with pytest.raises(InputError, match="no file"):
        registry.create("x", "nli:nowhere.safetensors")
    foreign = checkpoint("bert", ORDERS[1][1]) / "model.safetensors"
    with pytest.raises(InputError, match="is not a judge that"):
        registry.create("x", f"nli:{foreign}")


def test_what_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no model folder"):
        nli(tmp_path / "nowhere")
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=r"no config\.json"):
        nli(tmp_path / "empty")
    with pytest.raises(InputError, match="model"):
        registry.create("x", "dnli")


def test_a_checkpoint_without_weights_says_so(checkpoint: Builder) -> None:
    folder = checkpoint("bert", ORDERS[1][1])
    (folder / "model.safetensors").unlink()
    with pytest.raises(MissingPart, match="weights of"):
        reader(folder).score(PAIRS)


def test_mnli_is_aihs() -> None:
    settings = registry.validated("mnli", {})
    assert (settings["model"], settings["format"]) == ("roberta-large-mnli", "aih")
    assert registry.factory("mnli").describe(settings)["tau"] == 0.15
    available, detail = registry.factory("mnli").available()
    assert available is ("not in the local hub cache" not in detail)


def test_nli_small_is_the_small_judge_by_name() -> None:
    small, plain = registry.create("nli:small", "nli:small"), registry.create("nli", "nli")
    assert isinstance(small, Nli) and isinstance(plain, Nli)
    assert small.scorer is not plain.scorer and small.revision != plain.revision
    assert registry.validated("nli:small", {})["model"] == "small"


def test_only_a_judge_that_learnt_it_reads_how_many_answers_are_right() -> None:
    case = Case("I love jazz.", "What music do you like?", "Rock.", single_answer=False)
    judge = registry.create("nli", "nli")
    assert isinstance(judge, Nli)
    assert judge.pair(case)[1] == "What music do you like? (several answers) Rock."
    assert judge.pair(replace(case, single_answer=True))[1] == "What music do you like? (one answer) Rock."
    assert judge.pair(replace(case, single_answer=None))[1] == "What music do you like? Rock."

    class Untaught:
        revision, told = "untaught", False

    assert replace(judge, scorer=Untaught()).pair(case)[1] == "What music do you like? Rock."


def test_scales_are_those_of_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    from judges import scales
    from judges.base import PLAIN

    judge = registry.create("nli", "nli")
    assert isinstance(judge, Nli)
    fitted = {judge.scorer.revision: {"history": [1.5, -0.2, -3.0]}}
    monkeypatch.setattr(scales, "_fitted", lambda: fitted)
    assert judge.scale(Check.HISTORY).of(0.9, 4) < 0.9
    assert judge.scale(Check.KNOWLEDGE) == PLAIN
    other = replace(judge, scorer=type("Other", (), {"revision": "other", "told": False})())
    assert other.scale(Check.HISTORY) == PLAIN
