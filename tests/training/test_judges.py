"""A few steps of each training, from files to shipped weights."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from arena.core.errors import InputError
from arena.training.judges import judge, reader
from arena.training.judges.calibrate import ARENA_SHARE, error, fitted, precision, sharpened
from arena.training.judges.loop import Phase, Training, average, run, with_all_outputs
from arena.training.judges.pairs import NEUTRAL
from arena.training.judges.texts import Guard, normal
from arena.training.judges.triples import Generator
from judges.embedded import EmbeddedScorer
from judges.reader import Reader


@pytest.fixture
def small(tmp_path: Path) -> Path:
    (tmp_path / "nli").mkdir()
    lines = ["premise\thypothesis\tlabel"]
    for number in range(40):
        label = ("entailment", "neutral", "contradiction")[number % 3]
        lines.append(f"The crane number {number} lifts a heavy beam.\tMachine {number} works hard.\t{label}")
    (tmp_path / "nli" / "lingnli.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "qa").mkdir()
    rows = [
        {
            "context": f"The tower was built in {year} by Anna.",
            "question": "When was it built?",
            "answer": str(year),
            "start": 23,
        }
        for year in range(1900, 1940)
    ]
    text = "\n".join(json.dumps(row) for row in rows)
    (tmp_path / "qa" / "qa_squad_dev.jsonl").write_text(text + "\n", encoding="utf-8")
    return tmp_path


@pytest.mark.slow
def test_both_trainings_end_in_weights_that_load(small: Path, tmp_path: Path) -> None:
    collected: list[str] = []
    weights = judge.train(judge.JudgeOptions(small, tmp_path / "judge", steps=4, threads=1), collected.append)
    scorer = EmbeddedScorer(weights)
    assert scorer.score([("I have a dog.", "I have a cat.")]).shape == (1, 3)
    assert any("not calibrated" in line for line in collected) and (tmp_path / "judge" / "judge.pt").exists()
    only_blended = judge.JudgeOptions(
        small, tmp_path / "blend", steps=0, threads=1, start=weights, blend=weights
    )
    again = EmbeddedScorer(judge.train(only_blended, collected.append))
    pair = [("I have a dog.", "I have a cat.")]
    assert abs(again.score(pair) - scorer.score(pair)).max() < 0.02
    assert not (tmp_path / "blend" / "judge.pt").exists()
    options = reader.ReaderOptions(small, tmp_path / "reader", steps=3, threads=1, start=weights)
    result = Reader(reader.train(options, collected.append)).read(
        [("When was it built?", "It was built in 1920.")]
    )
    assert len(result) == 1
    mean = reader.ReaderOptions(
        small, tmp_path / "mean", steps=0, threads=1, start=tmp_path / "reader" / "reader.pt",
        blend=(tmp_path / "reader" / "reader.safetensors",),
    )  # fmt: skip
    pair = [("When was it built?", "It was built in 1920.")]
    kept = Reader(tmp_path / "reader" / "reader.safetensors").margins(pair)
    assert Reader(reader.train(mean, collected.append)).margins(pair) == pytest.approx(kept, abs=0.1)
    assert not (tmp_path / "mean" / "reader.pt").exists()


def test_weights_from_before_the_last_output_are_gone_on_from() -> None:
    import torch

    class Model(torch.nn.Module):
        def __init__(self, outputs: int) -> None:
            super().__init__()
            self.classes = torch.nn.Linear(2, outputs)

    old, new = Model(3), Model(4)
    begun = new.classes.weight[3].clone()
    new.load_state_dict(with_all_outputs(old.state_dict(), new))
    assert torch.equal(new.classes.weight[:3], old.classes.weight)
    assert torch.equal(new.classes.weight[3], begun)


def test_a_mean_of_weights_gives_the_files_equal_parts_of_the_rest(tmp_path: Path) -> None:
    import torch

    models = [torch.nn.Linear(3, 2) for _ in range(3)]
    for number, model in enumerate(models[1:]):
        torch.save(model.state_dict(), tmp_path / f"{number}.pt")
    wanted = 0.5 * models[0].weight + 0.25 * models[1].weight + 0.25 * models[2].weight
    average(models[0], tmp_path / "0.pt", tmp_path / "1.pt", share=0.5)
    assert torch.allclose(models[0].weight, wanted)


def test_questions_by_rules_are_answered_where_they_say(small: Path) -> None:
    result = reader.ruled(small, Guard(set()), 30, random.Random(1))
    assert len(result) == 30
    for one in result:
        assert one.context[one.start : one.start + len(one.answer)] == one.answer
        assert one.question.endswith("?")
    assert {one.answer for one in result} & {"Anna", *map(str, range(1900, 1940))}
    known = Guard({normal(one.context) for one in result})
    assert len(reader.ruled(small, known, 30, random.Random(1))) < 30


def test_a_folder_without_data_is_said_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="none of the judge's"):
        judge.train(judge.JudgeOptions(tmp_path, tmp_path / "out"))
    with pytest.raises(InputError, match="none of the reader's"):
        reader.train(reader.ReaderOptions(tmp_path, tmp_path / "out"))


def test_a_label_without_contradiction_rewards_the_other_classes() -> None:
    import torch

    sure = torch.tensor([[0.0, 0.0, 9.0]])
    unknown = torch.tensor([-1])
    rest = judge.loss_of(sure, torch.tensor([3]), unknown)
    assert rest > 5 and judge.loss_of(-sure, torch.tensor([3]), unknown) < 0.01
    assert judge.loss_of(sure, torch.tensor([2]), unknown) < 0.01


def test_keeping_to_the_question_is_learnt_where_it_is_known() -> None:
    import torch

    on_topic = torch.tensor([[9.0, 0.0, 0.0, 9.0]])
    label = torch.tensor([0])
    assert judge.loss_of(on_topic, label, torch.tensor([1])) < 0.01
    assert judge.loss_of(on_topic, label, torch.tensor([0])) > 1
    assert judge.loss_of(on_topic, label, torch.tensor([-1])) < 0.01


def test_another_value_denies_only_where_there_is_one_right_answer() -> None:
    from arena.training.judges.kinds import has_one_answer, kinds

    by_name = {kind.name: kind for kind in kinds()}
    city, music, lunch = by_name["city"], by_name["favorite_music"], by_name["ate"]
    assert has_one_answer(city, "I live in Rome.", "Where do you live?") is True
    assert has_one_answer(music, "I love jazz.", "What music do you listen to?") is False
    assert has_one_answer(music, "My favorite music is jazz.", "What is your favorite music?") is True
    assert has_one_answer(lunch, "I had soup for lunch.", "What did you eat for lunch?") is None
    for triple in Generator(random.Random(2), held=False).triples(3000):
        if triple.single is False and triple.case == "other":
            assert triple.label == NEUTRAL, triple


def test_a_stopped_training_goes_on_where_it_was(tmp_path: Path) -> None:
    import torch

    def steps(model: torch.nn.Module) -> Iterator[Callable[[], torch.Tensor]]:
        number = 0
        while True:
            number += 1
            yield lambda number=number: (model(torch.ones(1, 3)) * number).pow(2).mean()

    def model() -> torch.nn.Module:
        torch.manual_seed(1)
        return torch.nn.Linear(3, 2)

    whole, parts = model(), model()
    phase = Phase(6, 0.1, 0.01)
    run(whole, steps(whole), phase, tmp_path / "whole.pt", print)
    begun = Training(parts, phase, tmp_path / "parts.pt")
    row = steps(parts)
    for _ in range(3):
        begun.step(next(row))
    begun.keep()
    again = model()
    run(again, steps(again), phase, tmp_path / "parts.pt", print, resume=True)
    assert torch.allclose(whole.weight, again.weight)


def test_calibration_undoes_too_much_confidence() -> None:
    import numpy as np

    random = np.random.default_rng(1)
    logits = random.normal(0, 1.5, (4000, 3))
    honest = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    truth = random.random(4000) < honest[:, 2]
    loud = np.exp(2 * logits) / np.exp(2 * logits).sum(1, keepdims=True)
    temperature, tau = fitted({"one": (loud, truth)})
    assert abs(temperature - 2) < 0.25 and 0.2 <= tau <= 0.5
    assert error(sharpened(loud, temperature), truth) < error(loud[:, 2], truth) / 2


def test_scales_allow_one_false_alarm_in_a_hundred() -> None:
    import numpy as np

    from arena.training.judges.scales import fitted

    draw = np.random.default_rng(3)
    without = [
        (float(score), int(n))
        for score, n in zip(draw.beta(1, 6, 2000), draw.integers(1, 60, 2000), strict=True)
    ]
    with_one = [
        (float(score), int(n))
        for score, n in zip(draw.beta(6, 2, 400), draw.integers(1, 60, 400), strict=True)
    ]
    scale = fitted(without, with_one, 0.48)
    alarms = np.mean([scale.of(score, pairs) > 0.48 for score, pairs in without])
    assert 0.005 <= alarms <= 0.015
    assert np.mean([scale.of(score, pairs) > 0.48 for score, pairs in with_one]) > 0.5


def test_a_contradiction_is_put_into_a_talk_or_its_persona() -> None:
    from arena.core.types import Check, Message
    from arena.training.judges.pairs import CONTRADICTION, Pair
    from arena.training.judges.scales import with_contradictions
    from db.records import Unchecked

    messages = tuple(Message(n, n % 2, f"line {n}", "", None) for n in range(8))
    talk = Unchecked(0, messages, frozenset((1, 3, 5, 7)), "I cook.", None)
    pair = Pair("I have a dog.", "I have no dog.", CONTRADICTION)
    [changed] = with_contradictions([talk], [pair], Check.HISTORY, random.Random(1))
    [later] = changed.wanted
    earlier = [m.index for m in changed.messages if m.text.endswith("I have a dog.")]
    assert changed.messages[later].text.endswith("I have no dog.") and earlier[0] < later
    [changed] = with_contradictions([talk], [pair], Check.PERSONA, random.Random(1))
    assert changed.persona == "I cook.\nI have a dog."


def test_sheets_show_a_reader_nothing_but_the_case(tmp_path: Path) -> None:
    from arena.training.judges.answers import SHEET, Collection

    row = {"model": "m", "statement": "I have\ta dog.", "question": "What?", "answer": "A\ncat."}
    collection = Collection(tmp_path)
    collection.add([row | {"id": str(n)} for n in range(SHEET + 5)])
    [sheet] = sorted((tmp_path / "sheets").glob("*.tsv"))
    lines = sheet.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "id\tstatement\tquestion\tanswer" and len(lines) == SHEET + 1
    assert lines[1].split("\t")[1:] == ["I have a dog.", "What?", "A cat."]
    assert len(Collection(tmp_path).known) == SHEET + 5 and not (tmp_path / "READY").exists()


def test_precision_counts_as_many_contradictions_as_the_arena_has() -> None:
    """Half of these cases are contradictions. In the arena fewer are, so more of the flags would be wrong."""
    scores, truth = np.array([0.9, 0.9, 0.1, 0.9, 0.1, 0.1, 0.1, 0.1]), np.array([True] * 4 + [False] * 4)
    assert precision(scores, truth, 0.5) == 1.0
    truth = np.array([True, True, True, False, True, False, False, False])
    right, wrong = ARENA_SHARE * 2 / 4, (1 - ARENA_SHARE) * 1 / 4
    assert precision(scores, truth, 0.5) == pytest.approx(right / (right + wrong))
    assert precision(scores, truth, 0.95) == 1.0  # nothing is flagged
